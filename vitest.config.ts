import { defineConfig } from 'vitest/config'

/** Two shared cores: generous limits, because a test never proves anything about speed. */
const SECOND = 1_000
const limits = (seconds: number) => ({ testTimeout: seconds * SECOND, hookTimeout: seconds * SECOND })

const shared = {
  environment: 'node',
  // Processes rather than threads: the face engine and sharp are native, and a test may end its process.
  pool: 'forks' as const,
  // As many as the run planned for: another stage may have the other core.
  maxWorkers: Number(process.env.TEST_WORKERS ?? 2),
  // What is shown or noted a moment later is looked for until it is there; a slow machine has a long moment.
  expect: { poll: { timeout: 60 * SECOND } },
}

/**
 * Files of a worker share its modules: the server is loaded, and a key made, once for each worker. What must not be
 * shared is the file's own.
 */
const together = { ...shared, isolate: false }

/** Tests that replace modules, each in modules of its own. */
const REPLACING = [
  'apps/console/src/**/*.test.{ts,tsx}',
  'apps/console/build/**/*.test.ts',
  'packages/face-engine/src/onnx/runtime.test.ts',
]

const SCRATCH_SERVER = 'tests/support/scratch-server.setup.ts'
const RUN_MEMO = 'tests/support/run-memo.setup.ts'

export default defineConfig({
  test: {
    tags: [
      {
        name: 'extended',
        description: 'Left out of `npm test`, run by `npm test -- --all`: what takes long and is no feature’s main way.',
      },
    ],
    projects: [
      {
        test: {
          ...together,
          ...limits(120),
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'apps/terminal/src/**/*.test.ts', 'tests/run/**/*.test.ts'],
          exclude: REPLACING,
          globalSetup: [RUN_MEMO],
        },
      },
      {
        test: {
          ...shared,
          ...limits(120),
          name: 'isolated',
          include: REPLACING,
        },
      },
      {
        test: {
          ...together,
          ...limits(120),
          name: 'integration',
          include: ['apps/server/src/**/*.test.ts', 'tests/integration/**/*.test.ts'],
          globalSetup: [SCRATCH_SERVER, RUN_MEMO],
        },
      },
      {
        test: {
          ...together,
          ...limits(300),
          name: 'browser',
          include: ['tests/e2e/**/*.e2e.ts'],
          setupFiles: ['tests/support/sent-keys.setup.ts'],
          globalSetup: [SCRATCH_SERVER, RUN_MEMO],
        },
      },
      {
        test: {
          ...shared,
          ...limits(900),
          maxWorkers: 1,
          name: 'system',
          include: ['tests/system/**/*.system.ts'],
          globalSetup: [SCRATCH_SERVER],
        },
      },
    ],
  },
})
