/**
 * Dot products of one query with rows of bytes, by 128-bit SIMD: what this needs of a machine WebAssembly has everywhere. Assembled by hand from:
 *
 *   (func (export "dots") (param $query i32) (param $row i32) (param $out i32) (param $end i32) (param $stride i32)
 *     (local $k i32) (local $a v128) (local $b v128)
 *     loop $rows
 *       $a = $b = 0; $k = 0
 *       loop $inner
 *         $a = i32x4.add($a, i32x4.dot_i16x8_s(v128.load($query + 2 * $k), v128.load8x8_s($row + $k)))
 *         $b = i32x4.add($b, i32x4.dot_i16x8_s(v128.load(16 + $query + 2 * $k), v128.load8x8_s(8 + $row + $k)))
 *         br_if $inner (($k += 16) < $stride)
 *       end
 *       i32.store($out, sum of the lanes of i32x4.add($a, $b)); $out += 4
 *       br_if $rows (($row += $stride) < $end)
 *     end)
 */
const CODE = 'AGFzbQEAAAABCQFgBX9/f39/AAIRAQV1c2hlcgZtZW1vcnkCAAEDAgEABwgBBGRvdHMAAAq9AQG6AQIBfwJ7A0D9DAAAAAAAAAAAAAAAAAAAAAAhBv0MAAAAAAAAAAAAAAAAAAAAACEHQQAhBQNAIAYgACAFQQF0av0ABAAgASAFav0BAwD9ugH9rgEhBiAHIAAgBUEBdGr9AAQQIAEgBWr9AQMI/boB/a4BIQcgBUEQaiIFIARJDQALIAYgB/2uASEGIAIgBv0bACAG/RsBaiAG/RsCaiAG/RsDajYCACACQQRqIQIgASAEaiIBIANJDQALCw=='

/** The row length that the code takes is a multiple of this. */
export const LANES = 16
const PAGE = 65_536

/** What is used of it; the types of Node 20 leave it to the browser's. */
interface Wasm {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Module: new (code: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> }
}

export interface Dots {
  /** To be filled before `run`. */
  readonly query: Int16Array
  /** Row after row, each padded with zeros to the stride. */
  readonly rows: Int8Array
  /** One a row, after `run`. */
  readonly sums: Int32Array
  run(): void
}

/** Memory for `count` rows of `stride` bytes. Undefined where this process runs no WebAssembly, as with `--jitless`. */
export function dotsOf(count: number, stride: number): Dots | undefined {
  const { WebAssembly: wasm } = globalThis as { readonly WebAssembly?: Wasm }
  if (!wasm) return undefined
  const rowsAt = stride * 2
  const sumsAt = rowsAt + count * stride
  const memory = new wasm.Memory({ initial: Math.max(1, Math.ceil((sumsAt + count * 4) / PAGE)) })
  const { exports } = new wasm.Instance(new wasm.Module(Buffer.from(CODE, 'base64')), { usher: { memory } })
  const dots = exports['dots'] as (query: number, row: number, out: number, end: number, stride: number) => void
  return {
    query: new Int16Array(memory.buffer, 0, stride), rows: new Int8Array(memory.buffer, rowsAt, count * stride), sums: new Int32Array(memory.buffer, sumsAt, count),
    run: () => { if (count > 0) dots(0, rowsAt, sumsAt, sumsAt, stride) },
  }
}
