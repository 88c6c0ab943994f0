/** What the tests know about each call, and the values it is sent with. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Call, Schema } from '@gatehouse/contract'
import type { World } from '@gatehouse/dev-env/world'
import type { AreaCases, CallCase, Ground, ScreenParameters } from './case.ts'
import { idsFor, namesSomething, type Fixtures } from '../fixtures.ts'
import { allFieldsOf, type Given } from '../requests.ts'

/** Every other file of this folder; a new area adds its own. */
const areas: readonly AreaCases[] = await Promise.all(
  readdirSync(import.meta.dirname)
    .filter((file) => file !== 'all.ts' && file !== 'case.ts')
    .toSorted()
    .map((file) => import(pathToFileURL(join(import.meta.dirname, file)).href) as Promise<AreaCases>),
)
const cases = areas.flatMap(({ cases: ofArea = [] }) => ofArea)

/** What parameters of screens name, of all areas. */
export const screenParameters: ScreenParameters = Object.assign({}, ...areas.map(({ screens = {} }) => screens)) as ScreenParameters

/** Calls whose things are shown by the lists, at least one in each, of all areas. */
export const listedCalls: readonly Call[] = areas.flatMap(({ listed = [] }) => listed)

export const nameOf = (call: Pick<Call, 'method' | 'url'>): string => `${call.method} ${call.url}`
const byName = new Map(cases.map((one) => [nameOf(one.call), one]))
export const caseOf = (call: Call): CallCase | undefined => byName.get(nameOf(call))

/** Return the token of a link that opens a call, as its case makes one. */
export async function linkTokenFor(call: Call, ground: Ground): Promise<string> {
  const made = await caseOf(call)?.given?.(ground)
  return String(made?.['linkToken'])
}

/** The fields of a call's address and body, at any depth. */
export const fieldsOf = (call: Call): string[] => [
  ...new Set([call.params, call.query, call.body].flatMap((schema: Schema | undefined) => [...allFieldsOf(schema)])),
]

/** Fields that name something of a park or node; none where what they name belongs to the installation. */
export const namingFieldsOf = (call: Call): string[] =>
  caseOf(call)?.foreign === false ? [] : fieldsOf(call).filter((field) => namesSomething(field))

/** Return values for a call in a park: what its case creates there, else the ids of the fixtures of the park. */
export async function givenFor(call: Call, things: Fixtures, world: World): Promise<Given> {
  const made = (await caseOf(call)?.given?.({ world, site: things.site })) ?? {}
  return {
    ...idsFor(
      call,
      fieldsOf(call).filter((field) => !(field in made)),
      things,
    ),
    ...caseOf(call)?.needs,
    ...made,
  }
}

/** Whether a call requires an administrator at the root, or more of a role than a code. */
export const asksMore = (call: Call): boolean => call.permission === 'installation' || call.condition !== undefined
