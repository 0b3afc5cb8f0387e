import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup/warnings.ts'],
    // Forked processes, not worker threads: a crash in the addon must fail one file, not the whole run.
    pool: 'forks',
    execArgv: ['--expose-gc'],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
