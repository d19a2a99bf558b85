/** The page on a real server, asked over HTTP as a browser would, or with the token alone. */
import { onTestFinished } from 'vitest'
import { startConsole, type ConsoleOptions } from '../../../src/console/server.ts'

export interface Page {
  readonly origin: string
  readonly token: string
  /** With the token. */
  get(path: string, headers?: Record<string, string>): Promise<{ status: number, text: string, headers: Headers }>
  /** As a browser: a cookie, and the word of its forms. */
  session(): Promise<Browser>
}
export interface Browser {
  readonly cookie: string
  get(path: string): Promise<{ status: number, text: string }>
  /** The hidden word of the page's forms; undefined: it has none. */
  csrf(path?: string): Promise<string | undefined>
  post(path: string, form: Record<string, string>, headers?: Record<string, string>): Promise<{ status: number, text: string }>
}

export async function openPage(options: ConsoleOptions): Promise<Page> {
  const server = await startConsole(options)
  onTestFinished(() => server.close())
  const { origin } = server
  const token = server.address.split('#token=')[1] ?? ''
  const answer = async (response: Response) => ({ status: response.status, text: await response.text(), headers: response.headers })
  return {
    origin, token,
    get: async (path, headers = {}) => answer(await fetch(origin + path, { headers: { authorization: `Bearer ${token}`, ...headers }, redirect: 'manual' })),
    session: async () => {
      const entered = await fetch(`${origin}/session`, { method: 'POST', headers: { origin, 'content-type': 'application/x-www-form-urlencoded' }, body: new URLSearchParams({ word: token }), redirect: 'manual' })
      const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
      const get = async (path: string) => answer(await fetch(origin + path, { headers: { cookie } }))
      return {
        cookie, get,
        csrf: async (path = '/') => /name="csrf" value="([^"]+)"/.exec((await get(path)).text)?.[1],
        post: async (path, form, headers = {}) => answer(await fetch(origin + path, { method: 'POST', headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded', ...headers }, body: new URLSearchParams(form), redirect: 'manual' })),
      }
    },
  }
}

/** What a reader sees of a page: no tags, entities as characters, one space between words. */
export function words(page: string): string {
  return page.replace(/<[^>]*>/g, ' ').replace(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': '\'' })[name] ?? '').replace(/\s+/g, ' ').trim()
}
