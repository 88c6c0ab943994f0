/** Associated rules: strategies of this park about persons of a linked park. They are kept as strategies, so that doors, time rules, history and terminals treat them as such. */
import type { z } from 'zod'
import { validateAudience, validateStrategy } from '@gatehouse/access-rules'
import { pageOf, type DataOf } from '@gatehouse/contract'
import type {
  AssociatedRule,
  associatedRuleCalls,
  associatedRuleChangeFields,
  associatedRuleFields,
  associatedRuleRow,
  RelatedPark,
} from '@gatehouse/contract/strategies/associated-rules'
import { authorisedObject } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { isUuid, newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { isFoundBy, personOrder } from '../../platform/session/masking.ts'
import { Conflict, InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import { inPark, type Scope } from '../../platform/session/session.ts'
import type { ParkLink } from '../relations/index.ts'
import * as data from './associated-rules-data.ts'
import { UNMADE, type Admission, type Guarding, type NamedStrategy } from './changes.ts'
import { assertRulesAgree } from './date-clashes.ts'
import type { StrategyDependencies } from './dependencies.ts'
import { refuseIssues } from './issues.ts'
import type { StrategyTables, MemberKind } from './schema.ts'
import { membersOf, taken, type StrategyService } from './strategies.ts'
import {
  deleteStrategy,
  findRulesOf,
  findStrategies,
  insertStrategy,
  replaceMembers,
  replaceRules,
  updateStrategy,
  type StrategyRow,
} from './strategies-data.ts'
import { distinct, storedStrategy } from './strategy-changes.ts'
import { guestsOf } from './guests.ts'
import { lockTimeRules } from './time-rules-data.ts'

type Fields = z.output<typeof associatedRuleFields>
type Change = z.output<typeof associatedRuleChangeFields>
type Row = z.output<typeof associatedRuleRow>
type Query = z.output<typeof associatedRuleCalls.list.body>
type SharedPersons = DataOf<typeof associatedRuleCalls.persons>

export interface AssociatedRules {
  list(scope: Scope, query: Query): Promise<{ total: number; content: Row[]; page: number; size: number }>
  relatedParks(scope: Scope): Promise<RelatedPark[]>
  /** @throws InvalidRequest for a park that is not linked */
  persons(scope: Scope, query: z.output<typeof associatedRuleCalls.persons.query>): Promise<SharedPersons>
  /** @throws Refusal 300101 */
  read(scope: Scope, id: string): Promise<AssociatedRule>
  /** @throws Refusal 300001, 300206, 900004, 900007; InvalidRequest for a park that is not linked, persons it does not share, devices that are not of this park, and time rules that contradict each other; AgainstWrittenRules */
  create(scope: Scope, fields: Fields, admission?: Admission): Promise<string>
  /** @throws as create; Refusal 300101; Conflict where it is not at `version` any more */
  change(scope: Scope, id: string, version: number | undefined, fields: Change, admission?: Admission): Promise<void>
  /** What of a rule decides if it were saved like this. @throws InvalidRequest for a park that is not linked; Refusal 300101, 300206, 900007 */
  drafted(scope: Scope, id: string | undefined, fields: Change): Promise<NamedStrategy>
  /** Everybody is meant by a rule about everybody. @throws Refusal 300101 */
  confirmEverybody(scope: Scope, id: string): Promise<void>
  /** @throws Refusal 300101 */
  delete(scope: Scope, id: string): Promise<void>
  /** The linked park a rule is about. @throws Refusal 300101 */
  linkedPark(scope: Scope, id: string): Promise<string>
  /** Rules that hold by these links. */
  idsOf(scope: Scope, relationIds: readonly string[]): Promise<string[]>
  /** Takes what was deleted in the park of the scope out of the rules of other parks. */
  forgetIn(tx: OpenTransaction, scope: Scope, kind: 'person' | 'personGroup', memberIds: readonly string[]): Promise<void>
  forget(scope: Scope, kind: 'person' | 'personGroup', memberIds: readonly string[]): Promise<void>
  /** Rules of other parks about persons of a park that is deleted go with it. */
  erasePark(tx: OpenTransaction, scope: Scope): Promise<void>
}

interface Chosen {
  personIds: string[]
  personGroupIds: string[]
  deviceIds: string[]
  deviceGroupIds: string[]
}
const FIELDS = {
  personIds: 'person',
  personGroupIds: 'personGroup',
  deviceIds: 'device',
  deviceGroupIds: 'deviceGroup',
} as const satisfies Record<keyof Chosen, MemberKind>

/** A link shares persons: their contacts stay at home. */
const OF_PERSONS = { authorizedObject: authorisedObject.person }

interface Values extends Chosen {
  strategy: { name: string; kind: string; methods: number[]; validFrom: number | null; validTo: number | null }
  everybody: boolean
  /** False where nobody has said yet that everybody is meant. */
  everybodyConfirmed?: boolean
  timeRuleIds: string[]
}

/** A rule as it would be saved, with the park whose people may pass; a rule about visitors is always about all. */
type Whole = Omit<Fields, 'validFrom' | 'validTo'> & { validFrom: number | null; validTo: number | null }

const NOTHING_YET: Omit<Whole, 'parkId'> = {
  name: '',
  kind: 'staff',
  methods: [],
  validFrom: null,
  validTo: null,
  everybody: false,
  timeRuleIds: [],
  personIds: [],
  personGroupIds: [],
  deviceIds: [],
  deviceGroupIds: [],
}
const NOBODY = { everybody: false, personIds: [], personGroupIds: [] }

/**
 * A change laid over what is stored. Whoever names somebody no longer means everybody, and whoever means everybody names nobody; with another
 * park, or another kind, whom the rule is about is said anew.
 */
function changed(change: Change, stored: Whole): Whole {
  const { parkId, kind } = leftAsItWas({ parkId: stored.parkId, kind: stored.kind }, change)
  const isAnew = parkId !== stored.parkId || kind !== stored.kind
  const namesSome = [change.personIds, change.personGroupIds].some((ids) => ids !== undefined && ids.length > 0)
  const before = isAnew || change.everybody === true ? { ...stored, ...NOBODY } : namesSome ? { ...stored, everybody: false } : stored
  return leftAsItWas(before, change)
}

const strategyIn = ({ name, kind, methods, validFrom, validTo }: Whole): Values['strategy'] => ({
  name,
  kind,
  methods: [...new Set(methods)].toSorted((one, other) => one - other),
  validFrom,
  validTo,
})

function valuesOf(fields: Whole): Values {
  refuseIssues([...validateStrategy(fields), ...validateAudience(fields)])
  const { kind, deviceIds, deviceGroupIds, timeRuleIds } = fields
  return {
    strategy: strategyIn(fields),
    everybody: kind === 'visitor' || fields.everybody,
    timeRuleIds: distinct(timeRuleIds),
    personIds: distinct(fields.personIds),
    personGroupIds: distinct(fields.personGroupIds),
    deviceIds: distinct(deviceIds),
    deviceGroupIds: distinct(deviceGroupIds),
  }
}

const byName = (one: { name: string }, other: { name: string }): number => one.name.localeCompare(other.name)
const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

type Needs = Pick<StrategyDependencies, 'people' | 'groups' | 'devices' | 'organisation' | 'sharing'>
export function createAssociatedRules(
  platform: Platform,
  { people, groups, devices, organisation, sharing }: Needs,
  strategies: Pick<StrategyService, 'reachChanged'>,
  guard: Guarding,
): AssociatedRules {
  const db = platform.db as unknown as Database<StrategyTables>
  const parkName = (parkId: string): string => organisation.parks().find(({ id }) => id === parkId)?.name ?? ''

  async function existing(scope: Scope, id: string): Promise<{ about: data.AboutRow; row: StrategyRow }> {
    const [[about], [row]] = isUuid(id) ? await Promise.all([data.findAbout(scope, db, [id]), findStrategies(scope, db, [id])]) : [[], []]
    if (about === undefined || row === undefined) refuse(300101)
    return { about, row }
  }

  async function stored(scope: Scope, { about, row }: { about: data.AboutRow; row: StrategyRow }): Promise<Whole> {
    const { authorizedObject: _whom, accessGroupIds: _groups, ...fields } = await storedStrategy(scope, db, row)
    return { ...fields, parkId: about.linkedPark, everybody: about.everybody }
  }

  async function linkWith(scope: Scope, parkId: string): Promise<ParkLink> {
    const link = (await sharing.links(scope)).find((one) => one.parkId === parkId)
    if (link === undefined) throw new InvalidRequest([{ path: 'parkId', rule: 'unknown' }])
    return link
  }

  /** All a link shares, but those to look out for: no door lets them in. */
  async function sharedBy(scope: Scope, { relationId, parkId }: ParkLink) {
    const facts = await people.facts(inPark(scope, parkId), await sharing.guestsOf(scope, relationId, null))
    return facts.filter(({ kind }) => kind !== 'special')
  }

  /** Groups the shared persons stand in, which is what this park sees of them anyway. */
  async function groupsOf(home: Scope, shared: readonly { groupId: string }[]): Promise<RelatedPark['personGroups']> {
    const counts = new Map([...Map.groupBy(shared, ({ groupId }) => groupId)].map(([id, members]) => [id, members.length]))
    return (await groups.names(home, [...counts.keys()]))
      .map(({ id, name }) => ({ id, name, personCount: counts.get(id)! }))
      .toSorted(byName)
  }

  /**
   * What a change leaves out stays, whether or not it exists for whoever makes it.
   * @throws InvalidRequest for each field that names something this park does not have, or the link does not share
   */
  async function assertNamed(scope: Scope, link: ParkLink, sent: Partial<Change>): Promise<void> {
    const values = {
      personIds: distinct(sent.personIds ?? []),
      personGroupIds: distinct(sent.personGroupIds ?? []),
      deviceIds: distinct(sent.deviceIds ?? []),
      deviceGroupIds: distinct(sent.deviceGroupIds ?? []),
    } satisfies Chosen
    const chooses = values.personIds.length + values.personGroupIds.length > 0
    const shared = chooses ? await sharedBy(scope, link) : []
    const [persons, personGroups] = [new Set(idsOf(shared)), new Set(shared.map(({ groupId }) => groupId))]
    const known = async (
      ids: readonly string[],
      find: (of: Scope, wanted: readonly string[]) => Promise<readonly unknown[]>,
    ): Promise<boolean> => ids.length === 0 || (ids.every(isUuid) && (await find(scope, ids)).length === ids.length)
    const sound: Record<keyof Chosen, boolean> = {
      personIds: values.personIds.every((id) => persons.has(id)),
      personGroupIds: values.personGroupIds.every((id) => personGroups.has(id)),
      deviceIds: await known(values.deviceIds, devices.names),
      deviceGroupIds: await known(values.deviceGroupIds, devices.groupNames),
    }
    const unknown = (Object.keys(FIELDS) as (keyof Chosen)[]).filter((field) => !sound[field])
    if (unknown.length > 0) throw new InvalidRequest(unknown.map((path) => ({ path, rule: 'unknown' })))
  }

  /** What of a rule decides: whom it lets pass now, and where. */
  async function namedBy(
    scope: Scope,
    { relationId, parkId }: ParkLink,
    { strategy: { kind, methods, validFrom, validTo }, everybody, timeRuleIds, deviceIds, deviceGroupIds, ...chosen }: Values,
  ): Promise<NamedStrategy> {
    const guests = await guestsOf(scope, { sharing }, { relationId, linkedPark: parkId, everybody, kind }, chosen)
    return { ...guests, timeRuleIds, methods, validFrom, validTo, deviceIds, deviceGroupIds, accessGroupIds: [] }
  }

  /** What the operation log tells of a rule: persons by their ids, as with strategies. */
  async function logged(scope: Scope, parkId: string, values: Values): Promise<Record<string, unknown>> {
    const [deviceNames, deviceGroups] = await Promise.all([
      devices.names(scope, values.deviceIds),
      devices.groupNames(scope, values.deviceGroupIds),
    ])
    const { strategy, everybody, personIds, personGroupIds } = values
    return {
      ...strategy,
      parkName: parkName(parkId),
      everybody,
      personIds,
      personGroups: (await groups.names(inPark(scope, parkId), personGroupIds)).map(({ name }) => name),
      devices: deviceNames.map(({ name }) => name),
      deviceGroups: deviceGroups.map(({ name }) => name),
    }
  }

  /** Writes whom a rule is about and what it names, notes it in history and tells terminals. */
  async function save(tx: Tx<StrategyTables>, scope: Scope, id: string, link: ParkLink, values: Values): Promise<void> {
    const { everybody, everybodyConfirmed = true } = values
    await data.saveAbout(scope, tx, { id, relationId: link.relationId, linkedPark: link.parkId, everybody, everybodyConfirmed })
    const members = (Object.entries(FIELDS) as [keyof Chosen, MemberKind][]).flatMap(([field, kind]) =>
      values[field].map((memberId) => ({ kind, id: memberId })),
    )
    await replaceMembers(scope, tx, id, members)
    await replaceRules(scope, tx, id, values.timeRuleIds)
    await strategies.reachChanged(tx, scope, [id])
  }

  /** Rules it names cannot be deleted while it is saved. */
  async function lockRules(scope: Scope, tx: Tx<StrategyTables>, ids: readonly string[]): Promise<void> {
    const rules = ids.every(isUuid) ? await lockTimeRules(scope, tx, ids, 'share') : []
    if (rules.length < ids.length) refuse(300001, 'timeRuleIds')
  }

  async function present(scope: Scope, abouts: readonly data.AboutRow[]) {
    const ids = idsOf(abouts)
    const [rows, members, rules, links] = await Promise.all([
      findStrategies(scope, db, ids),
      membersOf(scope, db, ids),
      findRulesOf(scope, db, ids),
      sharing.links(scope),
    ])
    const [deviceNames, deviceGroups] = await Promise.all([
      devices.names(scope, distinct([...members.values()].flatMap(({ deviceIds }) => deviceIds))),
      devices.groupNames(scope, distinct([...members.values()].flatMap(({ deviceGroupIds }) => deviceGroupIds))),
    ])
    const agreed = new Set(links.map(({ relationId }) => relationId))
    const content = abouts.map(async ({ id, relationId, linkedPark, everybody, everybodyConfirmed, kind }) => {
      const { name, methods, validFrom, validTo, version, updatedAt } = rows.find((one) => one.id === id)!
      const own = members.get(id)!
      const timeRules = rules.filter(({ strategyId }) => strategyId === id).map((rule) => ({ id: rule.id, name: rule.name }))
      const among = (named: readonly { id: string; name: string }[], memberIds: readonly string[]) =>
        named.filter((one) => memberIds.includes(one.id)).toSorted(byName)
      const passing = kind === 'visitor' ? [] : await sharing.guestsOf(scope, relationId, everybody ? null : own)
      const row: Row = {
        id,
        name,
        kind,
        parkId: linkedPark,
        parkName: parkName(linkedPark),
        linked: agreed.has(relationId),
        everybody,
        everybodyConfirmed,
        devices: among(deviceNames, own.deviceIds),
        deviceGroups: among(deviceGroups, own.deviceGroupIds),
        timeRules,
        deviceIds: own.deviceIds,
        deviceGroupIds: own.deviceGroupIds,
        timeRuleIds: idsOf(timeRules),
        methods,
        validFrom: validFrom as number | null,
        validTo: validTo as number | null,
        personCount: passing.length,
        deviceCount: new Set([
          ...own.deviceIds,
          ...(own.deviceGroupIds.length === 0 ? [] : await devices.idsInGroups(scope, own.deviceGroupIds)),
        ]).size,
        version,
        updatedAt: updatedAt as number,
      }
      return { row, own }
    })
    return Promise.all(content)
  }

  async function forgetIn(
    open: OpenTransaction,
    scope: Scope,
    kind: 'person' | 'personGroup',
    memberIds: readonly string[],
  ): Promise<void> {
    await tellParks(open, await data.removeGuests(scope, open as Tx<StrategyTables>, kind, memberIds))
  }

  async function tellParks(open: OpenTransaction, rules: readonly { id: string; parkId: string }[]): Promise<void> {
    for (const [parkId, own] of Map.groupBy(rules, (rule) => rule.parkId)) await strategies.reachChanged(open, { parkId }, idsOf(own))
  }

  return {
    async list(scope, query) {
      const { page, size } = pageOf(query)
      if (query.parkId !== undefined && !isUuid(query.parkId)) return { total: 0, content: [], page, size }
      const { content, total } = await data.listAssociatedRules(scope, db, query, { page, size })
      return { total, content: (await present(scope, content)).map(({ row }) => row), page, size }
    },
    async relatedParks(scope) {
      const links = await sharing.links(scope)
      const parks = links.map(async (link): Promise<RelatedPark> => {
        const shared = await sharedBy(scope, link)
        return {
          id: link.parkId,
          parkName: parkName(link.parkId),
          personCount: shared.length,
          personGroups: await groupsOf(inPark(scope, link.parkId), shared),
        }
      })
      return (await Promise.all(parks)).toSorted((one, other) => one.parkName.localeCompare(other.parkName))
    },
    async persons(scope, { parkId, name = '', page, size }) {
      const shared = await sharedBy(scope, await linkWith(scope, parkId))
      const found = shared
        .map((person) => ({ id: person.id, name: person.name, workNumber: person.workNumber ?? '' }))
        .filter(
          (person) => name === '' || isFoundBy(scope, person.name, name) || person.workNumber.toLowerCase().includes(name.toLowerCase()),
        )
        .toSorted(personOrder(scope))
      return { total: found.length, content: found.slice((page - 1) * size, page * size), page, size }
    },
    async read(scope, id) {
      const { about } = await existing(scope, id)
      const [{ row, own } = undefined as never] = await present(scope, [about])
      const home = inPark(scope, about.linkedPark)
      // Only what the link shares still: of others this park sees no name.
      const chosen = about.everybody
        ? []
        : await people.facts(
            home,
            own.personIds.length === 0
              ? []
              : await sharing.guestsOf(scope, about.relationId, { personIds: own.personIds, personGroupIds: [] }),
          )
      const sharedGroups =
        about.everybody || !row.linked
          ? []
          : await groupsOf(home, await sharedBy(scope, { relationId: about.relationId, parkId: about.linkedPark }))
      const personGroups = sharedGroups
        .filter((group) => own.personGroupIds.includes(group.id))
        .map((group) => ({ id: group.id, name: group.name }))
      return {
        ...row,
        persons: chosen
          .map((person) => ({ id: person.id, name: person.name, workNumber: person.workNumber ?? '' }))
          .toSorted(personOrder(scope)),
        personGroups,
        personIds: idsOf(chosen),
        personGroupIds: idsOf(personGroups),
      }
    },
    async create(scope, fields, { approved, alongside } = {}) {
      const values = valuesOf({ ...NOTHING_YET, ...fields, validFrom: fields.validFrom ?? null, validTo: fields.validTo ?? null })
      const link = await linkWith(scope, fields.parkId)
      await assertNamed(scope, link, fields)
      await assertRulesAgree(scope, db, fields.timeRuleIds)
      const after = await logged(scope, link.parkId, values)
      const id = newId()
      const make = (): Promise<void> =>
        platform
          .transaction(async (tx: Tx<StrategyTables>) => {
            await assertRulesAgree(scope, tx, fields.timeRuleIds)
            await lockRules(scope, tx, values.timeRuleIds)
            await insertStrategy(scope, tx, { id, directAt: null }, { ...values.strategy, ...OF_PERSONS }, platform.clock.now())
            platform.audit.note({ entity: 'associatedRule', id, label: values.strategy.name, after })
            await save(tx, scope, id, link, values)
            await alongside?.(tx as OpenTransaction & typeof tx)
          })
          .catch(taken)
      await guard.during(scope, async () => ({ of: 'strategy', id: UNMADE, fields: await namedBy(scope, link, values) }), make, {
        approved,
      })
      return id
    },
    async change(scope, id, version, fields, { approved, alongside } = {}) {
      const { about, row } = await existing(scope, id)
      const was = await stored(scope, { about, row })
      const whole = changed(fields, was)
      const saysWhom = fields.everybody !== undefined || !whole.everybody
      const values: Values = { ...valuesOf(whole), everybodyConfirmed: saysWhom || about.everybodyConfirmed }
      const link = await linkWith(scope, whole.parkId)
      await assertNamed(scope, link, fields)
      await assertRulesAgree(scope, db, fields.timeRuleIds, was.timeRuleIds)
      const before = await logged(scope, about.linkedPark, { ...was, strategy: strategyIn(was) })
      const after = await logged(scope, link.parkId, values)
      const make = (): Promise<void> =>
        platform
          .transaction(async (tx: Tx<StrategyTables>) => {
            await assertRulesAgree(scope, tx, fields.timeRuleIds, was.timeRuleIds)
            await lockRules(scope, tx, values.timeRuleIds)
            if (!(await updateStrategy(scope, tx, id, { ...values.strategy, ...OF_PERSONS }, version ?? row.version, platform.clock.now())))
              throw new Conflict(['version'])
            platform.audit.note({
              entity: 'associatedRule',
              id,
              label: values.strategy.name,
              before: { ...before, everybodyConfirmed: about.everybodyConfirmed },
              after: { ...after, everybodyConfirmed: values.everybodyConfirmed },
            })
            await save(tx, scope, id, link, values)
            await alongside?.(tx as OpenTransaction & typeof tx)
          })
          .catch(taken)
      await guard.during(scope, async () => ({ of: 'strategy', id, fields: await namedBy(scope, link, values) }), make, { approved })
    },
    async drafted(scope, id, fields) {
      const was = id === undefined ? { ...NOTHING_YET, parkId: '' } : await stored(scope, await existing(scope, id))
      const whole = changed(fields, was)
      return namedBy(scope, await linkWith(scope, whole.parkId), valuesOf(whole))
    },
    async confirmEverybody(scope, id) {
      const { row } = await existing(scope, id)
      await platform.transaction(async (tx: Tx<StrategyTables>) => {
        if (!(await data.confirmEverybody(scope, tx, id))) return
        platform.audit.note({
          entity: 'associatedRule',
          id,
          label: row.name,
          before: { everybodyConfirmed: false },
          after: { everybodyConfirmed: true },
        })
      })
    },
    async delete(scope, id) {
      const { row } = await existing(scope, id)
      await platform.transaction(async (tx: Tx<StrategyTables>) => {
        await deleteStrategy(scope, tx, id)
        platform.audit.note({ entity: 'associatedRule', id, label: row.name, before: { name: row.name, kind: row.kind } })
        await strategies.reachChanged(tx, scope, [id])
      })
    },
    linkedPark: async (scope, id) => (await existing(scope, id)).about.linkedPark,
    idsOf: (scope, relationIds) => data.findRulesOfLinks(scope, db, relationIds),
    forgetIn,
    forget: (scope, kind, memberIds) => platform.transaction((tx: Tx<StrategyTables>) => forgetIn(tx, scope, kind, memberIds)),
    erasePark: async (open, scope) => tellParks(open, await data.deleteRulesAbout(scope, open as Tx<StrategyTables>)),
  }
}
