import { ScanIndex } from '../../src/match/scan.ts'
import { triggerIndexCases } from './index-cases.ts'

triggerIndexCases('native scan', (vectors, dimension) => ScanIndex.build(vectors, dimension))
