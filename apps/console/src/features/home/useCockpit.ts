/** Everything home shows, each part only for those who may see it, kept fresh by live frames and now and then by itself. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { OutputOf } from '@gatehouse/contract'
import { associatedRuleCalls } from '@gatehouse/contract/access/associated'
import { accessCalls } from '@gatehouse/contract/access/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { organisationCalls, type demoState } from '@gatehouse/contract/organisation/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { topics } from '@gatehouse/contract/realtime'
import { useLive } from '../../kit/live.ts'
import { heldOf, readOptions } from '../../kit/query.ts'
import { useMay } from '../../kit/session.ts'
import { useRefresh } from '../../kit/useRefresh.ts'
import { useLatestRecords } from '../devices/index.ts'

export type Today = OutputOf<typeof accessCalls.today.data>
type DeviceSummary = OutputOf<typeof deviceCalls.summary.data>
type PeopleSummary = OutputOf<typeof peopleCalls.summary.data>
export type DemoState = OutputOf<typeof demoState>

/** Passages asked for; as many are shown as there is room for. */
const LATEST = 20
/** Milliseconds between two readings: at rest, and while the demo campus is being filled or removed. */
const PACE = { rest: 60_000, changing: 3000 }
const isChanging = (demo: DemoState | undefined): boolean => demo?.state === 'preparing' || demo?.state === 'removing'
/** Frames make the counts be read again at most this often; milliseconds. */
const REFRESH_EVERY = 1000

export interface Cockpit {
  /** Undefined while it is not known; a part the session may not see stays undefined. */
  today: Today | undefined
  devices: DeviceSummary | undefined
  people: PeopleSummary | undefined
  demo: DemoState | undefined
  /** Rules of linked parks of which somebody has to say whether everybody is meant. */
  unconfirmedRules: number | undefined
  /** Whether any strategy gives permission to anybody. */
  permitted: boolean | undefined
  latest: ReturnType<typeof useLatestRecords>
  /** A part that could not be read. */
  failed: UseQueryResult | undefined
  maySee: { records: boolean; devices: boolean; people: boolean }
}

export function useCockpit(): Cockpit {
  const maySee = { records: useMay('access.record'), devices: useMay('device.list'), people: useMay('person.list') }
  const mayConfirm = useMay('park.access.rule')
  const demo = useQuery({
    ...readOptions(organisationCalls.demo, {}),
    refetchInterval: ({ state }) => (isChanging(state.data) ? PACE.changing : false),
  })
  const refetchInterval = isChanging(demo.data) ? PACE.changing : PACE.rest
  const today = useQuery({ ...readOptions(accessCalls.today, {}), refetchInterval, enabled: maySee.records })
  const devices = useQuery({ ...readOptions(deviceCalls.summary, {}), refetchInterval, enabled: maySee.devices })
  const people = useQuery({ ...readOptions(peopleCalls.summary, {}), refetchInterval, enabled: maySee.people })
  const unconfirmed = useQuery({
    ...readOptions(associatedRuleCalls.list, { body: { everybodyConfirmed: false, size: 1 } }),
    enabled: mayConfirm,
  })
  const strategies = useQuery(readOptions(accessCalls.allStrategies, {}))
  const latest = useLatestRecords({ size: LATEST })

  const refresh = useRefresh(REFRESH_EVERY)
  useLive(topics.accessRecord, () => refresh(accessCalls.today), [heldOf(accessCalls.today)])
  useLive(topics.deviceStatus, () => refresh(deviceCalls.summary), [heldOf(deviceCalls.summary)])

  return {
    today: today.data,
    devices: devices.data,
    people: people.data,
    demo: demo.data,
    unconfirmedRules: unconfirmed.data?.total,
    permitted: strategies.data && strategies.data.length > 0,
    latest,
    failed: [today, devices, people, latest].find(({ isError }) => isError),
    maySee,
  }
}
