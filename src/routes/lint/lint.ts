/** Findings in routes that load: what would fire on talk, and what people would mix up. */
import type { RouteTable } from '../../types.ts'
import type { Finding, FindingLevel } from '../finding.ts'
import { deadAlternatives } from './alternatives.ts'
import { strangeCharacters } from './characters.ts'
import { lintContext, type LintOptions } from './context.ts'
import { articleClashes, coveredBySlot, nearDuplicates, nearerToAnother } from './pairs.ts'
import { routeShape } from './route.ts'
import { bareVerbSlot, everydaySentence, oneCommonWord, touchingSlots } from './triggers.ts'

const RULES = [everydaySentence, oneCommonWord, bareVerbSlot, touchingSlots, deadAlternatives, nearDuplicates, articleClashes, nearerToAnother, coveredBySlot, strangeCharacters, routeShape]
const RANK: { readonly [level in FindingLevel]: number } = { error: 0, warning: 1, info: 2 }

/** Worst first, then by file and line. Nothing here stops the routes from loading. */
export function lintRoutes(table: RouteTable, options: LintOptions = {}): readonly Finding[] {
  const context = lintContext(table, options)
  return RULES.flatMap(rule => rule(context))
    .sort((a, b) => RANK[a.level] - RANK[b.level] || (a.file ?? '').localeCompare(b.file ?? '') || (a.line ?? 0) - (b.line ?? 0))
}
