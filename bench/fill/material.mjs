/** Real material for the benches here: tool schemas and texts from a data folder given by path. Nothing of it is part of this project. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** `{ server, tool, schema }` of every `<dir>/mcp-tools/*.json`, in the order of the names. */
export function readTools(dir) {
  const folder = join(dir, 'mcp-tools')
  return readdirSync(folder).filter(file => file.endsWith('.json')).sort().flatMap(file =>
    JSON.parse(readFileSync(join(folder, file), 'utf8')).tools.map(tool => ({ server: file.replace(/\.json$/, ''), tool: tool.name, description: tool.description ?? '', schema: tool.inputSchema })))
}

/** Texts of every `*.jsonl.gz` below the folders and of every `cases` list in their `*.json`, without repeats. */
export function readTexts(dirs) {
  const texts = new Set()
  const add = text => { if (typeof text === 'string' && text !== '') texts.add(text) }
  const visit = folder => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => a.name < b.name ? -1 : 1)) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) visit(path)
      else if (entry.name.endsWith('.jsonl.gz')) for (const line of gunzipSync(readFileSync(path)).toString('utf8').split('\n')) if (line !== '') add(JSON.parse(line).text)
      if (entry.isFile() && entry.name.endsWith('.json')) addCases(JSON.parse(readFileSync(path, 'utf8')), add)
    }
  }
  for (const dir of dirs) visit(dir)
  return [...texts]
}

function addCases(json, add) {
  if (Array.isArray(json?.cases)) for (const { text } of json.cases) add(text)
}

/** `--name value` pairs of the command line. */
export function options(argv) {
  return new Map(argv.flatMap((word, at) => word.startsWith('--') ? [[word.slice(2), argv[at + 1]]] : []))
}

/** The value below which the share lies, of sorted figures. */
export const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
