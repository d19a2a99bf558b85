/**
 * Our own tools as an MCP server: what goes out in `tools/list` is the visible schema and nothing else (`fill:blind`). A call goes where the host
 * sends it, which must be the dispatcher (`trace:every-way`): this file never reaches a handler.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CallToolRequestSchema, ListToolsRequestSchema, type CallToolResult, type Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject, Tool } from '../types.ts'
import { isRecord } from '../util/records.ts'

export interface ServedCall { readonly tool: string, readonly args: JsonObject, readonly signal: AbortSignal }
export interface ServeOptions {
  readonly name?: string
  readonly version?: string
  /** Takes a call to the dispatcher and gives back what the caller may see. Default: every call is refused. */
  readonly call?: (call: ServedCall) => Promise<ServedResult>
}
export interface ServedResult { readonly text: string, readonly isError?: boolean, readonly structured?: JsonObject }

export interface ToolServer {
  /** Serves one client until either side closes. */
  connect(transport: Transport): Promise<void>
  close(): Promise<void>
}

export function serveTools(tools: readonly Pick<Tool, 'name' | 'description' | 'visible'>[], options: ServeOptions = {}): ToolServer {
  const known = new Map(tools.map(tool => [tool.name, tool]))
  const server = new Server({ name: options.name ?? 'usher', version: options.version ?? '0' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listed) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }): Promise<CallToolResult> => {
    if (!known.has(params.name)) return refusal('there is no such tool')
    if (!options.call) return refusal('this server only lists its tools')
    const args = params.arguments ?? {}
    return shown(await options.call({ tool: params.name, args: isRecord(args) ? args : {}, signal }))
  })
  return { connect: transport => server.connect(transport), close: () => server.close() }
}

function listed({ name, description, visible }: Pick<Tool, 'name' | 'description' | 'visible'>): ListedTool {
  // MCP wants the type at the root; a schema without one lets objects through all the same.
  return { name, description, inputSchema: { ...visible, type: 'object' } }
}

const refusal = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

function shown({ text, isError, structured }: ServedResult): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}), ...(structured ? { structuredContent: structured as { [key: string]: unknown } } : {}) }
}
