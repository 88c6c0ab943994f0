/** What a data screen shows, each part only where the session may see it, kept fresh by live frames and polling. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { SCREEN_PASSAGES, type OutputOf } from '@gatehouse/contract'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { topics } from '@gatehouse/contract/realtime'
import { screenCalls, type ScreenBlock, type ScreenSettings } from '@gatehouse/contract/system/screens'
import { useLive, useLiveConnection } from '../../api/live.ts'
import { changeCached, queriesOf, readOptions } from '../../api/query.ts'
import { useMay, useSession } from '../../api/session.ts'
import { useRefresh } from '../../kit/useRefresh.ts'
import { withNewer } from '../devices/index.ts'

export type Today = OutputOf<typeof statisticsCalls.today.data>

/** Live frames cause the counts to be read again at most this often; milliseconds. */
const READ_AGAIN = 2000
/** Milliseconds between two readings of the settings. */
const SETTINGS_AGAIN = 60_000

export interface ScreenData {
  settings: ScreenSettings | undefined
  failed: unknown
  /** Whether a block is chosen and the session may see it. */
  shows: (block: ScreenBlock) => boolean
  today: Today | undefined
  devices: OutputOf<typeof deviceCalls.summary.data> | undefined
  people: OutputOf<typeof peopleCalls.summary.data> | undefined
  latest: AccessRecord[]
}

export function useScreenData(): ScreenData {
  useLiveConnection(useSession(({ park }) => park?.areaCode))
  const settings = useQuery({ ...readOptions(screenCalls.read, {}), refetchInterval: SETTINGS_AGAIN })
  const refetchInterval = (settings.data?.refreshSeconds ?? 30) * 1000
  const may: Record<ScreenBlock, boolean> = {
    figures: useMay('access.record'),
    curve: useMay('access.record'),
    latest: useMay('access.record'),
    people: useMay('person.list'),
    devices: useMay('device.list'),
  }
  const shows = (block: ScreenBlock): boolean => may[block] && (settings.data?.blocks.includes(block) ?? false)
  // Nobody brings a wall display to the front: it polls in the background too.
  const polling = { refetchInterval, refetchIntervalInBackground: true }
  const today = useQuery({ ...readOptions(statisticsCalls.today, {}), ...polling, enabled: shows('figures') || shows('curve') })
  const devices = useQuery({ ...readOptions(deviceCalls.summary, {}), ...polling, enabled: shows('devices') })
  const people = useQuery({ ...readOptions(peopleCalls.summary, {}), ...polling, enabled: shows('people') })
  const cache = useQueryClient()
  const latest = useQuery({ ...readOptions(screenCalls.passages, {}), enabled: shows('latest') })
  const refresh = useRefresh(READ_AGAIN)
  const passages = { queryKey: readOptions(screenCalls.passages, {}).queryKey, exact: true }
  useLive(
    topics.accessRecord,
    ({ rows }) => {
      refresh(queriesOf(statisticsCalls.today))
      changeCached<AccessRecord[]>(cache, passages, (cached) => withNewer(cached, rows, SCREEN_PASSAGES))
    },
    [queriesOf(statisticsCalls.today), passages],
  )
  useLive(topics.deviceStatus, () => refresh(queriesOf(deviceCalls.summary)), [queriesOf(deviceCalls.summary)])
  return {
    settings: settings.data,
    failed: settings.data ? undefined : settings.error,
    shows,
    today: today.data,
    devices: devices.data,
    people: people.data,
    latest: latest.data ?? [],
  }
}
