/** Name look-ups: the system's resolver (`lookup`) and Node's own (`resolve*`, `reverse`, both Resolver classes). */
import dns from 'node:dns'
import { isIP } from 'node:net'
import { guard, refuseCallback, refusePromise, type Look, type Surgery } from './guard.ts'

const NAMES = ['lookup', 'lookupService', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveCaa', 'resolveCname', 'resolveMx', 'resolveNaptr', 'resolveNs', 'resolvePtr', 'resolveSoa', 'resolveSrv', 'resolveTlsa', 'resolveTxt', 'reverse']

/** `lookup` of an address asks nobody. */
const look = (api: string, name: string): Look => args => {
  const host = args[0]
  if (typeof host !== 'string' || host === '' || (name === 'lookup' && isIP(host) !== 0)) return undefined
  return { kind: 'dns.lookup', target: host, detail: { api } }
}

export function watchDns(surgery: Surgery): void {
  for (const name of NAMES) {
    guard(surgery, dns, name, look(`dns.${name}`, name), refuseCallback)
    guard(surgery, dns.promises, name, look(`dns.promises.${name}`, name), refusePromise)
    guard(surgery, dns.Resolver.prototype, name, look(`dns.Resolver.${name}`, name), refuseCallback)
    guard(surgery, dns.promises.Resolver.prototype, name, look(`dns.promises.Resolver.${name}`, name), refusePromise)
  }
}
