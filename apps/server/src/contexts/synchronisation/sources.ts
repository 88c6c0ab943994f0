/** What the register is built from, read from the contexts that own it. */
import type { Period } from '@gatehouse/access-rules'
import { authorisedObject } from '@gatehouse/contract/enums'
import type { TimeRuleObject } from '@gatehouse/contract/device/protocol-manifest'
import { BEFORE_ALL_IDS } from '../../platform/database/ids.ts'
import { inPark, type Scope } from '../../platform/session/session.ts'
import { withDescendants, type Branch } from '../../platform/tree.ts'
import type { Sharing } from '../relations/index.ts'
import { guestsOf, type StrategyReading } from '../strategies/index.ts'
import type { ContactFacts, DeviceFacts, FaceFacts, PersonFacts, StrategyFacts } from './register-facts.ts'

type RegisteredPerson = PersonFacts & { kind: string }

/** The registers of other contexts, as far as devices are concerned. */
export interface RegisterSources {
  persons: {
    facts(scope: Scope, ids: readonly string[]): Promise<RegisteredPerson[]>
    /** Return a page of the park's persons in the order of their ids, after an id. */
    page(scope: Scope, after: string, size: number): Promise<RegisteredPerson[]>
    contactsOf: ContactsOf
    groupRows(scope: Scope): Promise<Branch[]>
  }
  /** Every requested person has an entry. */
  faces: { storedFacesOf(scope: Scope, personIds: readonly string[]): Promise<Map<string, FaceFacts>> }
  devices: { register(scope: Scope): Promise<DeviceFacts[]>; groupRows(scope: Scope): Promise<Branch[]> }
  sharing: Pick<Sharing, 'guestsOf'>
  reading: StrategyReading
}

/** Sources of the trees of groups, and of the persons that linked parks share. */
export type GroupSources = { [Register in 'persons' | 'devices']: Pick<RegisterSources[Register], 'groupRows'> } & Pick<
  RegisterSources,
  'sharing' | 'reading'
>

const PAGE = 5000

/** Return contacts of persons, each with a photograph; a person without such contacts is left out. */
export type ContactsOf = (scope: Scope, personIds: readonly string[]) => Promise<Map<string, ContactFacts[]>>

export type PersonWithFaces = { person: PersonFacts; faces: FaceFacts; contacts: readonly ContactFacts[] }

/** Return the persons without those of the watch list: no door lets them in, whatever names them, so no device stores them. */
async function withFaces(
  scope: Scope,
  sources: RegisterSources,
  registered: readonly RegisteredPerson[],
): Promise<Map<string, PersonWithFaces>> {
  const persons = registered.filter(({ kind }) => kind !== 'special')
  const ids = persons.map(({ id }) => id)
  const [faces, contacts] = await Promise.all([sources.faces.storedFacesOf(scope, ids), sources.persons.contactsOf(scope, ids)])
  return new Map(persons.map((person) => [person.id, { person, faces: faces.get(person.id)!, contacts: contacts.get(person.id) ?? [] }]))
}

const readPersonsOf = async (scope: Scope, sources: RegisterSources, ids: readonly string[]): Promise<Map<string, PersonWithFaces>> =>
  withFaces(scope, sources, await sources.persons.facts(scope, ids))

/** @param homeOf returns the home park of a person, where the person is read */
export async function readPersons(
  scope: Scope,
  sources: RegisterSources,
  ids: readonly string[],
  homeOf: (id: string) => string,
): Promise<Map<string, PersonWithFaces>> {
  const byHome = Map.groupBy(ids, homeOf)
  const parts = await Promise.all(
    [...byHome].flatMap(([parkId, own]) => portions(own).map((portion) => readPersonsOf(inPark(scope, parkId), sources, portion))),
  )
  return parts.length === 1 ? parts[0]! : new Map(parts.flatMap((part) => [...part]))
}

const portions = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, index) => ids.slice(index * PAGE, (index + 1) * PAGE))

/** Yield all persons of a park, a page at a time. */
export async function* readAllPersons(scope: Scope, sources: RegisterSources): AsyncGenerator<Map<string, PersonWithFaces>> {
  for (let after = BEFORE_ALL_IDS; ;) {
    const persons = await sources.persons.page(scope, after, PAGE)
    if (persons.length > 0) yield withFaces(scope, sources, persons)
    if (persons.length < PAGE) return
    after = persons.at(-1)!.id
  }
}

/**
 * Return strategies, their groups resolved to all groups below them; ids of deleted strategies are left out.
 * @param meet called with each linked park whose persons a strategy is about, before these persons are read
 */
export async function readStrategies(
  scope: Scope,
  sources: GroupSources,
  ids: readonly string[],
  meet: (parkId: string) => void = () => {},
): Promise<Map<string, StrategyFacts>> {
  if (ids.length === 0) return new Map()
  const { reading } = sources
  const [strategies, about, members, links, personGroups, deviceGroups] = await Promise.all([
    reading.findStrategies(scope, ids),
    reading.findAbout(scope, ids),
    reading.membersOf(scope, ids),
    reading.findRulesOf(scope, ids),
    sources.persons.groupRows(scope),
    sources.devices.groupRows(scope),
  ])
  for (const { linkedPark } of about) meet(linkedPark)
  const guests = new Map(
    await Promise.all(about.map(async (rule) => [rule.id, await guestsOf(scope, sources, rule, members.get(rule.id)!)] as const)),
  )
  return new Map(
    strategies.map(({ id, methods, validFrom, validTo, authorizedObject: authorised }) => {
      const { deviceIds, deviceGroupIds, ...own } = members.get(id)!
      const { personIds, personGroupIds, ...home } = guests.get(id) ?? own
      const facts: StrategyFacts = {
        id,
        timeRuleIds: links
          .filter((link) => link.strategyId === id)
          .map((link) => link.id)
          .toSorted(),
        methods,
        validFrom,
        validTo,
        // Only where contacts pass: all other strategies stay as terminals store them.
        ...(authorised !== authorisedObject.person && { authorisedObject: authorised }),
        ...home,
        personIds,
        deviceIds,
        groupIds: new Set(withDescendants(personGroups, personGroupIds)),
        deviceGroupIds: new Set(withDescendants(deviceGroups, deviceGroupIds)),
      }
      return [id, facts]
    }),
  )
}

export async function readTimeRules(
  scope: Scope,
  reading: Pick<StrategyReading, 'findTimeRules' | 'nameTimeRules'>,
): Promise<Map<string, TimeRuleObject>> {
  const rules = await reading.findTimeRules(
    scope,
    (await reading.nameTimeRules(scope)).map(({ id }) => id),
  )
  return new Map(
    rules.map(({ id, name, periods, allowedExceptionDates, forbiddenExceptionDates, effectiveDate }) => [
      id,
      { id, name, periods: periods as Period[], allowedExceptionDates, forbiddenExceptionDates, effectiveDate },
    ]),
  )
}
