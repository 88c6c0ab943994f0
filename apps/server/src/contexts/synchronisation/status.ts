/** The four views of how far persons have reached devices. Everything is derived when asked; a page costs what stands on it. */
import type { StrategyReading } from '../strategies/index.ts'
import type { DataOf } from '@gatehouse/contract'
import type { SyncCounts, SyncDevice, SyncPair, SyncPerson, synchronisationCalls } from '@gatehouse/contract/synchronisation/calls'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import type { Database } from '../../platform/database/database.ts'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { countsOf, narrowed, pageOfArrangement, type Arrangement } from './arrangement.ts'
import { count, loadCounts, loadStates, noCounts, worstOf, type DeviceState, type ListedDevice } from './device-states.ts'
import { STATUS_ORDER } from './pair-status.ts'
import { loadPairs, type Pair } from './pairs.ts'
import { loadPersonCounts } from './person-counts.ts'
import { arrangeDevice, arrangeStrategy } from './person-lists.ts'
import type { SynchronisationTables } from './schema.ts'
import type { SynchronisationView } from './view.ts'

/** What the status asks of other contexts. */
export interface StatusSources {
  devices: { all(scope: Scope): Promise<ListedDevice[]> }
  people: {
    facts(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string; workNumber: string | null }[]>
    /** Ids of persons whose name or work number contains a text. */
    idsNamed(scope: Scope, text: string): Promise<string[]>
    /** Ids of those who do not exist for the asker. */
    unseen(scope: Scope): Promise<{ ids: ReadonlySet<string> }>
  }
  reading: Pick<StrategyReading, 'findStrategies'>
}

interface PageQuery {
  page: number
  size: number
  status?: number | undefined
  name?: string | undefined
}
interface Page<Row> {
  total: number
  content: Row[]
  page: number
  size: number
}

/** All devices, those of a strategy, those of these that there are, or exactly one. */
interface Devices {
  strategyId?: string | undefined
  deviceIds?: readonly string[] | undefined
  deviceId?: string | undefined
}

export interface StatusService {
  /** Of a strategy, of a device, or of both. @throws InvalidRequest where neither is named; NotFound; Refusal 300101 */
  persons(scope: Scope, query: PageQuery & Pick<Devices, 'strategyId' | 'deviceId'>): Promise<Page<SyncPerson>>
  /** @throws NotFound; Refusal 300101 */
  devicesOfPerson(scope: Scope, query: PageQuery & { personId: string; strategyId?: string | undefined }): Promise<Page<SyncPair>>
  /** @throws Refusal 300101 */
  devices(scope: Scope, query: PageQuery & Pick<Devices, 'strategyId'>): Promise<Page<SyncDevice>>
  /** @param query `from`: persons of this linked park only. @throws NotFound; Refusal 300101 */
  personsOfDevice(
    scope: Scope,
    query: PageQuery & { deviceId: string; strategyId?: string | undefined; from?: string },
  ): Promise<Page<SyncPair>>
  /** @throws NotFound; Refusal 300101 */
  counts(scope: Scope, query: Devices): Promise<DataOf<typeof synchronisationCalls.counts>>
  /** States of devices. @throws as the views */
  states(scope: Scope, of: Devices): Promise<DeviceState[]>
  /** One person at these devices. @throws NotFound */
  pairsOfPerson(scope: Scope, states: readonly DeviceState[], personId: string): Promise<Pair[]>
}

