/** Puts the observer in place, once for a process however many copies of the package are loaded, and takes it out again. */
import type { EffectScope, EffectsObserver } from '../ports.ts'
import type { Effect, EffectPattern } from '../types.ts'
import { watchDatagrams } from './datagrams.ts'
import { watchDns } from './dns.ts'
import { watchDumps } from './dumps.ts'
import { watchFiles } from './files.ts'
import { watchHttp } from './http.ts'
import { watchHttp2 } from './http2.ts'
import { Patches } from './patches.ts'
import { watchProcesses } from './processes.ts'
import { Recorder } from './recorder.ts'
import { startedBefore, wrappedBefore } from './selfcheck.ts'
import { watchSockets } from './sockets.ts'
import { watchThreads } from './threads.ts'
import { watchUncaught } from './uncaught.ts'

/** One holder's hold on the observer. */
export interface InstalledObserver extends EffectsObserver {
  /**
   * The host's baseline: effects outside any call that these patterns cover are recorded as its background work of that name.
   * Throws BAD_OPTION for a pattern that is none.
   */
  accept(name: string, patterns: readonly EffectPattern[]): void
  /** Takes in what another watcher saw (a child's report, strace), as if it had been seen here. */
  record(effect: Effect): void
  /** The scope of the call in flight here, for whoever hands it on to a child. */
  readonly scope: EffectScope | undefined
  /** In a child: where no call of this process is in flight, this says which call of its parent is. */
  bound(ask: () => EffectScope | undefined): void
  /** Lets go. The builtins are put back when the last holder has. */
  uninstall(): void
}

interface Installed { holders: number, readonly observer: Omit<InstalledObserver, 'uninstall'>, readonly remove: () => void }

/** Shared by every copy of the package that this process loads. */
const PLACE = Symbol.for('usher-router.effects.1')
const shared = globalThis as { [PLACE]?: Installed }

/**
 * Wraps the builtins that have effects. The first installation does the work, later ones share it.
 * Work that was started before is not seen: install it as the first thing a process does (`usher-router/observe`).
 */
export function installObserver(): InstalledObserver {
  const installed = shared[PLACE] ??= install()
  installed.holders++
  let held = true
  return {
    ...installed.observer,
    get scope() { return installed.observer.scope },
    uninstall(): void {
      if (!held) return
      held = false
      if (--installed.holders > 0) return
      installed.remove()
      delete shared[PLACE]
    },
  }
}

function install(): Installed {
  const before = startedBefore()
  const recorder = new Recorder()
  const patches = new Patches()
  const surgery = { patches, recorder }
  for (const watch of [watchFiles, watchProcesses, watchSockets, watchHttp2, watchDatagrams, watchDns, watchThreads, watchDumps]) watch(surgery)
  const unsubscribe = watchHttp(surgery)
  const letThrough = watchUncaught(recorder)
  patches.publish()
  // Asked for once, when somebody wants to know: the inspector takes some 30 ms.
  let wrapped: readonly string[] | undefined
  return {
    holders: 0,
    observer: {
      run: (scope, work) => recorder.run(scope, work),
      background: (name, work) => recorder.background(name, work),
      accept: (name, patterns) => { recorder.accept(name, patterns) },
      record: effect => { recorder.take(effect) },
      get scope() { return recorder.scope },
      bound: ask => { recorder.bound(ask) },
      of: callId => recorder.of(callId),
      attach: sink => recorder.attach(sink),
      selfCheck() {
        wrapped ??= wrappedBefore(patches.originals)
        return [...wrapped, ...before, ...recorder.sinkFailure === undefined ? [] : [`an effect could not be recorded: ${recorder.sinkFailure}`]]
      },
    },
    remove() {
      recorder.active = false
      unsubscribe()
      letThrough()
      patches.restore()
    },
  }
}
