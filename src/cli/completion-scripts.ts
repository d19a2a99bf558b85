/** Shell completion, made from the program itself: a command or an option that is added needs no line here. */
import type { Command, Option } from 'commander'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

interface Word { readonly name: string, readonly about: string }
interface Level { /** Words after `usher`: `` for the first level. */ readonly path: string, readonly commands: readonly Word[], readonly options: readonly Word[] }

export function completionScript(shell: Shell, program: Command): string {
  const levels = levelsOf(program, [])
  switch (shell) {
    case 'bash': return bash(levels)
    case 'zsh': return zsh(levels)
    case 'fish': return fish(levels)
    default: return shell satisfies never
  }
}

function levelsOf(command: Command, path: readonly string[]): Level[] {
  const commands = command.commands.filter(one => one.name() !== 'help')
  const here: Level = { path: path.join(' '), commands: commands.map(one => ({ name: one.name(), about: firstLine(one.description()) })), options: [...command.options.flatMap(optionWords), { name: '--help', about: 'help' }] }
  return [here, ...commands.flatMap(one => levelsOf(one, [...path, one.name()]))]
}

function optionWords(option: Option): Word[] {
  return option.long ? [{ name: option.long, about: firstLine(option.description) }] : []
}

/** A description is ours, but it goes into other languages' quotes: no quote, no backslash, no dollar. */
function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/['"`\\$[\]:]/g, '').slice(0, 80)
}

const words = (level: Level): string => [...level.commands, ...level.options].map(word => word.name).join(' ')

function bash(levels: readonly Level[]): string {
  return `# usher completion bash >> ~/.bashrc
_usher() {
  local path="" word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in -*) break ;; esac
    case "\${path:+$path }$word" in
${levels.filter(level => level.path !== '').map(level => `      '${level.path}') path='${level.path}' ;;`).join('\n')}
      *) break ;;
    esac
  done
  case "$path" in
${levels.map(level => `    '${level.path}') COMPREPLY=($(compgen -W '${words(level)}' -- "\${COMP_WORDS[COMP_CWORD]}")) ;;`).join('\n')}
  esac
}
complete -o default -F _usher usher
`
}

function zsh(levels: readonly Level[]): string {
  const list = (items: readonly Word[]) => items.map(item => `'${item.name}:${item.about}'`).join(' ')
  return `#compdef usher
# usher completion zsh > "\${fpath[1]}/_usher"
_usher() {
  local path="" word i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    [[ "$word" == -* ]] && break
    case "\${path:+$path }$word" in
${levels.filter(level => level.path !== '').map(level => `      '${level.path}') path='${level.path}' ;;`).join('\n')}
      *) break ;;
    esac
  done
  case "$path" in
${levels.map(level => `    '${level.path}') found=(${list([...level.commands, ...level.options])}) ;;`).join('\n')}
  esac
  _describe 'usher' found || _files
}
(( $+functions[compdef] )) && compdef _usher usher
`
}

/** `__usher_at PATH`: do the words so far lead to exactly this command? `usher contract verify` is not `usher verify`. Where a command is due (`-f`), no file is. */
function fish(levels: readonly Level[]): string {
  const paths = levels.filter(level => level.path !== '').map(level => `'${level.path}'`)
  const lines = levels.flatMap(({ path, commands, options }) => [
    ...commands.map(item => `complete -c usher -n "__usher_at '${path}'" -f -a '${item.name}' -d '${item.about}'`),
    ...options.map(item => `complete -c usher -n "__usher_at '${path}'" -l '${item.name.replace(/^--/, '')}' -d '${item.about}'`),
  ])
  return `# usher completion fish > ~/.config/fish/completions/usher.fish
function __usher_at
    set -l path
    for word in (commandline -opc)[2..-1]
        string match -q -- '-*' $word; and break
        contains -- (string join ' ' -- $path $word) ${paths.join(' ')}; or break
        set -a path $word
    end
    test "$path" = "$argv[1]"
end
${lines.join('\n')}
`
}
