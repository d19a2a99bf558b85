/** Reads an own property only: a tool called "constructor" must be unknown, not Object's. */
export function own<T>(table: { readonly [key: string]: T }, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
