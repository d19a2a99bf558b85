/** Stand-ins for programs that reach out, ahead of PATH: each writes down how it was called and does nothing else. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What opens, sends, fetches, publishes or speaks on behalf of somebody. */
export const LAUNCHERS: readonly string[] = [
  'open', 'xdg-open', 'start', 'explorer.exe', 'sensible-browser', 'x-www-browser', 'www-browser', 'gio', 'wslview', 'osascript', 'notify-send', 'terminal-notifier', 'zenity', 'kdialog', 'say', 'spd-say',
  'firefox', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'code', 'gnome-open', 'kde-open',
  'curl', 'wget', 'nc', 'ncat', 'netcat', 'telnet', 'socat', 'http', 'ftp', 'sftp', 'scp', 'rsync', 'ssh',
  'sendmail', 'mail', 'mailx', 'msmtp', 'mutt', 'swaks', 'git', 'gh', 'glab', 'hub', 'npm', 'yarn', 'pnpm', 'pip', 'pip3', 'twine', 'cargo', 'docker', 'podman', 'kubectl', 'helm', 'terraform',
  'aws', 'gcloud', 'az', 'heroku', 'vercel', 'netlify', 'fly', 'wrangler', 'psql', 'mysql', 'mongosh', 'redis-cli', 'at', 'crontab', 'systemctl', 'launchctl', 'shutdown', 'reboot', 'sudo', 'su', 'doas', 'lp', 'lpr',
]

/** One launch: the words as they came, the name first. */
export interface Launch { readonly words: readonly string[], readonly at: number }

/** Only builtins of the shell: nothing on PATH is needed, and nothing else starts. Each launch is a file of its own, so two cannot mix. */
const script = (report: string): string => `#!/bin/sh
{ printf '%s\\0' "\${0##*/}" "$@"; } >> '${report}/'$$
exit 0
`

/** @param report a folder for what they write; a path without a single quote */
export function writeLaunchers(folder: string, report: string): void {
  mkdirSync(folder, { recursive: true })
  mkdirSync(report, { recursive: true })
  for (const name of LAUNCHERS) {
    writeFileSync(join(folder, name), script(report))
    chmodSync(join(folder, name), 0o755)
  }
}

export class LaunchReports {
  readonly #folder: string
  readonly #seen = new Map<string, number>()
  constructor(folder: string) { this.#folder = folder }

  /** The launches since the last reading, oldest first. */
  read(): readonly Launch[] {
    return readdirSync(this.#folder).flatMap(name => {
      const file = join(this.#folder, name)
      const bytes = readFileSync(file)
      const from = this.#seen.get(name) ?? 0
      if (bytes.length <= from) return []
      this.#seen.set(name, bytes.length)
      return [{ words: bytes.subarray(from).toString('utf8').replace(/\0$/, '').split('\0'), at: statSync(file).mtimeMs }]
    }).sort((a, b) => a.at - b.at)
  }
}
