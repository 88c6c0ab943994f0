/** All data of home, each part only where the session may see it, updated by live frames and by polling. */
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import type { OutputOf } from '@gatehouse/contract'
import { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import { recordCalls, type AccessRecord } from '@gatehouse/contract/records/calls'
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { pendingChangeCalls } from '@gatehouse/contract/approvals/written-rules'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { facePolicyCalls } from '@gatehouse/contract/faces/policy'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { accessResult } from '@gatehouse/contract/enums/access'
import { organisationCalls, type demoState } from '@gatehouse/contract/organisation/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { topics } from '@gatehouse/contract/realtime'
import type { AnswerOf } from '../../api/http.ts'
import { useLive } from '../../api/live.ts'
import { queriesOf, readAgain, readOptions } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { startOfDay, useZoneOffset } from '../../kit/time.ts'
import { useRefresh } from '../../kit/useRefresh.ts'
import { useSeesWatchList } from '../../shared/watchList.ts'
import { useLatestRecords } from '../devices/index.ts'
import { newestRefused, withOlder } from './refusals.ts'
import { tasksOf, type DeviceSummary, type PeopleSummary, type Task, type TaskFacts } from './tasks.ts'

export type Today = OutputOf<typeof statisticsCalls.today.data>
export type DemoState = OutputOf<typeof demoState>

/** Passages read; as many are shown as there is room for. */
const LATEST = 20
/** Refused passages read: hits of the watch list among them are skipped. */
const REFUSED = 5
/** Milliseconds between two readings: at rest, and while the demo campus is being filled or removed. */
const PACE = { rest: 60_000, changing: 3000 }
const isChanging = (demo: DemoState | undefined): boolean => demo?.state === 'preparing' || demo?.state === 'removing'
/** Frames cause the counts to be read again at most this often; milliseconds. */
const REFRESH_EVERY = 1000

/** Return the facts about faces. With drawn portraits only, no door counts: they let no real person in. */
const facesOf = ({ doorsByFaceAlone, drawnOnly, liveness, purposes }: AnswerOf<typeof facePolicyCalls.read>): TaskFacts['faces'] => ({
  doors: drawnOnly || purposes.every(({ templates }) => templates === 0) ? 0 : doorsByFaceAlone,
  unkept: purposes.some(({ purpose, supported }) => purpose === 'door' && !supported),
  unjudged: !liveness.available,
})

export interface Cockpit {
  /** Undefined while it is being read; a part the session may not see stays undefined. */
  today: Today | undefined
  devices: DeviceSummary | undefined
  people: PeopleSummary | undefined
  /** Pending applications, and those of the last weeks that were passed and rejected. */
  approvals: OutputOf<typeof enrolmentCalls.summary.data> | undefined
  demo: DemoState | undefined
  /** Undefined for a session that sees nothing tasks follow from. */
  tasks:
    | {
        /** Undefined until all facts have been read. */
        list: Task[] | undefined
        /** When the oldest of the facts was read, in epoch milliseconds; 0 where one could not be read. */
        checkedAt: number
      }
    | undefined
  /** Undefined for a session that does not see the watch list. */
  hits: { found: AnswerOf<typeof recordCalls.find> | undefined } | undefined
  /** Whether there is any strategy. */
  permitted: boolean | undefined
  latest: ReturnType<typeof useLatestRecords>
  /** The newest refused record of today that has a next step. */
  refused: AccessRecord | undefined
  /** When the park's day began; epoch milliseconds. */
  since: number
  /** A part that could not be read. */
  failed: UseQueryResult | undefined
  maySee: { records: boolean; devices: boolean; people: boolean }
}

export function useCockpit(): Cockpit {
  const maySee = { records: useMay('access.record'), devices: useMay('device.list'), people: useMay('person.list') }
  const mayDecide = {
    applications: useMay('person.audit'),
    changes: useMay('access.rule'),
    rules: useMay('park.access.rule'),
    faces: useMay('device.setting'),
  }
  const seesHits = useSeesWatchList()
  const { offset } = useZoneOffset()
  const since = startOfDay(Date.now(), offset)
  const demo = useQuery({
    ...readOptions(organisationCalls.demo, {}),
    refetchInterval: ({ state }) => (isChanging(state.data) ? PACE.changing : false),
  })
  const refetchInterval = isChanging(demo.data) ? PACE.changing : PACE.rest
  const today = useQuery({ ...readOptions(statisticsCalls.today, {}), refetchInterval, enabled: maySee.records })
  const devices = useQuery({ ...readOptions(deviceCalls.summary, {}), refetchInterval, enabled: maySee.devices })
  const people = useQuery({ ...readOptions(peopleCalls.summary, {}), refetchInterval, enabled: maySee.people })
  const approvals = useQuery({ ...readOptions(enrolmentCalls.summary, {}), refetchInterval, enabled: mayDecide.applications })
  const pending = useQuery({
    ...readOptions(pendingChangeCalls.list, { query: { state: 'waiting', size: 1 } }),
    refetchInterval,
    enabled: mayDecide.changes,
  })
  const unconfirmed = useQuery({
    ...readOptions(associatedRuleCalls.list, { body: { everybodyConfirmed: false, size: 1 } }),
    enabled: mayDecide.rules,
  })
  const promises = useQuery({ ...readOptions(facePolicyCalls.read, {}), refetchInterval, enabled: mayDecide.faces })
  const strategies = useQuery(readOptions(strategyCalls.all, { query: {} }))
  const latest = useLatestRecords({ size: LATEST })
  const hits = useHitsToday(since)
  // New refusals arrive with the latest records; this query finds older ones on a day with many admissions since.
  const refused = useQuery({
    ...readOptions(recordCalls.find, { body: { result: accessResult.rejected, startTime: since, size: REFUSED } }),
    refetchInterval,
    enabled: maySee.records,
  })

  const refresh = useRefresh(REFRESH_EVERY)
  useLive(topics.accessRecord, () => refresh(queriesOf(statisticsCalls.today)), [queriesOf(statisticsCalls.today)])
  useLive(topics.deviceStatus, () => refresh(queriesOf(deviceCalls.summary)), [queriesOf(deviceCalls.summary)])

  const queries: UseQueryResult[] = [
    ...(maySee.devices ? [devices] : []),
    ...(maySee.people ? [people] : []),
    ...(mayDecide.applications ? [approvals] : []),
    ...(mayDecide.changes ? [pending] : []),
    ...(mayDecide.rules ? [unconfirmed] : []),
    ...(mayDecide.faces ? [promises] : []),
  ]
  const facts = {
    devices: devices.data,
    people: people.data,
    approvals: approvals.data,
    pendingChanges: pending.data?.total,
    unconfirmedRules: unconfirmed.data?.total,
    faces: promises.data && facesOf(promises.data),
  }
  return {
    today: today.data,
    devices: devices.data,
    people: people.data,
    approvals: approvals.data,
    demo: demo.data,
    tasks:
      queries.length === 0
        ? undefined
        : {
            list: queries.some(({ isPending }) => isPending) ? undefined : tasksOf(facts),
            checkedAt: Math.min(...queries.map(({ dataUpdatedAt }) => dataUpdatedAt)),
          },
    hits: seesHits ? { found: hits.data } : undefined,
    permitted: strategies.data && strategies.data.length > 0,
    latest,
    refused: newestRefused(withOlder([...(hits.data?.content ?? []), ...(latest.data ?? [])], refused.data?.content ?? []), since),
    since,
    failed: [today, latest, hits, ...queries].find(({ isError }) => isError),
    maySee,
  }
}

/** Alarms shown. */
const SHOWN = 4

/**
 * Read the hits of the watch list since the park's day began, where the session may see them; updated by live frames.
 * @param since when the day began, in epoch milliseconds
 */
function useHitsToday(since: number): UseQueryResult<AnswerOf<typeof recordCalls.find>> {
  const cache = useQueryClient()
  const options = readOptions(recordCalls.find, { body: { watchList: true, startTime: since, size: SHOWN } })
  const queryFilter = { queryKey: options.queryKey, exact: true }
  useLive(topics.watchListHits, () => void readAgain(cache, queryFilter), [queryFilter])
  return useQuery({ ...options, enabled: useSeesWatchList() })
}
