/** /maintenanceAlarm: what devices need somebody for, as when processor, memory or disk run short. */
import { useTranslation } from 'react-i18next'
import { maintenanceAlarmCalls, type MaintenanceAlarm } from '@gatehouse/contract/alarms/maintenance-alarms'
import { alarmHandlingStatusAlt } from '@gatehouse/contract/enums/alarms'
import { RESOURCE_KINDS } from '@gatehouse/contract/maintenance/resources'
import { topics } from '@gatehouse/contract/realtime'
import { AlarmScreen } from '../list/AlarmScreen.tsx'
import type { AlarmKind } from '../list/alarmKind.ts'
import { useAlarmList } from '../list/useAlarmList.ts'
import { useCommonFilters } from '../list/useCommonFilters.ts'
import { useDisposing, WORDS } from '../list/useDisposing.ts'
import { useShownAlarm } from '../list/useShownAlarm.ts'
import { MaintenanceDetail } from './MaintenanceDetail.tsx'
import { useMaintenanceColumns } from './maintenanceColumns.tsx'

export default function MaintenanceAlarmPage() {
  const { t } = useTranslation('alarms')
  const filters = useCommonFilters()
  const list = useAlarmList(maintenanceAlarmCalls.list, topics.deviceAlerts, 'maintenanceAlarms', maintenanceAlarmCalls.read)
  const columns = useMaintenanceColumns()
  const kind: AlarmKind<MaintenanceAlarm> = {
    inCases: 'maintenance',
    statuses: alarmHandlingStatusAlt,
    titleOf: ({ alertType, deviceName }) => t('titleOf', { what: t(`resource.short.${alertType}`), where: deviceName }),
    detail: (alarm) => <MaintenanceDetail key={alarm.id} alarm={alarm} />,
    handling: useDisposing(maintenanceAlarmCalls.dispose, WORDS),
  }
  return (
    <AlarmScreen
      title={t('shell:title.maintenanceAlarm')}
      list={list}
      kind={kind}
      columns={columns}
      filters={[
        {
          field: 'alertType',
          label: t('resource.what'),
          options: RESOURCE_KINDS.map((value) => ({ value, label: t(`resource.short.${value}`) })),
        },
        {
          field: 'lasting',
          label: t('resource.state'),
          options: (['true', 'false'] as const).map((value) => ({ value, label: t(`resource.lasting.${value}`) })),
        },
        ...filters.device,
        ...filters.handled(list.tab, alarmHandlingStatusAlt.falseAlarm),
      ]}
      // What nobody has seen to is not hidden by its age.
      unset="any"
      shown={useShownAlarm<MaintenanceAlarm>(maintenanceAlarmCalls.read)}
    />
  )
}
