/**
 * Checks the sources against the import rules and those of scopes and policies, and the rules themselves against a tree that breaks each of
 * them.
 */
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { checked, sum, type Outcome } from '../run/outcome.ts'
import { packageProgram, printedBy, ROOT, type Output } from '../run/program.ts'
import { scatteredAssertionsIn } from './assertions.ts'
import { allTooLong, tooLongIn } from './lengths.ts'
import { assertedSessionsIn, scatteredDecisionsIn } from './policies.ts'
import { dialectIn } from './names.ts'
import { bareScopesIn } from './scopes.ts'
import { foreignTablesIn } from './tables.ts'
import { namedTree, strangeWords, type NamedTree } from './words.ts'

interface Cruise {
  summary: { violations: { from: string; to: string; rule: { name: string } }[]; totalCruised: number }
}

const FIXTURE = 'tests/architecture/fixtures/must-fail'

/** Every violation in the fixture, as `rule: file`; all its other files follow the rules. */
const EXPECTED = [
  'access-rules-are-pure: packages/access-rules/src/uses-package.ts',
  'console-knows-the-contract: apps/console/src/kit/uses-server.ts',
  'context-imports: apps/server/src/contexts/access/uses-data.ts',
  'contract-is-a-leaf: packages/contract/src/uses-node.ts',
  'contract-is-a-leaf: packages/contract/src/uses-workspace.ts',
  'face-engine-knows-the-contract-at-most: packages/face-engine/src/uses-server.ts',
  'feature-knows-no-shell: apps/console/src/features/people/uses-shell.ts',
  'feature-uses-indexes-of-features: apps/console/src/features/people/uses-door.ts',
  'gateway-and-realtime-use-context-indexes: apps/server/src/gateway/uses-data.ts',
  'kit-knows-no-domain: apps/console/src/kit/uses-shared.ts',
  'kit-knows-no-feature: apps/console/src/kit/uses-feature.ts',
  'no-circular: apps/server/src/contexts/access/round.ts',
  'no-circular: apps/server/src/contexts/access/types-round.ts',
  'no-unresolvable: apps/server/src/contexts/access/uses-nothing-there.ts',
  'nobody-imports-tests: apps/server/src/uses-dev-env.ts',
  'only-faces-uses-the-engine: apps/server/src/contexts/access/uses-engine.ts',
  'platform-knows-no-context: apps/server/src/platform/uses-context.ts',
  'server-is-a-program: apps/server/src/uses-terminal.ts',
  'terminal-imports: apps/terminal/src/uses-server.ts',
  'uploads-are-parsed-apart: apps/server/src/contexts/access/uses-parser-here.ts',
]

export async function checkArchitecture({ say }: Pick<Output, 'say'>): Promise<Outcome> {
  return sum([
    await sourcesKeepTheRules(say),
    await fixtureBreaksEachRule(say),
    everyRuleHasAFixture(say),
    scopesKeepTheirSight(say),
    decisionsStandInPolicies(say),
    sessionsAreNotAsserted(say),
    areasHaveOneName(say),
    statementsNameOwnTables(say),
    namesAreStandardTerms(say),
    assertionsStandInOneFile(say),
    nothingIsTooLong(say),
  ])
}

async function sourcesKeepTheRules(say: Output['say']): Promise<Outcome> {
  const { summary } = await cruise(
    ['apps', 'packages', 'tests', 'bench'],
    ['--exclude', `${FIXTURE}|(^|/)(apps|packages)/[^/]+/dist/(?!.*node_modules/)`],
  )
  for (const { rule, from, to } of summary.violations) say(`${rule.name}: ${from} → ${to}`)
  say(`${summary.totalCruised} modules, ${summary.violations.length} forbidden imports`)
  return checked('import rules', summary.violations.length === 0)
}

async function fixtureBreaksEachRule(say: Output['say']): Promise<Outcome> {
  const { summary } = await cruise([FIXTURE])
  const found = [...new Set(summary.violations.map(({ rule, from }) => `${rule.name}: ${relative(FIXTURE, from)}`))].sort()
  const missed = EXPECTED.filter((violation) => !found.includes(violation))
  const surprising = found.filter((violation) => !EXPECTED.includes(violation))
  for (const violation of missed) say(`not noticed in the fixture: ${violation}`)
  for (const violation of surprising) say(`wrongly noticed in the fixture: ${violation}`)
  return checked('import rules on the fixture that must fail', missed.length === 0 && surprising.length === 0)
}

function everyRuleHasAFixture(say: Output['say']): Outcome {
  const rules = (createRequire(import.meta.url)(join(ROOT, '.dependency-cruiser.cjs')) as { forbidden: { name: string }[] }).forbidden
  const unproven = rules.filter(({ name }) => !EXPECTED.some((violation) => violation.startsWith(`${name}: `)))
  for (const { name } of unproven) say(`no file of the fixture breaks ${name}`)
  return checked('every import rule is proven', unproven.length === 0)
}

interface Proven {
  /** The rule that holds where nothing is found. */
  title: string
  /** The error for a place that is found. */
  complaint: string
  found: readonly string[]
  /** Places found where violations exist, and the places that must be found. */
  noticed: readonly string[]
  expected: readonly string[]
}

