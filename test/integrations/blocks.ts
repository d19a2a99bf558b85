/** The fenced blocks of a page, and what their mark says about them: nothing that a reader could copy stands there without a test or a reason. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { read, ROOT } from '../rules/source-files.ts'

const markdown = (folder: string): string[] => readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.md')).map(file => join(folder, file)).sort()
export const PAGES: readonly string[] = [...markdown('src'), ...markdown('routes')]

export interface Block { readonly page: string, readonly line: number, readonly lang: string, readonly mark: string, readonly body: string }

export function blocksOf(page: string, text = read(page)): readonly Block[] {
  return [...text.matchAll(/^```([^\s`]*)[ \t]*(.*)\n([\s\S]*?)^```$/gm)].map(found => ({ page, line: text.slice(0, found.index).split('\n').length, lang: found[1] ?? '', mark: (found[2] ?? '').trim(), body: found[3] ?? '' }))
}

const SKIP = /^skip="([^"]{12,})"$/
const FORMS: ReadonlyMap<string, RegExp> = new Map([
  // Run, with the exit code where it is not 0; or started and driven by recipes.test.ts, which looks at what it prints.
  ['sh', /^(?:run(?:=\d)?|driven)$/],
  // What the run block before it printed; or what this command prints.
  ['text', /^(?:|run="usher [^"]+")$/],
  // A part of this file, which is type-checked with the tests.
  ['ts', /^file="[^"]+\.ts"$/],
  ['yaml', /^(?:routes|file="[^"]+\.yaml")$/],
  // Each statement asked of the example day's log.
  ['sql', /^run$/],
])
const COPIED = /^\s*(?:\$ |usher |npm |npx |node |import |export |curl )/m

/** What is wrong with a block's mark; undefined: nothing. */
export function markFault({ page, line, lang, mark, body }: Block): string | undefined {
  const at = `${page}:${line}`
  const reason = SKIP.exec(mark)?.[1]
  if (reason !== undefined) {
    const missing = [...reason.matchAll(/\b(?:test|\.ci)\/[\w./-]+/g)].map(found => found[0]).filter(file => !existsSync(join(ROOT, file)))
    return missing.length === 0 ? undefined : `${at}: its reason names ${missing.join(', ')}, which is not there`
  }
  if (lang === '') return COPIED.test(body) ? `${at}: a block without a language holds commands or code` : undefined
  const form = FORMS.get(lang)
  return form?.test(mark) ? undefined : `${at}: \`\`\`${lang} ${mark}: not run, not compared, not checked, and no reason why not`
}

/** Shown lines that the output does not have, in the same order; `[...` stands for lines left out. Ids, times and trailing space are not compared. */
export function notPrinted(shown: string, output: string): readonly string[] {
  const came = output.split('\n').map(masked)
  let from = 0
  return shown.trimEnd().split('\n').filter(line => !line.startsWith('[...')).map(masked).filter(line => {
    const at = came.indexOf(line, from)
    if (at < 0) return true
    from = at + 1
    return false
  })
}

const masked = (line: string): string => line.replace(/\b([cdefx])-[0-9a-f]{16}\b/g, '$1-ID').replace(/\b\d{4}-\d{2}-\d{2}\b/g, 'DATE').replace(/\b\d{2}:\d{2}:\d{2}\b/g, 'TIME').replace(/\b\d+(?:\.\d+)? (ms|s|MB)\b/g, 'N $1').trimEnd()
