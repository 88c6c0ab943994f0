/** Everything home shows, each part only for those who may see it, kept fresh by live frames and now and then by itself. */
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
import { heldOf, readAgain, readOptions } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { startOfDay, useZoneOffset } from '../../kit/time.ts'
import { useRefresh } from '../../kit/useRefresh.ts'
import { useSeesWatchList } from '../../shared/watchList.ts'
import { useLatestRecords } from '../devices/index.ts'
import { newestRefused, withOlder } from './refusals.ts'
import { tasksOf, type Task, type TaskFacts } from './tasks.ts'

export type Today = OutputOf<typeof statisticsCalls.today.data>
export type DeviceSummary = OutputOf<typeof deviceCalls.summary.data>
export type PeopleSummary = OutputOf<typeof peopleCalls.summary.data>
export type DemoState = OutputOf<typeof demoState>

/** Passages asked for; as many are shown as there is room for. */
const LATEST = 20
/** Refused passages asked for: those of the watch list among them are passed over. */
const REFUSED = 5
/** Milliseconds between two readings: at rest, and while the demo campus is being filled or removed. */
const PACE = { rest: 60_000, changing: 3000 }
const isChanging = (demo: DemoState | undefined): boolean => demo?.state === 'preparing' || demo?.state === 'removing'
/** Frames make the counts be read again at most this often; milliseconds. */
const REFRESH_EVERY = 1000

/** Nobody real is let in by drawn portraits: what they would be is not to be done about. */
const facesOf = ({ doorsByFaceAlone, drawnOnly, liveness, purposes }: AnswerOf<typeof facePolicyCalls.read>): TaskFacts['faces'] => ({
  doors: drawnOnly || purposes.every(({ templates }) => templates === 0) ? 0 : doorsByFaceAlone,
  unkept: purposes.some(({ purpose, supported }) => purpose === 'door' && !supported),
  unjudged: !liveness.available,
})

export interface Cockpit {
  /** Undefined while it is not known; a part the session may not see stays undefined. */
  today: Today | undefined
  devices: DeviceSummary | undefined
  people: PeopleSummary | undefined
  /** Persons that wait for approval, and how many of the last weeks were passed and rejected. */
  approvals: OutputOf<typeof enrolmentCalls.summary.data> | undefined
  demo: DemoState | undefined
  /** Undefined for those who see nothing that there could be something to do about. */
  tasks:
    | {
        /** Undefined until all they are read from has been answered. */
        list: Task[] | undefined
        /** When the oldest of what they are read from was read, in epoch milliseconds; 0 where a part could not be read. */
        checkedAt: number
      }
    | undefined
  /** Undefined for those who do not see the watch list. */
  hits: { found: AnswerOf<typeof recordCalls.find> | undefined } | undefined
  /** Whether any strategy gives permission to anybody. */
  permitted: boolean | undefined
  latest: ReturnType<typeof useLatestRecords>
  /** The newest refused of today of which something follows. */
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
  const strategies = useQuery(readOptions(strategyCalls.all, {}))
  const latest = useLatestRecords({ size: LATEST })
  const hits = useHitsToday(since)
  // The newest come with the latest records; these are for a day on which many were admitted since.
  const refused = useQuery({
    ...readOptions(recordCalls.find, { body: { result: accessResult.rejected, startTime: since, size: REFUSED } }),
    refetchInterval,
    enabled: maySee.records,
  })

  const refresh = useRefresh(REFRESH_EVERY)
  useLive(topics.accessRecord, () => refresh(statisticsCalls.today), [heldOf(statisticsCalls.today)])
  useLive(topics.deviceStatus, () => refresh(deviceCalls.summary), [heldOf(deviceCalls.summary)])

  const asked: UseQueryResult[] = [
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
      asked.length === 0
        ? undefined
        : {
            list: asked.some(({ isPending }) => isPending) ? undefined : tasksOf(facts),
            checkedAt: Math.min(...asked.map(({ dataUpdatedAt }) => dataUpdatedAt)),
          },
    hits: seesHits ? { found: hits.data } : undefined,
    permitted: strategies.data && strategies.data.length > 0,
    latest,
    refused: newestRefused(withOlder([...(hits.data?.content ?? []), ...(latest.data ?? [])], refused.data?.content ?? []), since),
    since,
    failed: [today, latest, hits, ...asked].find(({ isError }) => isError),
    maySee,
  }
}

/** As many are shown as alarms. */
const SHOWN = 4

/**
 * Those of the watch list found since the park's day began, for whoever sees that list; kept fresh by live frames.
 * @param since when the day began, in epoch milliseconds
 */
function useHitsToday(since: number): UseQueryResult<AnswerOf<typeof recordCalls.find>> {
  const cache = useQueryClient()
  const options = readOptions(recordCalls.find, { body: { watchList: true, startTime: since, size: SHOWN } })
  const held = { queryKey: options.queryKey, exact: true }
  useLive(topics.watchListHits, () => void readAgain(cache, held), [held])
  return useQuery({ ...options, enabled: useSeesWatchList() })
}
