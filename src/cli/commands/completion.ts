/** `usher completion`: a script for the owner's shell, made from the commands as they are. */
import { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { completionScript, SHELLS, type Shell } from '../completion-scripts.ts'
import type { Io } from '../io.ts'

type Loaders = ReadonlyMap<string, { readonly about: string, readonly load: () => Promise<(program: Command, io: Io) => void> }>

/** @param commands all of them: the list imports this file, so it hands itself in */
export function registerCompletion(program: Command, io: Io, commands: Loaders): void {
  program.command('completion <shell>')
    .addHelpText('after', `
Examples:
  $ usher completion bash >> ~/.bashrc
  $ usher completion zsh > "\${fpath[1]}/_usher"
  $ usher completion fish > ~/.config/fish/completions/usher.fish`)
    .action(async (shell: string) => {
      if (!(SHELLS as readonly string[]).includes(shell)) throw new UsherError('BAD_OPTION', `completion is there for ${SHELLS.join(', ')}, got ${JSON.stringify(shell)}`)
      const whole = new Command('usher')
      for (const { about, load } of commands.values()) {
        (await load())(whole, io)
        whole.commands.at(-1)?.description(about)
      }
      io.out(completionScript(shell as Shell, whole).trimEnd())
    })
}
