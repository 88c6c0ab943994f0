/** `npm run -s inventory`: what is mounted, read from the tables that mount it. */
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { catalogueCodes, type Permission } from '@gatehouse/contract'
import { topics } from '@gatehouse/contract/realtime'
import { mountedCalls, composeUnstarted } from '@gatehouse/server/contexts'
import { screens } from '@gatehouse/console/screens'

const ROOT = join(import.meta.dirname, '../../..')

/** Return who may call, as the specification names it. */
function accessOf(permission: Permission): { auth: string; permission: string } {
  if (permission === 'public') return { auth: 'none', permission: 'none' }
  if (permission === 'basic') return { auth: 'basic', permission: 'none' }
  if (permission === 'device') return { auth: 'device', permission: 'none' }
  return { auth: 'bearer', permission }
}

/** The title of a test: one literal, or several joined by `+`. */
const TITLE = /\b(?:it|test)(?:\.\w+)*\(\s*((?:(['"`]).*?\2\s*\+\s*)*(['"`]).*?\3)\s*,/g

/** Return the rules that the titles of tests name: `it('… [VAL-040]')` proves VAL-040. */
function provenRules(): Record<string, string> {
  const proven: Record<string, string> = {}
  const files = globSync(['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'tests/**/*.{test,e2e,system}.ts'], { cwd: ROOT })
  for (const file of files.toSorted()) {
    const source = readFileSync(join(ROOT, file), 'utf8')
    for (const [, literals = ''] of source.matchAll(TITLE)) {
      const title = literals.slice(1, -1).replaceAll(/['"`]\s*\+\s*['"`]/g, '')
      for (const [, ids = ''] of title.matchAll(/\[([^\]]+)\]/g)) {
        for (const id of ids.split(/,\s*/))
          if (/^(?:VAL|BEH)-\d{3}$|^STATE:/.test(id)) proven[id] ??= `${relative(ROOT, join(ROOT, file))} › ${title}`
      }
    }
  }
  return proven
}

const inventory = {
  calls: mountedCalls(composeUnstarted().list).map(({ call }) => ({ method: call.method, path: call.url, ...accessOf(call.permission) })),
  screens: Object.values(screens).map(({ path, auth, permission }) => ({ path, auth, permission })),
  errors: catalogueCodes,
  topics: Object.values(topics).map((topic) => topic.destination),
  tests: provenRules(),
}
process.stdout.write(`${JSON.stringify(inventory)}\n`)
