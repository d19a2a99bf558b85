/** A name in an entry is a promise: adding or taking one away is a decision, made here. */
import { expect, test } from 'vitest'
import * as mcp from '../../src/mcp/index.ts'
import * as root from '../../src/index.ts'
import { read, SOURCES } from './source-files.ts'

test('the root entry has these names and no other', () => {
  expect(Object.keys(root).sort()).toEqual(['EFFECT_KINDS', 'ERROR_CODES', 'OUTCOMES', 'UsherError', 'createUsher', 'defineTool', 'loadRoutes', 'openAskScorer', 'openEmbedder'])
})

test('the MCP entry has these names and no other', () => {
  expect(Object.keys(mcp).sort()).toEqual(['ContractStore', 'ContractTools', 'contractPaths', 'serveTools'])
})

test('the root entry does not load the MCP SDK', () => {
  const reached = new Set<string>()
  const visit = (file: string): void => {
    if (reached.has(file) || !SOURCES.includes(file)) return
    reached.add(file)
    for (const [, target] of read(file).matchAll(/^(?:import|export)[^'\n]*from '(\.[^']+)'/gm)) visit(new URL(target ?? '', `file:///${file}`).pathname.slice(1))
  }
  visit('src/index.ts')
  expect(reached.size).toBeGreaterThan(50)
  expect([...reached].filter(file => file.startsWith('src/mcp/'))).toEqual([])
})
