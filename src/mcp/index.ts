/** The entry `usher-router/mcp`: our own tools as an MCP server, and tools of servers under signed contracts. What starts servers lives here, not in the root entry. */
export { serveTools, type ServedCall, type ServedResult, type ServeOptions, type ToolServer } from './serve-tools.ts'
export { ContractTools, type ContractToolsOptions } from './contract-tools.ts'
export { ContractStore, type StoreOptions } from '../contract/store.ts'
export { contractPaths } from '../contract/verify.ts'
