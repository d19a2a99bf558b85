/** Tools that do something real on this machine, and show each kind: a hidden switch, an effect on every call, none at all, and one with no safe default. */
import { appendFile, mkdir, readdir } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import * as z from 'zod'
import { defineTool } from '../tools/define.ts'
import type { Tool } from '../types.ts'
import { durationMs } from './duration.ts'
import type { Opener } from './opener.ts'

export interface ExampleParts {
  /** Where notes are kept, and whose folders `list_files` lists. */
  readonly folder: string
  readonly opener: Opener
  /** The address of the call log page. */
  readonly consoleAddress: string
  /** What a browser is given: an address that lets it in, once. Default: the page's own. It is no result: results are kept. */
  readonly openAddress?: () => string
  /** Told when a timer rings. */
  readonly ring?: (name: string) => void
}

export function exampleTools(parts: ExampleParts): readonly Tool[] {
  return [callConsole(parts), showMemoryMap(parts), appendNote(parts), setTimer(parts), listFiles(parts)]
}

/** The story's tool, mended: what opens a tab is a parameter that no model and no filler ever sees. */
const callConsole = ({ opener, consoleAddress, openAddress = () => consoleAddress }: ExampleParts) => defineTool({
  name: 'call_console',
  description: 'Gives the address of the read-only call log page.',
  input: z.object({}),
  presetOnly: z.object({ open: z.boolean() }),
  effects: { open: ['browser.open'] },
  run: async args => {
    if (args.open) await opener.open(openAddress())
    return { url: consoleAddress, opened: args.open === true }
  },
})

/** A tool without a safe default: every call opens a tab, so it needs an explicit ask, always. */
const showMemoryMap = ({ opener, consoleAddress }: ExampleParts) => defineTool({
  name: 'show_memory_map',
  description: 'Shows the memory map in the browser.',
  input: z.object({}),
  effects: { always: ['browser.open'] },
  run: async () => {
    const url = new URL('/memory-map', consoleAddress).href
    await opener.open(url)
    return { url }
  },
})

const appendNote = ({ folder }: ExampleParts) => defineTool({
  name: 'append_note',
  description: 'Appends one line to the notes file.',
  input: z.object({ text: z.string().min(1).max(2000).describe('The line to keep') }),
  effects: { always: ['fs.write'] },
  run: async ({ text }) => {
    const file = join(folder, 'notes.txt')
    await mkdir(folder, { recursive: true })
    await appendFile(file, `${text.replace(/\s+/g, ' ')}\n`)
    return { kept: text, file: 'notes.txt' }
  },
})

const setTimer = ({ ring }: ExampleParts) => defineTool({
  name: 'set_timer',
  description: 'Rings once after a while.',
  input: z.object({ duration: z.iso.duration().describe('How long, as an ISO 8601 duration such as PT5M') }),
  effects: { always: ['timer.set'] },
  run: ({ duration }) => {
    const ms = durationMs(duration)
    if (ms === undefined || ms > 2 ** 31 - 1) throw new Error(`a timer can run for at most 24 days, not for ${duration}`)
    setTimeout(() => ring?.(duration), ms).unref()
    return { duration, seconds: ms / 1000 }
  },
})

const listFiles = ({ folder }: ExampleParts) => defineTool({
  name: 'list_files',
  description: 'Lists the files of a folder beside the notes.',
  input: z.object({ folder: z.string().min(1).max(200).describe('Name of the folder') }),
  effects: {},
  run: async args => {
    const root = resolve(folder)
    const wanted = resolve(root, args.folder)
    if (wanted !== root && !wanted.startsWith(root + sep)) throw new Error(`${JSON.stringify(args.folder)} lies outside the notes' folder`)
    try {
      return { files: (await readdir(wanted)).sort() }
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { files: [], note: `there is no folder ${JSON.stringify(args.folder)}` }
      throw error
    }
  },
})
