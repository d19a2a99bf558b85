/** Service files for `usher serve`, as text. Quoting after systemd.syntax(7), systemd.service(5), and the property list format. */
import { UsherError } from '../errors.ts'

export interface ServiceParts { readonly command: readonly string[], readonly folder: string }

/** Longer than a shutdown waits for the call in flight (30 s), so that the log can say what became of it. */
const STOP_SECONDS = 45

function checkLine(text: string): string {
  if (/[\n\r\0]/.test(text)) throw new UsherError('BAD_OPTION', `a service file has no place for a line break: ${JSON.stringify(text)}`)
  return text
}

/** In a command line `%` begins a specifier and `$` a variable, also within quotes. */
function quoteArgument(text: string): string {
  const plain = checkLine(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')
  return `"${plain}"`
}

export function systemdUnit({ command, folder }: ServiceParts): string {
  return `[Unit]
Description=Usher: opens a door only when its owner asked for exactly that door

[Service]
Type=exec
ExecStart=${command.map(quoteArgument).join(' ')}
WorkingDirectory=${checkLine(folder).replaceAll('%', '%%')}
Restart=on-failure
RestartSec=2
KillMode=mixed
TimeoutStopSec=${STOP_SECONDS}
UMask=0077

[Install]
WantedBy=default.target
`
}

const ENTITIES: ReadonlyMap<string, string> = new Map([['&', '&amp;'], ['<', '&lt;'], ['>', '&gt;']])
const xml = (text: string): string => checkLine(text).replace(/[&<>]/g, char => ENTITIES.get(char) ?? char)

export function launchdFile({ command, folder }: ServiceParts): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>usher.serve</string>
  <key>ProgramArguments</key>
  <array>
${command.map(argument => `    <string>${xml(argument)}</string>`).join('\n')}
  </array>
  <key>WorkingDirectory</key><string>${xml(folder)}</string>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ExitTimeOut</key><integer>${STOP_SECONDS}</integer>
  <key>Umask</key><integer>63</integer>
</dict>
</plist>
`
}
