/** `usher completion`, read by the shells themselves. A shell that is not installed here is named in the output; .ci/run installs all three. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/commands/all.ts'
import { scratch } from '../cli/usher.ts'

const place = scratch()
afterAll(() => place.remove())
const scripts = new Map<string, string>()
const script = (shell: string): string => {
  const file = scripts.get(shell) ?? place.write(`usher.${shell}`, place.run(['completion', shell]).stdout)
  scripts.set(shell, file)
  return file
}
const installed = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0
/** What the shell offers after these words, of which the last is unfinished. */
type Offers = (line: string) => readonly string[]

const bash: Offers = line => {
  const words = line.split(' ')
  const ran = spawnSync('bash', ['-c', `source '${script('bash')}'; COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _usher; printf '%s\n' "\${COMPREPLY[@]}"`], { encoding: 'utf8' })
  return ran.stdout.trim().split('\n')
}

const fish: Offers = line => spawnSync('fish', ['--no-config', '-c', `source '${script('fish')}'; complete -C '${line}'`], { cwd: place.folder, encoding: 'utf8', env: place.env }).stdout.trim().split('\n').map(one => one.split('\t')[0] ?? '')

/** A zsh on a terminal of its own, in which Tab is pressed. What it would add is taken from `compadd`, which every completion ends in. */
const zsh: Offers = line => {
  const inner = place.write('inner.zsh', `
PS1=; unsetopt zle_bracketed_paste 2>/dev/null
autoload -Uz compinit && compinit -u -D
source '${script('zsh')}'
compadd() {
  local -a __found
  builtin compadd -O __found "$@"
  (( $#__found )) && print -rl -- $__found >> '${join(place.folder, 'offered')}'
  builtin compadd "$@"
}
bindkey '^I' complete-word
finish() { print done > '${join(place.folder, 'finished')}'; exit }
zle -N finish; bindkey '^X' finish
`)
  const ran = spawnSync('zsh', ['-f', '-c', `
zmodload zsh/zpty
rm -f offered finished; touch offered
zpty z zsh -f -i
zpty -w z "source '${inner}'"
zpty -w -n z $'${line}\\t\\C-x'
while [[ ! -e finished ]]; do zpty -r -t z out >/dev/null; sleep 0.02; done
zpty -d z
cat offered`], { cwd: place.folder, encoding: 'utf8', env: { ...place.env, TERM: 'xterm' }, timeout: 60_000 })
  return [...new Set(ran.stdout.trim().split('\n'))]
}

const SHELLS = [['bash', bash], ['zsh', zsh], ['fish', fish]] as const
const here = SHELLS.filter(([shell]) => installed(shell))
for (const [shell] of SHELLS.filter(one => !here.includes(one))) process.stdout.write(`not run: ${shell} is not installed here, so its completion is made and not read\n`)

for (const [shell, offers] of here) {
  test(`${shell} offers every command, its own commands and its options, from the program itself`, () => {
    const first = offers('usher ')
    expect([...COMMANDS.keys()].filter(name => !first.includes(name))).toEqual([])
    expect([...offers('usher hook p')].sort()).toEqual(['post-tool-use', 'pre-tool-use'])
    expect(offers('usher log --out')).toEqual(['--outcome'])
    expect(offers('usher hook install --pa')).toEqual(['--pass'])
    // A command of the same name elsewhere lends it nothing.
    expect(offers('usher contract verify --anch')).not.toContain('--anchor')
    expect(offers('usher verify --anch')).toContain('--anchor')
  })
}

test('each shell has a script, and an unknown one is used wrongly', () => {
  for (const [shell] of SHELLS) expect([shell, place.run(['completion', shell]).stdout.split('\n').length > 20]).toEqual([shell, true])
  for (const shell of ['toString', 'csh', '']) expect([shell, place.run(['completion', shell]).status]).toEqual([shell, 2])
})
