// Runs a program of this folder that is written in TypeScript: node test/fleet/run.mjs prove|show [options]
import { createServer } from 'vite'
import { fileURLToPath } from 'node:url'

const name = process.argv[2]
if (!['prove', 'show', 'throughput'].includes(name)) { process.stderr.write('usage: node test/fleet/run.mjs prove|show|throughput\n'); process.exit(2) }
const vite = await createServer({ configFile: false, logLevel: 'error', appType: 'custom', server: { middlewareMode: true, hmr: false, ws: false, watch: null }, optimizeDeps: { noDiscovery: true } })
const program = await vite.ssrLoadModule(fileURLToPath(new URL(`${name}.ts`, import.meta.url)))
const code = await program.main(process.argv.slice(3))
await vite.close()
process.exit(code)
