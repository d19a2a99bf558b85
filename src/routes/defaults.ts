/** Every default and every cap of route files, in one place. */
import type { RouteMode } from '../types.ts'

export const ROUTE_DEFAULTS = {
  from: ['user'],
  threshold: 0.6,
  margin: 0.05,
  mode: 'fire' as RouteMode,
  ask: false,
  approve: 'never',
  approveWithin: '10m',
  reader: 'offer',
  maxAge: '60s',
} as const

export const ROUTE_CAPS = {
  /** UTF-16 units of one trigger as written, and of one sentence. */
  triggerLength: 1000,
  /** Brackets within brackets in one trigger. */
  triggerDepth: 12,
  /** Sentences that one trigger may expand to. */
  perTrigger: 500,
  /** Sentences of one route, over all its triggers. */
  perRoute: 2000,
  /** UTF-16 units of a preset's canonical JSON: it is in every row of the route's calls. */
  presetLength: 65_536,
  /** Bytes of one file: 100,000 phrases take about 6 MB. */
  fileBytes: 16 * 1024 * 1024,
  files: 1000,
} as const
