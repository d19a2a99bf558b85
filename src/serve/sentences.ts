/** What an owner is told of an edit, in one sentence. */
import type { RouteChange } from '../routes/diff.ts'
import type { RoutesStanding } from './route-keeper.ts'

export function routeSentence(standing: RoutesStanding, changes: readonly RouteChange[] = []): string {
  switch (standing.kind) {
    case 'loaded': return changes.length === 0 ? 'the route files are what decides' : `routes loaded: ${changes.map(change => change.sentence).join('; ')}`
    case 'bad': return `the route files do not load, so the last good routes decide: ${standing.problems.join('; ')}`
    case 'waits': return `an edit of the routes waits for a person (usher routes accept): ${standing.changes.filter(change => change.widens).map(change => change.sentence).join('; ')}`
    default: return standing satisfies never
  }
}
