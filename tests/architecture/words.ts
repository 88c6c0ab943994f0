/** Checks that an area has the same name everywhere: in the contract, the server, the console, its texts and the browser tests. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../run/program.ts'

/** Folders of the contract that belong to no area: the device protocol, and words that all areas use. */
const SHARED_CONTRACT = ['device', 'enums', 'i18n']
/** Screens that show something of several areas. */
const SHARED_FEATURES = ['home', 'screens']
/** Texts outside features: those of the shell, of its notifications, and of the page that visitors open on their phones. */
const SHARED_TEXTS = ['account', 'alarms', 'common', 'keys', 'shell', 'visit']
/** Subjects of browser tests that concern several areas, or none. */
const SHARED_TESTS = [
  'browser',
  'bubbles',
  'cleared-fields',
  'daily-tasks',
  'encryption',
  'login',
  'main-job',
  'masking',
  'menu',
  'move-effects',
  'park-switch',
  'screens-dark',
  'screens-light',
  'screens-permission',
  'session',
  'shell',
  'terminal-camera',
  'terminal-capture',
  'terminal-console',
  'terminal-screen',
  'terminal-upgrade-key',
  'terminal-visitor-machine',
]

/** Files that define the cases and collect them. */
const CASES_OF_ALL = ['all', 'case']

/** The names that are checked, below one root. */
export interface NamedTree {
  areas: readonly string[]
  contract: readonly string[]
  features: readonly string[]
  /** By language. */
  texts: Readonly<Record<string, readonly string[]>>
  /** Folders with one file per area: titles of its screens, words for its calls, cases of the walks. */
  pieces: Readonly<Record<string, readonly string[]>>
  tests: readonly string[]
}

const foldersIn = (path: string): string[] =>
  readdirSync(join(ROOT, path), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
const filesIn = (path: string, ending: string): string[] =>
  readdirSync(join(ROOT, path)).flatMap((name) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : []))

/** Read the names from the sources. */
export function namedTree(): NamedTree {
  const texts = 'apps/console/src/i18n'
  return {
    areas: foldersIn('apps/server/src/contexts'),
    contract: foldersIn('packages/contract/src'),
    features: foldersIn('apps/console/src/features'),
    texts: Object.fromEntries(foldersIn(texts).map((language) => [language, filesIn(join(texts, language), '.json')])),
    pieces: {
      ...Object.fromEntries(foldersIn(texts).map((language) => [`titles ${language}`, filesIn(join(texts, language, 'titles'), '.json')])),
      ...Object.fromEntries(
        foldersIn(texts).map((language) => [
          `operations ${language}`,
          filesIn(join('packages/contract/src/i18n', language, 'operations'), '.json'),
        ]),
      ),
      cases: filesIn('tests/support/cases', '.ts').filter((name) => !CASES_OF_ALL.includes(name)),
    },
    tests: filesIn('tests/e2e', '.e2e.ts'),
  }
}

/** Return names that belong to no area, each with its place. */
export function strangeWords({ areas, contract, features, texts, pieces, tests }: NamedTree): string[] {
  const among = (place: string, names: readonly string[], known: readonly string[]): string[] =>
    names.filter((name) => !known.includes(name)).map((name) => `${place}: ${name}`)
  const isOfArea = (name: string): boolean =>
    [...areas, ...SHARED_FEATURES, ...SHARED_CONTRACT].some((area) => name === area || name.startsWith(`${area}-`))
  return [
    ...among('contract', contract, [...areas, ...SHARED_CONTRACT]),
    ...among('console', features, [...areas, ...SHARED_FEATURES]),
    ...Object.entries(texts).flatMap(([language, names]) => among(`texts ${language}`, names, [...features, ...SHARED_TEXTS])),
    ...Object.entries(pieces).flatMap(([place, names]) => names.filter((name) => !isOfArea(name)).map((name) => `${place}: ${name}`)),
    ...among('browser tests', tests, [...tests.filter(isOfArea), ...SHARED_TESTS]),
  ]
}
