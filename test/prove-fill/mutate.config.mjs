/** What the mutation check runs for each mutant: the tests of the mutated files, but for the one that reads their text. The long properties are a command of their own. */
import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { include: ['test/fill/**/*.test.ts', 'test/schema/arming.test.ts', 'test/schema/words.test.ts', 'test/schema/lint.test.ts'], exclude: ['test/fill/blind.test.ts'] } })
