/** The stages of each test command. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkArchitecture } from '../architecture/check.ts'
import { installPackage } from './apt.ts'
import { checked, nothing, sum, type Outcome } from './outcome.ts'
import { startPostgres } from './postgres.ts'
import { testsOfChange } from './changed.ts'
import { liveOutput, packageProgram, ROOT } from './program.ts'
import { SLOTS, type Stage } from './schedule.ts'
import { runVitest, type VitestRun } from './vitest.ts'

/** Return a stage that is one program, which passes with exit code 0. */
const program = (name: string, ...command: string[]): Stage => ({
  name,
  slots: 1,
  run: async (output) => checked(name, (await output.run(command)) === 0),
})

const TYPESCRIPT_PROJECTS = ['tsconfig.json', 'apps/console/tsconfig.json', 'apps/terminal/tsconfig.json']
/** The native compiler checks types, in a quarter of the other's time; programs use the other to read code. */
const COMPILER = packageProgram('typescript-native', 'tsc')
const types: Stage = {
  name: 'types',
  slots: 1,
  async run(output) {
    const outcomes: Outcome[] = []
    for (const project of TYPESCRIPT_PROJECTS)
      // One thread needs half the time of several in sum, and the other core is in use.
      outcomes.push(checked(`types of ${project}`, (await output.run([...COMPILER, '-p', project, '--singleThreaded'])) === 0))
    return sum(outcomes)
  },
}
const lint = program('lint', ...packageProgram('oxlint', 'oxlint'), '--deny-warnings')
const format = program('format', ...packageProgram('oxfmt', 'oxfmt'), '--check')
const unused = program('unused code', ...packageProgram('knip', 'knip'), '--no-progress')
const architecture: Stage = { name: 'architecture', slots: 1, run: checkArchitecture }
const console = program('console build', process.execPath, join(ROOT, 'scripts', 'run.mjs'), 'console')

/** Programs beyond npm that some tests need: name, package of Debian, path. */
const PROGRAMS = [
  { name: 'Mosquitto', package: 'mosquitto', path: '/usr/sbin/mosquitto' },
  { name: 'ffmpeg', package: 'ffmpeg', path: '/usr/bin/ffmpeg' },
  { name: 'CUPS', package: 'cups-daemon', path: '/usr/sbin/cupsd' },
  { name: 'The client of CUPS', package: 'cups-client', path: '/usr/sbin/lpadmin' },
  { name: 'LibreOffice', package: 'libreoffice-calc-nogui', path: '/usr/bin/soffice' },
]

/** Tests of these programs run where they are installed, or can be; the tests report what is missing. */
const programs: Stage = {
  name: 'external programs',
  slots: 1,
  async run(output) {
    for (const wanted of PROGRAMS) {
      const there = existsSync(wanted.path) || (await installPackage(wanted.package, output))
      output.say(`${wanted.name} is ${there ? 'installed.' : 'not installed and cannot be: its tests are left out.'}`)
    }
    return nothing()
  },
}

const tests = (name: string, run: VitestRun, after: readonly string[] = []): Stage => ({
  name,
  slots: run.workers,
  after,
  run: (output) => runVitest(name, run, output),
})

const unit: VitestRun = { projects: ['unit', 'isolated'], workers: 1 }
const browser: VitestRun = { projects: ['browser'], workers: 1 }
/** The tag of tests that only `npm test -- --all` runs. */
const EXTENDED = 'extended'
/** Drawn once per run: a second attempt draws the same. */
const SEED = process.env.SEED ?? randomBytes(4).toString('hex')
const system: VitestRun = { projects: ['system'], workers: 1, env: { SEED } }

/** Tests of behaviour that depends on the version of the database: these run on the built-in one as well. */
const OF_THE_DATABASE = [
  'tests/integration/upgrade.test.ts',
  'tests/integration/columns.test.ts',
  'tests/integration/events.test.ts',
  'tests/integration/late-commit.test.ts',
  'apps/server/src/platform/database/history.test.ts',
  'apps/server/src/contexts/records/partitions-job.test.ts',
  'apps/server/src/contexts/records/records.test.ts',
  'apps/server/src/contexts/records/record-names.test.ts',
  'apps/server/src/contexts/statistics/statistics.test.ts',
  'apps/server/src/contexts/people/people-filters.test.ts',
]

/** Return a stage of integration tests on a PostgreSQL of this machine that is not the built-in one. */
const onOtherPostgres = (name: string, { words = [], workers }: Pick<VitestRun, 'words' | 'workers'>): Stage => ({
  name,
  slots: workers,
  after: [programs.name],
  async run(output) {
    const server = await startPostgres(output)
    output.say(`On ${server.description}.`)
    try {
      return await runVitest(name, { projects: ['integration'], workers, words, env: { DATABASE_URL: server.connectionString } }, output)
    } finally {
      await server.stop()
    }
  },
})

