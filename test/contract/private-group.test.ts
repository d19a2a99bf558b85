import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isPrivateGroup } from '../../src/contract/private-group.ts'
import { scratch } from './keys.ts'

const folder = scratch()
const passwd = join(folder, 'passwd')
const group = join(folder, 'group')
writeFileSync(passwd, 'root:x:0:0:root:/root:/bin/sh\nalice:x:1000:1000::/home/alice:/bin/sh\nbob:x:1001:1001::/home/bob:/bin/sh\neve:x:1002:1001::/home/eve:/bin/sh\ncarl:x:1003:1003::/home/carl:/bin/sh\n')
writeFileSync(group, 'root:x:0:\nalice:x:1000:\nbob:x:1001:\ncarl:x:1003:alice\ndave:x:1004:alice\nself:x:1005:alice,alice\n')

test.each([
  ['a group that the owner alone is in', 1000, 1000, true],
  ['one that names only the owner', 1000, 1005, true],
  ['the first group of another user too', 1001, 1001, false],
  ['one with another member', 1003, 1003, false],
  ['a user whom the system\'s files do not know', 4242, 1000, false],
  ['a group whom they do not know', 1000, 4242, false],
])('%s', (_what, uid, gid, expected) => expect(isPrivateGroup(uid, gid, { passwd, group })).toBe(expected))

test('closed: without the system\'s files nobody can say', () => expect(isPrivateGroup(0, 0, { passwd: join(folder, 'none'), group })).toBe(false))