/** Check that nothing is found in the sources, with a search that finds every violation of the fixture. */
function proven(say: Output['say'], { title, complaint, found, noticed, expected }: Proven): Outcome {
  for (const place of found) say(`${complaint}: ${place}`)
  const isProven = JSON.stringify(noticed) === JSON.stringify(expected)
  if (!isProven) say(`${title}: noticed where something is wrong: ${noticed.join(', ')}`)
  return checked(title, found.length === 0 && isProven)
}

/** Run a search on the sources and on the fixture. */
const search = (find: (folder: string) => string[]) => ({ found: find('.'), noticed: find(FIXTURE) })

const inAccess = (...places: string[]): string[] => places.map((place) => `apps/server/src/contexts/access/${place}`)

const scopesKeepTheirSight = (say: Output['say']): Outcome =>
  proven(say, {
    title: 'scopes keep whom their asker may know of',
    complaint: 'a scope of a park alone, where it is known who asks',
    ...search(bareScopesIn),
    expected: inAccess('forgets-who-asks.ts:5', 'forgets-who-asks.ts:8'),
  })

const statementsNameOwnTables = (say: Output['say']): Outcome =>
  proven(say, {
    title: 'statements name tables of their own area',
    complaint: 'a statement about a table of another area',
    ...search(foreignTablesIn),
    // In a query, in SQL, in a list that a loop goes through.
    expected: inAccess(
      'names-tables-of-others.ts:6 person_group of people',
      'names-tables-of-others.ts:7 person of people',
      'names-tables-of-others.ts:10 person_group of people',
    ),
  })

const decisionsStandInPolicies = (say: Output['say']): Outcome =>
  proven(say, {
    title: 'what a session may do is decided in policy.ts',
    complaint: 'what a session may do is decided outside policy.ts',
    ...search(scatteredDecisionsIn),
    expected: inAccess(...[1, 9, 11, 13, 15].map((line) => `decides-by-itself.ts:${line}`)),
  })

const sessionsAreNotAsserted = (say: Output['say']): Outcome =>
  proven(say, {
    title: 'no session is invented by assertion',
    complaint: 'no session, and asserted to be one',
    ...search(assertedSessionsIn),
    expected: inAccess('decides-by-itself.ts:17'),
  })

/** None of these names belongs to an area. */
const STRANGE: NamedTree = {
  areas: ['visitors'],
  contract: ['visitors', 'guests'],
  features: ['visitors', 'visits'],
  texts: { en: ['visitors', 'callers'] },
  pieces: { cases: ['visitors', 'visitors-badges', 'guests'] },
  tests: ['visitors', 'visitors-badges', 'visiting'],
}

const areasHaveOneName = (say: Output['say']): Outcome =>
  proven(say, {
    title: 'areas have one name everywhere',
    complaint: 'no area is called so',
    found: strangeWords(namedTree()),
    noticed: strangeWords(STRANGE),
    expected: ['contract: guests', 'console: visits', 'texts en: callers', 'cases: guests', 'browser tests: visiting'],
  })

const namesAreStandardTerms = (say: Output['say']): Outcome =>
  proven(say, {
    title: 'names are standard terms',
    complaint: 'not a name by docs/style.md',
    ...search(dialectIn),
    expected: inAccess('forgets-who-asks.ts:11 told', 'names-tables-of-others.ts:6 asked', 'uses-words.ts:2 heldBack'),
  })

const assertionsStandInOneFile = (say: Output['say']): Outcome =>
  proven(say, {
    title: 'assertions stand in one file of each package',
    complaint: 'asserted by way of unknown, outside the file of its package',
    ...search(scatteredAssertionsIn),
    expected: inAccess('decides-by-itself.ts:17'),
  })

/** A file in which a line, a function and the file itself each exceed their limit by one. */
const TOO_LONG = [
  'const wide =',
  `  '${'x'.repeat(137)}'`,
  'function long() {',
  ...Array<string>(119).fill('  wide'),
  '}',
  ...Array<string>(278).fill('wide'),
]

/** A style sheet that exceeds its limit by one line. */
const TOO_LONG_SHEET = Array<string>(401).fill('.wide { width: 100% }')

const nothingIsTooLong = (say: Output['say']): Outcome =>
  proven(say, {
    title: 'lines, functions, files and style sheets are not too long',
    complaint: 'longer than docs/style.md has it',
    found: allTooLong(),
    noticed: [
      ...tooLongIn('long.ts', TOO_LONG.join('\n')),
      // Exactly at the limits of a function and a file.
      ...tooLongIn('short.ts', TOO_LONG.slice(2).toSpliced(1, 1).concat('wide', 'wide').join('\n')),
      ...tooLongIn('long.module.css', TOO_LONG_SHEET.join('\n')),
      // Exactly at the limit of a style sheet.
      ...tooLongIn('short.module.css', TOO_LONG_SHEET.slice(1).join('\n')),
    ],
    expected: ['long.ts:2 line', 'long.ts:1 file', 'long.ts:3 function', 'long.module.css:1 file'],
  })

async function cruise(folders: readonly string[], words: readonly string[] = []): Promise<Cruise> {
  const program = packageProgram('dependency-cruiser', 'depcruise')
  return JSON.parse(
    await printedBy([...program, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...words, ...folders]),
  ) as Cruise
}
