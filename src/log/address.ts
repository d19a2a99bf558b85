/** Where a log is: told from its address alone, so that nothing of a database is loaded for the question. */
export function isPostgresUrl(location: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(location)
}
