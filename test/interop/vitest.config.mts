import { defineConfig } from 'vitest/config'

// Started by scripts/test-interop.mjs, which prepares what the tests need.
export default defineConfig({
  test: {
    include: ['test/interop/*.interop.ts'],
    pool: 'forks',
    execArgv: ['--expose-gc'],
    // One file at a time: each runs a cluster and processes of Java beside it.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
  },
})
