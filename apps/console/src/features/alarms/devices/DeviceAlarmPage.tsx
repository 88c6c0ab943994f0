/** /deviceAlarm: events at doors. */
import { useTranslation } from 'react-i18next'
import { deviceEventCalls, type DeviceEvent } from '@gatehouse/contract/alarms/device-events'
import { alarmHandlingStatusAlt, alarmType } from '@gatehouse/contract/enums/alarms'
import { topics } from '@gatehouse/contract/realtime'
import { useEnumLabel, useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { AlarmScreen } from '../list/AlarmScreen.tsx'
import type { AlarmKind } from '../list/alarmKind.ts'
import { useAlarmList } from '../list/useAlarmList.ts'
import { useCommonFilters } from '../list/useCommonFilters.ts'
import { useDisposing, WORDS } from '../list/useDisposing.ts'
import { useShownOfList } from '../list/useShownAlarm.ts'
import { DeviceEventDetail } from './DeviceEventDetail.tsx'
import { useDeviceEventColumns } from './deviceEventColumns.tsx'

export default function DeviceAlarmPage() {
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
    handling: useDisposing(deviceEventCalls.dispose, WORDS),
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
      shown={useShownOfList(deviceEventCalls.list, ({ alertTime }) => alertTime)}
    />
  )
}
