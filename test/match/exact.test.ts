import { ExactIndex } from '../../src/match/exact.ts'
import { triggerIndexCases } from './index-cases.ts'

triggerIndexCases('exact', async (vectors, dimension) => new ExactIndex(vectors, dimension))
