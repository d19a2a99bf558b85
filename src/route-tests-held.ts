/** At load: routes whose own tests do not hold are refused. What held once for the same routes, tools and encoder is not run again. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsherError } from './errors.ts'
import { testRoutes, type TesterParts } from './route-tester.ts'
import { canonicalJson, sha256 } from './util/canonical.ts'
import { packageVersion } from './util/version.ts'

/** Throws ROUTES_INVALID, naming every test that does not hold. */
export async function holdTests(parts: TesterParts, cacheDir: string | undefined): Promise<void> {
  const key = keyOf(parts)
  const file = cacheDir === undefined ? undefined : join(cacheDir, 'route-tests')
  if (file !== undefined && lastHeld(file) === key) return
  const failed = await testRoutes(parts)
  if (failed.length > 0) throw new UsherError('ROUTES_INVALID', failed.map(found => `${found.file ?? 'routes'}:${found.line ?? 1}: ${found.message}`).join('\n'))
  if (file !== undefined && cacheDir !== undefined) {
    mkdirSync(cacheDir, { recursive: true })
    writeFileSync(file, key)
  }
}

/** Everything that a test's answer depends on. */
function keyOf({ table, tools, embedder, matcher, scorer }: TesterParts): string {
  const tests = [...table.routes.values()].map(route => [route.name, route.mustFire, route.mustNotFire])
  const shapes = [...tools.values()].map(tool => [tool.name, tool.visible, tool.presetOnly, tool.effects ?? null])
  return sha256(canonicalJson([packageVersion(), table.hash, tests, shapes, embedder.id, scorer?.id ?? null, matcher.head ?? null]))
}

function lastHeld(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined
    throw error
  }
}