/** Failures of these tests always count: what was acknowledged as stored must be stored, each time. */
const DURABILITY = /\/(kill|offline|restore|export|backup)\.system\.ts$/
const NONE = /^$/

/** The depth before a release: the system tests, the engines on every photo, and more repetitions. */
const soak = (words: readonly string[]): Stage => ({
  name: 'soak',
  slots: SLOTS,
  after: [console.name, programs.name],
  async run(output) {
    const env = { SEED, TEST_DEPTH: 'soak' }
    const photographs = ['packages/face-engine/src/photographs.test.ts', 'apps/server/src/contexts/faces/uploads.test.ts']
    return sum([
      await runVitest('system', { ...system, words, env }, output),
      ...(words.length > 0
        ? []
        : [await runVitest('photographs', { projects: ['unit', 'integration'], workers: 1, words: photographs, env }, output)]),
    ])
  },
})

const HALVES = ['1/2', '2/2']
/** Parts of stages that fill free slots, so that all are busy to the end. */
const QUARTERS = ['1/4', '2/4', '3/4', '4/4']
/** The walk over all screens is the longest file: it runs first, and alone. */
const WALK = { words: ['tests/e2e/screens-'], exclude: '--exclude=tests/e2e/screens-*' }

/** Return the tests in parts, each on one slot. */
const inParts = (parts: readonly string[], name: string, run: Omit<VitestRun, 'workers'>, after: readonly string[]): Stage[] =>
  parts.map((part) => tests(`${name} ${part}`, { ...run, words: [...(run.words ?? []), `--shard=${part}`], workers: 1 }, after))

const otherChecks = [lint, format, unused, architecture]
const checks = [types, ...otherChecks]

/**
 * Everything, each stage on one slot and the longest first, so that all slots are busy to the end. Tests that can fail by chance are run
 * once more if they do.
 */
const everything: readonly Stage[] = [
  console,
  programs,
  types,
  ...HALVES.map((half) => onOtherPostgres(`integration on PostgreSQL ${half}`, { words: [`--shard=${half}`], workers: 1 })),
  ...inParts(HALVES, 'browser', { ...browser, unforgiven: NONE }, [console.name, programs.name]),
  ...inParts(HALVES, 'system', { ...system, unforgiven: DURABILITY }, [console.name, programs.name]),
  tests('unit', unit),
  tests('integration, built-in database', { projects: ['integration'], workers: 1, words: OF_THE_DATABASE }),
  lint,
  format,
  unused,
  architecture,
]

/** Return stages for the tests of these files alone, in any project. */
function only(words: readonly string[]): Stage[] {
  const inBrowser = words.some((word) => /e2e/.test(word))
  const ofSystem = words.some((word) => /system/.test(word))
  const projects = ['unit', 'isolated', 'integration', ...(inBrowser ? ['browser'] : []), ...(ofSystem ? ['system'] : [])]
  const needsConsole = inBrowser || ofSystem
  return [
    ...(needsConsole ? [console] : []),
    tests('tests', { projects, workers: SLOTS, words: [...words, '--passWithNoTests'] }, needsConsole ? [console.name] : []),
  ]
}

/** Return the checks, and the tests that a change can break. @param since a commit; absent: uncommitted changes */
async function ofChange(since?: string): Promise<readonly Stage[]> {
  const { changed, tests: affected } = await testsOfChange(since)
  liveOutput.say(`${changed.length} files changed, which ${affected.length} test files can notice.`)
  return [...checks, ...(affected.length > 0 ? only(affected) : [])]
}

/** @param words `--all`, or passed on to vitest; for `changed` the commit to compare with */
export async function stagesOf(suite: string, words: readonly string[]): Promise<readonly Stage[] | undefined> {
  switch (suite) {
    case 'check':
      return checks
    case 'changed':
      return ofChange(words[0])
    case 'test':
      if (words.includes('--all')) return everything
      if (words.length > 0) return only(words)
      return [
        types,
        tests('integration', { projects: ['integration'], workers: 2, without: EXTENDED }),
        console,
        tests('unit', { ...unit, without: EXTENDED }),
        ...otherChecks,
        tests('browser, all screens', { ...browser, without: EXTENDED, words: WALK.words }, [console.name]),
        ...inParts(QUARTERS, 'browser', { ...browser, without: EXTENDED, words: [WALK.exclude] }, [console.name]),
      ]
    case 'system':
      return [
        console,
        programs,
        ...(words.length > 0
          ? [tests('system', { ...system, words }, [console.name, programs.name])]
          : inParts(HALVES, 'system', system, [console.name, programs.name])),
      ]
    case 'soak':
      return [console, programs, soak(words)]
    case 'flakes':
      // Needed by its rounds.
      return [console, programs]
    case 'postgres':
      return [programs, onOtherPostgres('integration on PostgreSQL', { words, workers: SLOTS })]
    default:
      return undefined
  }
}
