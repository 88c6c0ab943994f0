/** The four views of the synchronisation status. Everything is derived on request; the cost of a page grows with its rows. */
import type { DataOf } from '@gatehouse/contract'
import type { SyncCounts, SyncDevice, SyncPair, SyncPerson, synchronisationCalls } from '@gatehouse/contract/synchronisation/calls'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { pageOfArrangement } from './arrangement.ts'
import { loadCounts, noCounts, worstOf, type DeviceState } from './device-states.ts'
import { STATUS_ORDER } from './pair-status.ts'
import { loadPairs, type Pair } from './pairs.ts'
import { loadPersonCounts } from './person-counts.ts'
import { arrangeStrategy } from './person-lists.ts'
import { createStatusSelection, type DeviceSelection } from './status-selection.ts'
import type { SynchronisationView } from './view.ts'
import type { StatusSources } from './status-types.ts'

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

export interface StatusService {
  /** Return persons of a strategy, of a device, or of both. @throws InvalidRequest if neither is named; NotFound; Refusal 300101 */
  persons(scope: Scope, query: PageQuery & Pick<DeviceSelection, 'strategyId' | 'deviceId'>): Promise<Page<SyncPerson>>
  /** @throws NotFound; Refusal 300101 */
  devicesOfPerson(scope: Scope, query: PageQuery & { personId: string; strategyId?: string | undefined }): Promise<Page<SyncPair>>
  /** @throws Refusal 300101 */
  devices(scope: Scope, query: PageQuery & Pick<DeviceSelection, 'strategyId'>): Promise<Page<SyncDevice>>
  /** @param query `from`: persons of this linked park only. @throws NotFound; Refusal 300101 */
  personsOfDevice(
    scope: Scope,
    query: PageQuery & { deviceId: string; strategyId?: string | undefined; from?: string },
  ): Promise<Page<SyncPair>>
  /** @throws NotFound; Refusal 300101 */
  counts(scope: Scope, query: DeviceSelection): Promise<DataOf<typeof synchronisationCalls.counts>>
  /** Return the states of devices. @throws as the views */
  states(scope: Scope, of: DeviceSelection): Promise<DeviceState[]>
  /** Return the statuses of one person at these devices. @throws NotFound */
  pairsOfPerson(scope: Scope, states: readonly DeviceState[], personId: string): Promise<Pair[]>
}

export function createStatusService(
  platform: Platform,
  view: SynchronisationView,
  { devices, people, reading }: StatusSources,
): StatusService {
  const db = platform.db
  const { states, arranged, countPersons } = createStatusSelection(platform, view, { devices, people, reading })

  const named = async (scope: Scope, name: string | undefined): Promise<Set<string> | null> =>
    name === undefined || name === '' ? null : new Set(await people.idsNamed(scope, name))

  async function factsOf(scope: Scope, personIds: readonly string[]) {
    const facts = new Map((await people.facts(scope, personIds)).map((person) => [person.id, person]))
    // A deleted person may still have to leave a device, and no longer has a name.
    return (id: string) => ({ name: facts.get(id)?.name ?? '', workNumber: facts.get(id)?.workNumber ?? '' })
  }

  async function pairsOfPerson(scope: Scope, of: readonly DeviceState[], personId: string): Promise<Pair[]> {
    const [person] = isUuid(personId) ? await people.facts(scope, [personId]) : []
    if (person === undefined) throw new NotFound()
    return loadPairs(scope, db, view, of, [personId], platform.clock.now())
  }

  /** Return the persons of a strategy; null: all persons. */
  const personsOf = (scope: Scope, strategyId: string | undefined) => (strategyId === undefined ? null : view.personsOf(scope, strategyId))

  return {
    states,
    pairsOfPerson,
    async persons(scope, query) {
      const now = platform.clock.now()
      const { strategyId, deviceId } = query
      const reached = await states(scope, { strategyId, deviceId })
      const [arrangement, only, { ids: except }] = await Promise.all([
        deviceId === undefined ? arrangeStrategy(scope, db, view, namedIn(query), reached, now) : arranged(scope, reached[0], query, now),
        named(scope, query.name),
        people.unseen(scope),
      ])
      const { ids, total } = pageOfArrangement(arrangement, { ...query, only, except })
      const [counts, personOf] = await Promise.all([loadPersonCounts(scope, db, view, reached, ids, now), factsOf(scope, ids)])
      const content = ids.map((id) => ({ id, personId: id, ...personOf(id), status: worstOf(counts.get(id)!), counts: counts.get(id)! }))
      return { total, content, page: query.page, size: query.size }
    },
    async devicesOfPerson(scope, query) {
      const pairs = await pairsOfPerson(scope, await states(scope, { strategyId: query.strategyId }), query.personId)
      const matching = pairs
        .filter(({ status, state }) => (query.status === undefined || status === query.status) && contains(state.device.name, query.name))
        .toSorted((one, other) => STATUS_ORDER.indexOf(one.status) - STATUS_ORDER.indexOf(other.status))
      const personOf = await factsOf(scope, [query.personId])
      const content = paged(matching, query).map((pair) => rowOf(pair, personOf(pair.personId), pair.state.device.id))
      return { total: matching.length, content, page: query.page, size: query.size }
    },
    async devices(scope, query) {
      const reached = (await states(scope, { strategyId: query.strategyId })).filter(({ device }) => contains(device.name, query.name))
      const counted = await loadCounts(scope, db, view, reached, platform.clock.now(), personsOf(scope, query.strategyId))
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
      // A device that was just added has no audience yet.
      if (state === undefined) return { total: 0, content: [], page: query.page, size: query.size }
      const [arrangement, only, { ids: except }] = await Promise.all([
        arranged(scope, state, query, now),
        named(scope, query.name),
        people.unseen(scope),
      ])
      const { ids, total } = pageOfArrangement(arrangement, { ...query, only, except })
      const [pairs, personOf] = await Promise.all([loadPairs(scope, db, view, [state], ids, now), factsOf(scope, ids)])
      const pairOf = new Map(pairs.map((pair) => [pair.personId, pair]))
      const content = ids.flatMap((id) => {
        const pair = pairOf.get(id)
        return pair === undefined ? [] : [rowOf(pair, personOf(id), id)]
      })
      return { total, content, page: query.page, size: query.size }
    },
    async counts(scope, { strategyId, deviceId, deviceIds }) {
      const now = platform.clock.now()
      const selected = await states(scope, { strategyId, deviceId, deviceIds })
      const counted = await loadCounts(scope, db, view, selected, now, personsOf(scope, strategyId))
      const total = noCounts()
      for (const { counts } of counted) for (const name of Object.keys(total) as (keyof SyncCounts)[]) total[name] += counts[name]
      return {
        total,
        devices: selected.map(({ device }, place) => ({ id: device.id, deviceId: device.id, counts: counted[place]!.counts })),
        persons: strategyId === undefined ? null : await countPersons(scope, strategyId, selected, now),
      }
    },
  }
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

/** @throws InvalidRequest if no strategy is named */
function namedIn({ strategyId }: Pick<DeviceSelection, 'strategyId'>): string {
  if (strategyId === undefined) throw new InvalidRequest([{ path: 'strategyId', rule: 'required' }])
  return strategyId
}

const contains = (text: string, part: string | undefined): boolean => part === undefined || text.toLowerCase().includes(part.toLowerCase())

const paged = <Row>(rows: readonly Row[], { page, size }: PageQuery): Row[] => rows.slice((page - 1) * size, page * size)
