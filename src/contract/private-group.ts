/** Groups that stand for one user alone, as many systems give each user (with a umask of 002): what only they may write, only the owner may write. */
import { readFileSync } from 'node:fs'

interface Entry { readonly name: string, readonly id: number, readonly fourth: string }

/** Lines of passwd(5) or group(5). */
function entries(text: string): readonly Entry[] {
  return text.split('\n').map(line => line.split(':')).filter(fields => fields.length >= 4).map(([name = '', , id = '', fourth = '']) => ({ name, id: Number(id), fourth }))
}

/**
 * Has the group no other member than the user, by the system's own files? Where they cannot be read, or know one of the two not (a directory service
 * does), the answer is no. @param databases for tests
 */
export function isPrivateGroup(uid: number, gid: number, databases: { readonly passwd: string, readonly group: string } = { passwd: '/etc/passwd', group: '/etc/group' }): boolean {
  let users: readonly Entry[]
  let groups: readonly Entry[]
  try {
    users = entries(readFileSync(databases.passwd, 'utf8'))
    groups = entries(readFileSync(databases.group, 'utf8'))
  } catch {
    return false // no such files here: nobody can say
  }
  const user = users.find(one => one.id === uid)
  const same = groups.filter(one => one.id === gid)
  if (!user || same.length === 0) return false
  // The fourth field of a user is the first group, that of a group its members.
  const others = users.some(one => one.id !== uid && Number(one.fourth) === gid)
  return !others && same.flatMap(one => one.fourth.split(',')).every(member => member === '' || member === user.name)
}
