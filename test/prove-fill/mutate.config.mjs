/** Which tests the mutation check runs for each mutant: set by mutate.mjs, those of the mutated files. The test that reads the files' text stays out. */
import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { include: (process.env.MUTATE_TESTS ?? 'test/fill/**/*.test.ts').split(','), exclude: ['test/fill/blind.test.ts'] } })
