import { expect, test } from 'vitest'
import { prepareCall } from '../../src/dispatch/prepare.ts'
import { tightened } from '../../src/mcp/drift.ts'
import { checkContractBytes } from '../../src/contract/read-file.ts'
import type { JsonObject, Tool } from '../../src/types.ts'
import { fileText, noteSchema, recordV2 } from '../contract/records.ts'

const contract = (change: JsonObject) => checkContractBytes('f', Buffer.from(fileText(2, [recordV2(change)]))).contracts[0] as NonNullable<ReturnType<typeof checkContractBytes>['contracts'][0]>
const tool = (change: JsonObject, annotations: JsonObject): Tool => ({ name: 'notes/read_note', description: '', visible: noteSchema, presetOnly: {}, ...tightened(contract(change), { annotations }), origin: { kind: 'code' }, run: () => ({}) })
const refusal = (one: Tool) => {
  const ready = prepareCall(new Map([[one.name, one]]), { by: 'proxy', tool: one.name, args: { id: 'x' }, explicit: false, origins: {}, event: { id: 'e-1', source: 'model', text: '', at: 0 }, eventId: 'e-1' })
  return ready.kind === 'refused' ? ready.outcome : undefined
}

test('gate:default-only: a server that calls its tool destructive is believed, and the reason says whose word it is', () => {
  for (const [annotations, words] of [[{ destructiveHint: true }, 'destructiveHint: true'], [{ readOnlyHint: false }, 'readOnlyHint: false']] as const)
    expect(refusal(tool({}, annotations))).toEqual({ kind: 'needs-approval', reason: 'unknown-effect', why: `notes/read_note has no effect in its contract, while its server says of it ${words}, so it counts as destructive` })
})

test('gate:default-only: no claim makes a tool harmless, and none adds to effects that a person named', () => {
  expect(refusal(tool({}, { readOnlyHint: true }))).toBeUndefined()
  expect(refusal(tool({ effects: { always: ['fs.write'] }, privileges: ['fs.write'] }, { readOnlyHint: true }))).toMatchObject({ reason: 'effectful-call' })
  expect(refusal(tool({ effects: { always: ['fs.write'] }, privileges: ['fs.write'] }, { destructiveHint: true }))).toMatchObject({ reason: 'effectful-call', why: expect.stringContaining('would cause fs.write') as string })
  expect(refusal({ ...tool({}, {}), effects: undefined })?.why).toBe('notes/read_note does not say what effects it has, so it counts as destructive')
})
