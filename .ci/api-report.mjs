/**
 * The public API as text, one report for each entry: `node .ci/api-report.mjs` writes them, `--check` ends with 1 where one is not what is committed.
 * Needs a build: it reads the declarations in `dist`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor'

const root = fileURLToPath(new URL('..', import.meta.url))
const check = process.argv.includes('--check')
const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const temporary = mkdtempSync(join(tmpdir(), 'usher-api-'))
const reports = join(root, 'test/integrations/api')
mkdirSync(reports, { recursive: true })
let changed = 0
for (const [entry, target] of Object.entries(entries)) {
  if (!target.types) continue
  const name = entry === '.' ? 'root' : entry.slice(2)
  const config = ExtractorConfig.prepare({
    configObjectFullPath: join(root, '.ci/api-report.mjs'), packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root, mainEntryPointFilePath: join(root, target.types), newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions: { target: 'es2022', lib: ['es2023', 'dom'], module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, types: ['node'] }, files: [join(root, target.types)] } },
      apiReport: { enabled: true, includeForgottenExports: false, reportFolder: reports, reportTempFolder: join(temporary, 'now'), reportFileName: `${name}.api.md` },
      docModel: { enabled: false }, dtsRollup: { enabled: false }, tsdocMetadata: { enabled: false },
      messages: { extractorMessageReporting: { default: { logLevel: 'none' } }, tsdocMessageReporting: { default: { logLevel: 'none' } }, compilerMessageReporting: { default: { logLevel: 'error', addToApiReportFile: false } } },
    },
  })
  const result = Extractor.invoke(config, { localBuild: !check, messageCallback: message => { message.handled = message.logLevel !== 'error' } })
  if (result.errorCount > 0) process.exitCode = 1
  if (result.apiReportChanged) { changed++; process.stdout.write(`${check ? 'differs' : 'written'}: ${basename(reports)}/${name}.api.md\n`) }
}
rmSync(temporary, { recursive: true, force: true })
if (check && changed > 0) {
  process.stdout.write('the public API changed: look at the difference, then run npm run api and commit the reports\n')
  process.exitCode = 1
}
