/** Holds the import rules and the rule of scopes against the sources, and the rules themselves against a tree that breaks each of them. */
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { checked, sum, type Outcome } from '../run/outcome.ts'
import { packageProgram, printedBy, ROOT, type Output } from '../run/program.ts'
import { bareScopesIn } from './scopes.ts'
import { namedTree, strangeWords, type NamedTree } from './words.ts'

interface Cruise {
  summary: { violations: { from: string; to: string; rule: { name: string } }[]; totalCruised: number }
}

const FIXTURE = 'tests/architecture/fixtures/must-fail'

/** Every violation the fixture holds, as `rule: file`; all its other files keep the rules. */
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
    areasHaveOneName(say),
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

/** Where the fixture makes scopes of a park alone, each in a function that knows who asks. */
const BARE_SCOPES = ['apps/server/src/contexts/access/forgets-who-asks.ts:5', 'apps/server/src/contexts/access/forgets-who-asks.ts:8']

function scopesKeepTheirSight(say: Output['say']): Outcome {
  const found = bareScopesIn('.')
  for (const place of found) say(`a scope of a park alone, where it is known who asks: ${place}`)
  const noticed = bareScopesIn(FIXTURE)
  const isProven = JSON.stringify(noticed) === JSON.stringify(BARE_SCOPES)
  if (!isProven) say(`scopes of a park alone noticed in the fixture: ${noticed.join(', ')}`)
  return checked('scopes keep whom their asker may know of', found.length === 0 && isProven)
}

/** Each of these names is no area's. */
const STRANGE: NamedTree = {
  areas: ['visitors'],
  contract: ['visitors', 'guests'],
  features: ['visitors', 'visits'],
  texts: { en: ['visitors', 'callers'] },
  tests: ['visitors', 'visitors-badges', 'visiting'],
}

function areasHaveOneName(say: Output['say']): Outcome {
  const found = strangeWords(namedTree())
  for (const word of found) say(`no area is called so, ${word}`)
  const noticed = strangeWords(STRANGE)
  const isProven =
    JSON.stringify(noticed) === JSON.stringify(['contract: guests', 'console: visits', 'texts en: callers', 'browser tests: visiting'])
  if (!isProven) say(`names noticed among those that are no area's: ${noticed.join(', ')}`)
  return checked('areas have one name everywhere', found.length === 0 && isProven)
}

async function cruise(folders: readonly string[], words: readonly string[] = []): Promise<Cruise> {
  const program = packageProgram('dependency-cruiser', 'depcruise')
  return JSON.parse(
    await printedBy([...program, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...words, ...folders]),
  ) as Cruise
}
