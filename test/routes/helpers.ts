/** Small YAML texts in, what was read (or the problems) out. */
import { UsherError } from '../../src/errors.ts'
import { parseRoutes, type LoadOptions } from '../../src/routes/load.ts'
import type { Route, RouteTable, Tool } from '../../src/types.ts'

/** One route `r`, with these lines (indented by four) after its name, tool and trigger. */
export function oneRoute(lines: string, options?: LoadOptions): Route {
  return only(parseRoutes(routeText(lines), 'r.yaml', options))
}

export function routeText(lines: string): string {
  return ['version: 1', 'routes:', '  - name: r', '    tool: t', '    triggers: ["open the console"]', ...lines.split('\n').map(line => `    ${line}`)].join('\n')
}

/** Routes by name -> triggers as a flow list, with further lines of each. */
export function table(routes: { readonly [name: string]: readonly string[] }, lines = '', options?: LoadOptions): RouteTable {
  const text = Object.entries(routes).map(([name, triggers]) => `  - name: ${name}\n    tool: t\n    triggers: ${JSON.stringify(triggers)}\n${lines ? lines.split('\n').map(line => `    ${line}\n`).join('') : ''}`)
  return parseRoutes(`version: 1\nroutes:\n${text.join('')}`, 'r.yaml', options)
}

export function only(table: RouteTable): Route {
  const [route] = table.routes.values()
  if (!route) throw new Error('no route')
  return route
}

/** The message of the UsherError that is thrown; a test fails when nothing is, or another error. */
export function problem(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (UsherError.is(error) && error.code === 'ROUTES_INVALID') return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

export function tool(parts: Partial<Tool> = {}): Tool {
  return { name: 't', description: 'A tool.', visible: { type: 'object', properties: {} }, presetOnly: {}, effects: {}, origin: { kind: 'code' }, run: () => null, ...parts }
}

export function tools(...list: readonly Tool[]): ReadonlyMap<string, Tool> {
  return new Map(list.map(one => [one.name, one]))
}
