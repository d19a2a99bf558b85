/** Replaces functions of builtin modules so that nothing but the call itself is seen to differ, and puts them back. */
import { syncBuiltinESMExports } from 'node:module'

export type Fn = (this: unknown, ...args: unknown[]) => unknown
export type Holder = object

/** On every replacement, shared by all copies of the package: what it stands in for. */
export const ORIGINAL = Symbol.for('usher-router.original')

interface Patch { readonly holder: Holder, readonly key: PropertyKey, readonly before: PropertyDescriptor, readonly after: Fn }

export class Patches {
  #done: Patch[] = []
  /** What was found in each place: the self-check looks whether it was Node's own. */
  readonly originals: { readonly name: string, readonly original: Fn }[] = []

  /** Does nothing where this Node has no such function: the tables name what any supported version has. */
  replace(holder: Holder, key: PropertyKey, make: (original: Fn) => Fn): void {
    this.#put(holder, key, original => dressed(make(original), original))
  }

  /** A class is replaced by a Proxy, which is dressed already. */
  replaceClass(holder: Holder, key: PropertyKey, make: (original: Fn) => Fn): void {
    this.#put(holder, key, make)
  }

  #put(holder: Holder, key: PropertyKey, make: (original: Fn) => Fn): void {
    const before = Object.getOwnPropertyDescriptor(holder, key)
    const original = Reflect.get(holder, key) as unknown
    if (!before || typeof original !== 'function' || before.configurable === false) return
    const after = make(original as Fn)
    Object.defineProperty(holder, key, 'value' in before ? { ...before, value: after } : { value: after, writable: true, enumerable: before.enumerable ?? true, configurable: true })
    this.#done.push({ holder, key, before, after })
    if (!Object.hasOwn(original, ORIGINAL)) this.originals.push({ name: String(key), original: original as Fn })
  }

  /** Puts everything back. Gives the names that somebody wrapped after us: those stay, and pass straight through. */
  restore(): string[] {
    const kept: string[] = []
    for (const { holder, key, before, after } of this.#done.reverse()) {
      if (Reflect.get(holder, key) === after) Object.defineProperty(holder, key, before)
      else kept.push(String(key))
    }
    this.#done = []
    syncBuiltinESMExports()
    return kept
  }

  /** Named imports of builtin modules, also those made before, see the replacements from here on. */
  publish(): void {
    syncBuiltinESMExports()
  }
}

/** Name, length, `util.promisify.custom` and whatever else hangs on a function stay as they were. */
function dressed(wrapper: Fn, original: Fn): Fn {
  const { [ORIGINAL]: _inner, ...descriptors } = Object.getOwnPropertyDescriptors(original) as PropertyDescriptorMap
  Object.defineProperties(wrapper, descriptors)
  Object.setPrototypeOf(wrapper, Object.getPrototypeOf(original) as object)
  Object.defineProperty(wrapper, ORIGINAL, { value: original })
  return wrapper
}
