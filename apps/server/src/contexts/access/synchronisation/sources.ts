/** What the register is made of, read from the contexts that own it. */
import type { Period } from '@gatehouse/access-rules'
import type { TimeRuleObject } from '@gatehouse/contract/device/protocol'
import type { Database } from '../../../platform/database.ts'
import { BEFORE_ALL_IDS } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/session.ts'
import { withDescendants, type Branch } from '../../../platform/tree.ts'
import type { AccessTables } from '../schema.ts'
import { membersOf } from '../strategies.ts'
import { findRulesOf, findStrategies, nameStrategies } from '../strategies-data.ts'
import { findTimeRules, nameTimeRules } from '../time-rules-data.ts'
import type { DeviceFacts, FaceFacts, PersonFacts, StrategyFacts } from './register.ts'

/** The registers of other contexts, as far as devices are concerned. */
export interface RegisterSources {
  persons: {
    facts(scope: Scope, ids: readonly string[]): Promise<PersonFacts[]>
    /** Persons of the park in the order of their ids, from after an id on. */
    page(scope: Scope, after: string, size: number): Promise<PersonFacts[]>
    groupRows(scope: Scope): Promise<Branch[]>
  }
  /** Every person asked for has an entry. */
  faces: { heldOf(scope: Scope, personIds: readonly string[]): Promise<Map<string, FaceFacts>> }
  devices: { register(scope: Scope): Promise<DeviceFacts[]>; groupRows(scope: Scope): Promise<Branch[]> }
}

const PAGE = 5000

export type PersonWithFaces = { person: PersonFacts; faces: FaceFacts }

async function withFaces(scope: Scope, sources: RegisterSources, persons: readonly PersonFacts[]): Promise<Map<string, PersonWithFaces>> {
  const faces = await sources.faces.heldOf(scope, persons.map(({ id }) => id))
  return new Map(persons.map((person) => [person.id, { person, faces: faces.get(person.id)! }]))
}

export const readPersons = async (scope: Scope, sources: RegisterSources, ids: readonly string[]): Promise<Map<string, PersonWithFaces>> =>
  withFaces(scope, sources, await sources.persons.facts(scope, ids))

/** All persons of a park, a page at a time. */
export async function* readAllPersons(scope: Scope, sources: RegisterSources): AsyncGenerator<Map<string, PersonWithFaces>> {
  for (let after = BEFORE_ALL_IDS; ; ) {
    const persons = await sources.persons.page(scope, after, PAGE)
    if (persons.length > 0) yield withFaces(scope, sources, persons)
    if (persons.length < PAGE) return
    after = persons.at(-1)!.id
  }
}

export const readStrategyIds = async (scope: Scope, db: Database<AccessTables>): Promise<string[]> => (await nameStrategies(scope, db)).map(({ id }) => id)

/** Strategies with groups resolved to all below them; ids that are gone are left out. */
export async function readStrategies(scope: Scope, db: Database<AccessTables>, sources: RegisterSources, ids: readonly string[]): Promise<Map<string, StrategyFacts>> {
  if (ids.length === 0) return new Map()
  const [strategies, members, links, personGroups, deviceGroups] = await Promise.all([
    findStrategies(scope, db, ids),
    membersOf(scope, db, ids),
    findRulesOf(scope, db, ids),
    sources.persons.groupRows(scope),
    sources.devices.groupRows(scope),
  ])
  return new Map(
    strategies.map(({ id, methods, validFrom, validTo }) => {
      const { personIds, personGroupIds, deviceIds, deviceGroupIds } = members.get(id)!
      const facts: StrategyFacts = {
        id,
        timeRuleIds: links.filter((link) => link.strategyId === id).map((link) => link.id).toSorted(),
        methods,
        validFrom: validFrom as number | null,
        validTo: validTo as number | null,
        personIds,
        deviceIds,
        groupIds: new Set(withDescendants(personGroups, personGroupIds)),
        deviceGroupIds: new Set(withDescendants(deviceGroups, deviceGroupIds)),
      }
      return [id, facts]
    }),
  )
}

export async function readTimeRules(scope: Scope, db: Database<AccessTables>): Promise<Map<string, TimeRuleObject>> {
  const rules = await findTimeRules(scope, db, (await nameTimeRules(scope, db)).map(({ id }) => id))
  return new Map(
    rules.map(({ id, name, periods, allowedExceptionDates, forbiddenExceptionDates, effectiveDate }) => [
      id,
      { id, name, periods: periods as Period[], allowedExceptionDates, forbiddenExceptionDates, effectiveDate },
    ]),
  )
}
