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
    return sum(
      await Promise.all(
        projects.map((project) => succeeds(`types of ${project}`, [...packageProgram('typescript', 'tsc'), '-p', project])),
      ),
    )
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

/** Programs beyond npm that some tests are made with: name, package of Debian, where it puts them. */
const PROGRAMS = [
  { name: 'Mosquitto', package: 'mosquitto', path: '/usr/sbin/mosquitto' },
  { name: 'ffmpeg', package: 'ffmpeg', path: '/usr/bin/ffmpeg' },
  { name: 'LibreOffice', package: 'libreoffice-calc-nogui', path: '/usr/bin/soffice' },
]

/** They are tried where they are, or can be put; the tests say which. */
const programs: Stage = {
  name: 'external programs',
  run: async () => {
    for (const program of PROGRAMS) {
      const there = existsSync(program.path) || installPackage(program.package)
      process.stdout.write(`${program.name} is ${there ? 'installed.' : 'not installed and cannot be: its tests are left out.'}\n`)
    }
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
      return [console, programs, vitest('system', words)]
    case 'postgres':
      return [programs, postgres(words)]
    default:
      return undefined
  }
}
