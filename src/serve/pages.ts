/** The pages, until a console is mounted: none. */
export function pages(): { fetch(): Response } {
  return { fetch: () => new Response('no such page\n', { status: 404 }) }
}
