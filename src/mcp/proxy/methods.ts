/** What may pass between client and server without being looked into, and what may not. Closed lists: what nobody thought of does not pass. */

const FROM_CLIENT: ReadonlySet<string> = new Set([
  'initialize', 'ping', 'completion/complete', 'logging/setLevel', 'resources/list', 'resources/templates/list', 'resources/read', 'resources/subscribe', 'resources/unsubscribe',
  'prompts/list', 'prompts/get', 'tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel',
])

/** Requests by which a server acts on the client's side: off unless the owner names them. */
export const SERVER_REQUESTS: ReadonlyMap<string, string> = new Map([['sampling/createMessage', 'sampling'], ['elicitation/create', 'elicitation'], ['roots/list', 'roots']])

export const passesFromClient = (method: string): boolean => FROM_CLIENT.has(method) || method.startsWith('notifications/')

/** JSON-RPC 2.0 and MCP error codes. */
export const ERRORS = { invalidRequest: -32600, methodNotFound: -32601, invalidParams: -32602, parse: -32700 } as const
