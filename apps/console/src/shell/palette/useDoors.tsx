/** Results for devices, by name or code: their page, the records of their door, and opening it. */
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Language } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { Device } from '@gatehouse/contract/devices/device'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { deviceModel, deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { useRead } from '../../api/query.ts'
import { WEEK_START } from '../../kit/months.ts'
import { periodOf } from '../../kit/list/range.ts'
import { useRangeWords } from '../../kit/list/RangeField.tsx'
import { mayOpen, useMay, useMayCall } from '../../api/session.ts'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import { path } from '../../paths.ts'
import { screens } from '../../screens.ts'
import { groupIcons } from '../layout/icons.tsx'
import { rankOf, SHOWN, type Found } from './found.ts'
import { objectOf } from './otherNames.ts'
import { openDoor } from './paletteState.ts'
import { typedTimeIn } from './typedTime.ts'

/** Return the matching devices. @param keyword undefined: none; empty: any */
function useMeant(keyword: string | undefined): Device[] {
  const allowed = useMay('device.list')
  const isEnabled = allowed && keyword !== undefined
  const devices = useRead(deviceCalls.list, { query: { keyword: keyword ?? '', size: SHOWN } }, { enabled: isEnabled })
  return isEnabled ? (devices.data?.content ?? []) : []
}

const rankAmong = (typed: string, { name, code }: Device): number => rankOf(typed, [name, code])

export function useDeviceEntries(typed: string): Found[] {
  const navigate = useNavigate()
  return useMeant(typed === '' ? undefined : typed).map((device) => ({
    key: device.id,
    label: device.name,
    more: [device.code, device.groupName].filter(Boolean).join(' · '),
    icon: groupIcons.device,
    rank: rankAmong(typed, device),
    run: () => void navigate(path('deviceDetails', { deviceId: device.id })),
  }))
}

/** Return the actions that open a door, requested by a verb; a text with the name alone offers them after the door itself. */
export function useDoorVerbs(typed: string): Found[] {
  const { t } = useTranslation('shell')
  const label = useEnumLabel()
  const mayControl = useMayCall(doorCalls.controlDoor)
  const verbObject = objectOf('open', typed)
  const object = verbObject ?? typed
  const meant = useMeant(mayControl && typed !== '' ? object : undefined)
  return meant.map((device) => {
    const offline = device.onlineStatus === deviceOnlineStatus.offline
    const hindered = offline || device.model === deviceModel.android
    const why = offline ? label(deviceOnlineStatus, deviceOnlineStatus.offline) : t('doors:unavailable')
    return {
      key: `open ${device.id}`,
      label: t('palette.openDoor', { name: device.name }),
      more: hindered ? `${device.code} · ${why}` : device.code,
      icon: groupIcons.access,
      disabled: hindered,
      // A text with the name alone more likely means to view the door than to open it.
      rank: verbObject === undefined ? 1 : rankAmong(object, device),
      run: () => openDoor(device),
    }
  })
}

/** Words that request records, and are no part of the name of a door. */
const FILLING =
  /^(?:access )?records?(?: of| at)?\s+|\s+(?:access )?records?$|\s+(?:on|at|of)$|(?:的)?(?:通行|进出|進出)?(?:记录|紀錄|記錄)/giu

/** Return the records of a door, of a time, or both, such as `东门 昨天`. */
export function useRecordEntries(typed: string): Found[] {
  const { t, i18n } = useTranslation('shell')
  const { offset } = useZoneOffset()
  const navigate = useNavigate()
  const [today, clock] = formatInstant(Date.now(), offset).split(' ') as [string, string]
  const { spokenTime, rest } = typedTimeIn(typed, {
    day: today,
    time: clock.slice(0, 5),
    weekStart: WEEK_START[i18n.language as Language],
  })
  const door = rest.replace(FILLING, '').trim()
  const allowed = mayOpen(screens.staffCurrent)
  const doors = useMeant(allowed && door !== '' ? door : undefined)
  const period = spokenTime === undefined ? {} : periodOf(spokenTime.days, spokenTime.times, today, offset)
  const time = useRangeWords(period)
  const lead = (deviceId?: string) => (): void => {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries({ deviceId, ...period })) if (value !== undefined) search.set(name, String(value))
    void navigate(`${path('staffCurrent')}?${search.toString()}`)
  }
  if (!allowed) return []
  if (door === '')
    return spokenTime === undefined
      ? []
      : [{ key: 'records', label: t('palette.recordsAt', { time }), icon: groupIcons.record, rank: 2, run: lead() }]
  return doors.map((device) => ({
    key: `records ${device.id}`,
    label: spokenTime === undefined ? t('palette.recordsOf', { door: device.name }) : t('palette.recordsOfAt', { door: device.name, time }),
    more: device.code,
    icon: groupIcons.record,
    // A text that contains a time means records.
    rank: spokenTime === undefined ? 1 : rankAmong(door, device),
    run: lead(device.id),
  }))
}