export function createStatusService(
  platform: Platform,
  view: SynchronisationView,
  { devices, people, reading }: StatusSources,
): StatusService {
  const db = platform.db as unknown as Database<SynchronisationTables>
  const rowsOf = db as unknown as Database<SynchronisationTables>

  async function states(scope: Scope, { strategyId, deviceId, deviceIds }: Devices): Promise<DeviceState[]> {
    let listed = await devices.all(scope)
    if (deviceIds !== undefined) listed = listed.filter(({ id }) => deviceIds.includes(id))
    if (strategyId !== undefined) {
      const [strategy] = isUuid(strategyId) ? await reading.findStrategies(scope, [strategyId]) : []
      if (strategy === undefined) refuse(300101)
      const reached = new Set(view.devicesOf(scope, strategyId))
      listed = listed.filter(({ id }) => reached.has(id))
    }
    if (deviceId !== undefined) {
      listed = listed.filter(({ id }) => id === deviceId)
      if (listed.length === 0) throw new NotFound()
    }
    return loadStates(scope, rowsOf, view, listed, platform.clock.now())
  }

  const named = async (scope: Scope, name: string | undefined): Promise<Set<string> | null> =>
    name === undefined || name === '' ? null : new Set(await people.idsNamed(scope, name))

  async function factsOf(scope: Scope, personIds: readonly string[]) {
    const facts = new Map((await people.facts(scope, personIds)).map((person) => [person.id, person]))
    // Who was deleted may still have to leave a device, and has no name any more.
    return (id: string) => ({ name: facts.get(id)?.name ?? '', workNumber: facts.get(id)?.workNumber ?? '' })
  }

  const rowOf = (
    { state, personId, reason, since, ...status }: Pair,
    person: { name: string; workNumber: string },
    id: string,
  ): SyncPair => ({
    id,
    personId,
    personName: person.name,
    workNumber: person.workNumber,
    deviceId: state.device.id,
    deviceName: state.device.name,
    onlineStatus: state.device.onlineStatus,
    ...status,
    message: reason,
    updatedAt: since,
  })

  async function pairsOfPerson(scope: Scope, of: readonly DeviceState[], personId: string): Promise<Pair[]> {
    const [person] = isUuid(personId) ? await people.facts(scope, [personId]) : []
    if (person === undefined) throw new NotFound()
    return loadPairs(scope, rowsOf, view, of, [personId], platform.clock.now())
  }

  async function countPersons(scope: Scope, strategyId: string, reached: readonly DeviceState[], now: number): Promise<SyncCounts> {
    const [arrangement, { ids: unseen }] = await Promise.all([
      arrangeStrategy(scope, rowsOf, view, strategyId, reached, now),
      people.unseen(scope),
    ])
    const counts = noCounts()
    for (const [status, persons] of countsOf(narrowed(arrangement, (id) => !unseen.has(id)))) count(counts, status, persons)
    return counts
  }

  /** Persons of a strategy; null: whoever there is. */
  const personsOf = (scope: Scope, strategyId: string | undefined) => (strategyId === undefined ? null : view.personsOf(scope, strategyId))

  /** Persons of a device, those of a strategy or of a linked park only where one is named. */
  async function arranged(
    scope: Scope,
    state: DeviceState | undefined,
    { strategyId, from }: { strategyId?: string | undefined; from?: string },
    now: number,
  ): Promise<Arrangement> {
    // A device that was just added waits for its audience.
    if (state === undefined) return { everybody: [], status: personSyncStatus.success, others: new Map(), othersInside: 0 }
    const arrangement = await arrangeDevice(scope, rowsOf, view, state, now)
    if (strategyId === undefined && from === undefined) return arrangement
    const guests = from === undefined ? null : new Set(view.personsFrom(scope, from))
    return narrowed(
      arrangement,
      (id) =>
        (guests?.has(id) ?? true) &&
        (strategyId === undefined || !view.holds(scope, state.wanted.id, id) || view.covers(scope, strategyId, id)),
    )
  }

  return {
    states,
    pairsOfPerson,
    async persons(scope, query) {
      const now = platform.clock.now()
      const { strategyId, deviceId } = query
      const reached = await states(scope, { strategyId, deviceId })
      const [arrangement, only, { ids: except }] = await Promise.all([
        deviceId === undefined
          ? arrangeStrategy(scope, rowsOf, view, namedIn(query), reached, now)
          : arranged(scope, reached[0], query, now),
        named(scope, query.name),
        people.unseen(scope),
      ])
      const { ids, total } = pageOfArrangement(arrangement, { ...query, only, except })
      const [counts, personOf] = await Promise.all([loadPersonCounts(scope, rowsOf, view, reached, ids, now), factsOf(scope, ids)])
      const content = ids.map((id) => ({ id, personId: id, ...personOf(id), status: worstOf(counts.get(id)!), counts: counts.get(id)! }))
      return { total, content, page: query.page, size: query.size }
    },
    async devicesOfPerson(scope, query) {
      const pairs = await pairsOfPerson(scope, await states(scope, { strategyId: query.strategyId }), query.personId)
      const wanted = pairs
        .filter(({ status, state }) => (query.status === undefined || status === query.status) && contains(state.device.name, query.name))
        .toSorted((one, other) => STATUS_ORDER.indexOf(one.status) - STATUS_ORDER.indexOf(other.status))
      const personOf = await factsOf(scope, [query.personId])
      const content = paged(wanted, query).map((pair) => rowOf(pair, personOf(pair.personId), pair.state.device.id))
      return { total: wanted.length, content, page: query.page, size: query.size }
    },
    async devices(scope, query) {
      const reached = (await states(scope, { strategyId: query.strategyId })).filter(({ device }) => contains(device.name, query.name))
      const counted = await loadCounts(scope, rowsOf, view, reached, platform.clock.now(), personsOf(scope, query.strategyId))
      const rows = reached
        .map(({ device: { id, name, code, onlineStatus, lastSeenAt, onlineSince } }, place): SyncDevice => {
          const { counts, untaken } = counted[place]!
          return { id, deviceId: id, name, code, onlineStatus, lastSeenAt, onlineSince, status: worstOf(counts), counts, behind: untaken }
        })
        .filter(({ status }) => query.status === undefined || status === query.status)
        .toSorted((one, other) => STATUS_ORDER.indexOf(one.status) - STATUS_ORDER.indexOf(other.status))
      return { total: rows.length, content: paged(rows, query), page: query.page, size: query.size }
    },
    async personsOfDevice(scope, query) {
      const now = platform.clock.now()
      const [state] = await states(scope, { deviceId: query.deviceId, strategyId: query.strategyId })
      // A device that was just added waits for its audience.
      if (state === undefined) return { total: 0, content: [], page: query.page, size: query.size }
      const [arrangement, only, { ids: except }] = await Promise.all([
        arranged(scope, state, query, now),
        named(scope, query.name),
        people.unseen(scope),
      ])
      const { ids, total } = pageOfArrangement(arrangement, { ...query, only, except })
      const [pairs, personOf] = await Promise.all([loadPairs(scope, rowsOf, view, [state], ids, now), factsOf(scope, ids)])
      const pairOf = new Map(pairs.map((pair) => [pair.personId, pair]))
      const content = ids.flatMap((id) => {
        const pair = pairOf.get(id)
        return pair === undefined ? [] : [rowOf(pair, personOf(id), id)]
      })
      return { total, content, page: query.page, size: query.size }
    },
    async counts(scope, { strategyId, deviceId, deviceIds }) {
      const now = platform.clock.now()
      const wanted = await states(scope, { strategyId, deviceId, deviceIds })
      const counted = await loadCounts(scope, rowsOf, view, wanted, now, personsOf(scope, strategyId))
      const total = noCounts()
      for (const { counts } of counted) for (const name of Object.keys(total) as (keyof SyncCounts)[]) total[name] += counts[name]
      return {
        total,
        devices: wanted.map(({ device }, place) => ({ id: device.id, deviceId: device.id, counts: counted[place]!.counts })),
        persons: strategyId === undefined ? null : await countPersons(scope, strategyId, wanted, now),
      }
    },
  }
}

/** @throws InvalidRequest where no strategy is named */
function namedIn({ strategyId }: Pick<Devices, 'strategyId'>): string {
  if (strategyId === undefined) throw new InvalidRequest([{ path: 'strategyId', rule: 'required' }])
  return strategyId
}

const contains = (text: string, part: string | undefined): boolean => part === undefined || text.toLowerCase().includes(part.toLowerCase())

const paged = <Row>(rows: readonly Row[], { page, size }: PageQuery): Row[] => rows.slice((page - 1) * size, page * size)
