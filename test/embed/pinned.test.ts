import { expect, test } from 'vitest'
import { encoderId, bundledModelDir, readManifest } from '../../src/embed/model-files.ts'
import { checkEncoder, PINNED_ENCODER } from '../../src/embed/pinned.ts'

test('encoder:pinned: the bundled model is the pinned encoder', () => {
  expect(encoderId(readManifest(bundledModelDir()))).toBe(PINNED_ENCODER)
  expect(() => checkEncoder(PINNED_ENCODER)).not.toThrow()
})

test.each([
  ['other weights', PINNED_ENCODER.replace('@efd1', '@0fd1')],
  ['another quantisation', PINNED_ENCODER.replace('/q8', '/fp32')],
  ['another model', PINNED_ENCODER.replace('L6', 'L12')],
  ['no id', ''],
])('encoder:pinned: %s is refused with both ids in the message', (_, id) => {
  expect(() => checkEncoder(id)).toThrow(expect.objectContaining({ code: 'ENCODER_MISMATCH', message: expect.stringContaining(PINNED_ENCODER) }))
})

test('encoder:pinned: thresholds fitted to another encoder accept that encoder and no other', () => {
  expect(() => checkEncoder('mine@00/q8', 'mine@00/q8')).not.toThrow()
  expect(() => checkEncoder(PINNED_ENCODER, 'mine@00/q8')).toThrow(expect.objectContaining({ code: 'ENCODER_MISMATCH' }))
})
