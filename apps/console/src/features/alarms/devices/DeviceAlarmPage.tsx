/** /deviceAlarm: events at doors, and in a tab of its own when resources of devices ran short. */
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { deviceEventCalls, type DeviceEvent } from '@gatehouse/contract/alarms/device-events'
import { alarmHandlingStatusAlt, alarmType, deviceAlarmHandling } from '@gatehouse/contract/enums/alarms'
import { topics } from '@gatehouse/contract/realtime'
import { useMayCall } from '../../../api/session.ts'
import { useEnumLabel, useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { path } from '../../../paths.ts'
import { AlarmScreen } from '../list/AlarmScreen.tsx'
import type { AlarmKind } from '../list/alarmKind.ts'
import { useAlarmList } from '../list/useAlarmList.ts'
import { useCommonFilters } from '../list/useCommonFilters.ts'
import { useDisposing } from '../list/useDisposing.ts'
import { useLedAlarm } from '../list/useLedAlarm.ts'
import { DeviceEventDetail } from './DeviceEventDetail.tsx'
import { useDeviceEventColumns } from './deviceEventColumns.tsx'
import { ResourceAlarms } from './ResourceAlarms.tsx'

/** Value of `tab` in the address. */
const RESOURCES = 'resources'

export default function DeviceAlarmPage() {
  const [search] = useSearchParams()
  const maySeeResources = useMayCall(deviceEventCalls.resources)
  return maySeeResources && search.get('tab') === RESOURCES ? <ResourceAlarms /> : <DeviceEvents maySeeResources={maySeeResources} />
}

/** Events at doors are handled by a word. */
const DISPOSALS = {
  followedUp: { handling: deviceAlarmHandling.followedUp },
  ignored: { handling: deviceAlarmHandling.ignored },
} as const

function DeviceEvents({ maySeeResources }: { maySeeResources: boolean }) {
  const { t } = useTranslation('alarms')
  const label = useEnumLabel()
  const optionsOf = useEnumOptions()
  const filters = useCommonFilters()
  const list = useAlarmList(deviceEventCalls.list, topics.deviceEvents, 'deviceEvents')
  const columns = useDeviceEventColumns()
  const kind: AlarmKind<DeviceEvent> = {
    inCases: 'deviceEvent',
    statuses: alarmHandlingStatusAlt,
    titleOf: ({ type, deviceName }) => t('titleOf', { what: label(alarmType, type), where: deviceName }),
    detail: (event) => <DeviceEventDetail key={event.id} event={event} />,
    handling: useDisposing(deviceEventCalls.dispose, DISPOSALS),
  }
  return (
    <AlarmScreen
      title={t('shell:title.deviceAlarm')}
      list={list}
      kind={kind}
      columns={columns}
      filters={[
        { field: 'type', label: t('event'), options: optionsOf(alarmType) },
        ...filters.device,
        ...filters.handled(list.tab, alarmHandlingStatusAlt.falseAlarm),
      ]}
      led={useLedAlarm(deviceEventCalls.list)}
      {...(maySeeResources && { further: [{ address: `${path('deviceAlarm')}?tab=${RESOURCES}`, label: t('tab.resources') }] })}
    />
  )
}
