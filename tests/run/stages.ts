/** The stages of a test run, in the order in which they explain each other's failures. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkArchitecture } from '../architecture/check.ts'
import { installPackage } from './apt.ts'
import { checked, sum, type Outcome } from './outcome.ts'
import { startPostgres } from './postgres.ts'
import { packageProgram, ROOT, runProgram } from './program.ts'
import { runVitest } from './vitest.ts'

export interface Stage {
  name: string
  run(): Promise<Outcome>
}

const succeeds = async (name: string, command: readonly string[]) => checked(name, (await runProgram(command)) === 0)

const types: Stage = {
  name: 'types',
  run: async () => {
    const projects = ['tsconfig.json', 'apps/console/tsconfig.json', 'apps/terminal/tsconfig.json']
    return sum(await Promise.all(projects.map((project) => succeeds(`types of ${project}`, [...packageProgram('typescript', 'tsc'), '-p', project]))))
  },
}
const lint: Stage = { name: 'lint', run: () => succeeds('lint', [...packageProgram('oxlint', 'oxlint'), '--deny-warnings']) }
const unused: Stage = { name: 'unused code', run: () => succeeds('unused code', [...packageProgram('knip', 'knip'), '--no-progress']) }
const architecture: Stage = { name: 'architecture', run: checkArchitecture }
const console: Stage = {
  name: 'console build',
  run: () => succeeds('console build', [process.execPath, join(ROOT, 'scripts', 'run.mjs'), 'console']),
}
const vitest = (project: string, words: readonly string[]): Stage => ({ name: project, run: () => runVitest(project, words) })

/** Mosquitto is tried where it is, or can be put; the tests say which. */
const mosquitto: Stage = {
  name: 'external broker',
  run: async () => {
    const there = existsSync('/usr/sbin/mosquitto') || installPackage('mosquitto')
    process.stdout.write(there ? 'Mosquitto is installed.\n' : 'Mosquitto is not installed and cannot be: its tests are left out.\n')
    return sum([])
  },
}

const postgres = (words: readonly string[]): Stage => ({
  name: 'integration on PostgreSQL',
  run: async () => {
    const server = await startPostgres()
    process.stdout.write(`On ${server.description}.\n`)
    try {
      return await runVitest('integration', words, { DATABASE_URL: server.connectionString })
    } finally {
      await server.stop()
    }
  },
})

/** @param words passed on to vitest */
export function stagesOf(suite: string, words: readonly string[]): Stage[] | undefined {
  const checks = [types, lint, unused, architecture]
  switch (suite) {
    case 'check':
      return checks
    case 'test':
      return [...checks, vitest('unit', words), vitest('integration', words), console, vitest('browser', words)]
    case 'system':
      return [console, mosquitto, vitest('system', words)]
    case 'postgres':
      return [mosquitto, postgres(words)]
    default:
      return undefined
  }
}
