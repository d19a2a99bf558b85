/** A workload with or without the effects observer: `http` requests on the loopback, or `files` written. Prints its milliseconds. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [kind, count, observed] = [process.argv[2], Number(process.argv[3]), process.argv[4] === 'observed']
if (observed) {
  const { installObserver } = await import('../../dist/effects/observer.js')
  const observer = installObserver()
  observer.attach(() => undefined)
}
const { request } = await import('node:http')

async function http() {
  const server = createServer((_, response) => response.end('ok'))
  await new Promise(resolve => { server.listen(0, '127.0.0.1', resolve) })
  const { port } = server.address()
  const once = () => new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', agent: false }, response => { response.resume().on('end', resolve) }).on('error', reject).end()
  })
  for (let i = 0; i < 200; i++) await once()
  const start = performance.now()
  for (let i = 0; i < count; i++) await once()
  const ms = performance.now() - start
  server.close()
  return ms
}

function files() {
  const dir = mkdtempSync(join(tmpdir(), 'usher-bench-files-'))
  for (let i = 0; i < 200; i++) writeFileSync(join(dir, 'warm'), 'text')
  const start = performance.now()
  for (let i = 0; i < count; i++) writeFileSync(join(dir, String(i % 100)), 'some text of a file')
  const ms = performance.now() - start
  rmSync(dir, { recursive: true })
  return ms
}

process.stdout.write(`${kind === 'http' ? await http() : files()}\n`)
process.exit(0)
