/** The closed list of privileges that a contract may grant, and the effects that each stands for. */
import type { EffectPattern } from '../types.ts'

/** `fs.write.limited`: only in the server's own working folder. `compute`: nothing outside the process. */
export const PRIVILEGES = {
  'compute': [],
  'fs.read': [],
  'fs.write.limited': ['fs.write', 'fs.rename'],
  'fs.write': ['fs.write', 'fs.rename', 'fs.chmod'],
  'fs.delete': ['fs.delete'],
  'git.status': ['process.start:git'],
  'http.get': ['http.get'],
  'http.write': ['http.request', 'net.connect', 'dns.lookup'],
  'net.connect': ['net.connect', 'dns.lookup', 'udp.send'],
  'net.listen': ['server.start', 'net.listen'],
  'process.start': ['process.start'],
  'process.signal': ['process.signal'],
  'browser.open': ['browser.open'],
  'notify.show': ['notify.show'],
  'timer.set': ['timer.set'],
  'message.send': ['message.send'],
  'money.spend': ['money.spend'],
  'device.actuate': ['device.actuate'],
  'access.grant': ['access.grant'],
  'deploy.start': ['deploy.start'],
  'data.change': ['data.change'],
  'data.delete': ['data.delete'],
} as const satisfies Record<string, readonly EffectPattern[]>

export type Privilege = keyof typeof PRIVILEGES

export function isPrivilege(name: string): name is Privilege {
  return Object.hasOwn(PRIVILEGES, name)
}

/** Effects of all the privileges, each once. Names that are not in the list stand for nothing. */
export function privilegeEffects(privileges: readonly string[]): readonly EffectPattern[] {
  return [...new Set(privileges.filter(isPrivilege).flatMap(name => PRIVILEGES[name]))]
}

const NETWORK: ReadonlySet<string> = new Set<Privilege>([
  'http.get', 'http.write', 'net.connect', 'net.listen', 'browser.open', 'message.send', 'money.spend', 'device.actuate', 'access.grant', 'deploy.start', 'data.change', 'data.delete',
])
const WRITES: ReadonlySet<string> = new Set<Privilege>(['fs.write.limited', 'fs.write', 'fs.delete', 'deploy.start', 'data.change', 'data.delete', 'process.start'])

export const mayUseNetwork = (privileges: readonly string[]): boolean => privileges.some(name => NETWORK.has(name))
export const mayWriteFiles = (privileges: readonly string[]): boolean => privileges.some(name => WRITES.has(name))
