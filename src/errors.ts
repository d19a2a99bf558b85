/**
 * One error class with a closed list of codes. What may normally happen is an Outcome, not an error: these are for wrong use and broken
 * surroundings. The README has a row for each code, and a test compares the two.
 */
export const ERROR_CODES = [
  'BAD_OPTION', 'BAD_EVENT',
  'ROUTES_INVALID', 'ROUTES_MISSING',
  'TOOL_INVALID', 'TOOL_UNKNOWN', 'TOOLS_MODULE_INVALID',
  'SCHEMA_INVALID', 'SCHEMA_TOO_BIG',
  'MODEL_MISSING', 'MODEL_CHANGED', 'EMBED_FAILED', 'READER_FAILED', 'ENCODER_MISMATCH',
  'INDEX_INVALID',
  'LOG_OPEN_FAILED', 'LOG_WRITE_FAILED', 'LOG_VERSION', 'LOG_INVALID', 'LOG_VALUE', 'ALREADY_HANDLED', 'FLEET_HELD',
  'EFFECT_BLOCKED',
  'CONTRACT_INVALID', 'CONTROL_REFUSED', 'SERVER_FAILED',
  'PROOF_REFUSED', 'CARDS_FAILED',
  'SERVE_FAILED', 'QUEUE_FULL', 'CLOSED',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

/** Works across two loaded copies of the package, where `instanceof` does not. */
const BRAND = Symbol.for('usher-router.error')

export class UsherError extends Error {
  readonly code: ErrorCode
  /** Where, for input with lines: `routes/console.yaml:12:5`. */
  readonly where: string | undefined
  /** @param message what was wrong, the value seen, and what to do */
  constructor(code: ErrorCode, message: string, options: { cause?: unknown, where?: string } = {}) {
    super(options.where ? `${options.where}: ${message}` : message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'UsherError'
    this.code = code
    this.where = options.where
    Object.defineProperty(this, BRAND, { value: true })
  }
  static is(error: unknown): error is UsherError {
    return typeof error === 'object' && error !== null && Object.hasOwn(error, BRAND)
  }
}
