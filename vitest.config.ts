import { defineConfig } from 'vitest/config'

/** Two shared cores: generous limits, because a test never proves anything about speed. */
const SECOND = 1_000
const limits = (seconds: number) => ({ testTimeout: seconds * SECOND, hookTimeout: seconds * SECOND })

const shared = {
  environment: 'node',
  // Processes rather than threads: the face engine and sharp are native, and a test may end its process.
  pool: 'forks' as const,
  maxWorkers: 2,
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          ...limits(30),
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'apps/console/src/**/*.test.{ts,tsx}', 'apps/terminal/src/**/*.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          ...limits(120),
          name: 'integration',
          include: ['apps/server/src/**/*.test.ts', 'tests/integration/**/*.test.ts'],
          globalSetup: ['tests/support/scratch-server.setup.ts'],
        },
      },
      {
        test: {
          ...shared,
          ...limits(300),
          name: 'browser',
          // A page shows what it was told a moment later: what is looked for is looked for until it is there.
          expect: { poll: { timeout: 60 * SECOND } },
          include: ['tests/e2e/**/*.e2e.ts'],
          globalSetup: ['tests/support/scratch-server.setup.ts'],
        },
      },
      {
        test: {
          ...shared,
          ...limits(900),
          maxWorkers: 1,
          name: 'system',
          include: ['tests/system/**/*.system.ts'],
          globalSetup: ['tests/support/scratch-server.setup.ts'],
        },
      },
    ],
  },
})
