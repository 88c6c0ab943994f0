/** /monitorAlarm: alarms of faces, of persons that monitoring tasks look out for and of strangers. */
import { useTranslation } from 'react-i18next'
import { faceAlarmCalls, type FaceAlarm } from '@gatehouse/contract/alarms/face-alarms'
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { FACE_ALARM_STATES } from '@gatehouse/contract/alarms/handling'
import { alarmHandlingStatus, alarmMatchType } from '@gatehouse/contract/enums/alarms'
import { topics } from '@gatehouse/contract/realtime'
import { useRead } from '../../../api/query.ts'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import type { Filter } from '../../../kit/list/FilterBar.tsx'
import type { ListQuery } from '../../../kit/list/useList.ts'
import { AlarmScreen } from '../list/AlarmScreen.tsx'
import type { AlarmKind } from '../list/alarmKind.ts'
import { useAlarmList } from '../list/useAlarmList.ts'
import { useCommonFilters } from '../list/useCommonFilters.ts'
import { useShownAlarm } from '../list/useShownAlarm.ts'
import { FaceAlarmDetail } from './FaceAlarmDetail.tsx'
import { useFaceColumns } from './faceColumns.tsx'
import { useFaceHandling } from './useFaceHandling.ts'

export default function MonitorAlarmPage() {
  const { t } = useTranslation('alarms')
  const list = useAlarmList(faceAlarmCalls.list, topics.faceAlarms, 'faceAlarms', faceAlarmCalls.read)
  const columns = useFaceColumns()
  const filters = useFilters(FACE_ALARM_STATES[list.tab])
  const kind: AlarmKind<FaceAlarm> = {
    inCases: 'face',
    statuses: alarmHandlingStatus,
    titleOf: ({ suspectPerson, deviceName }) => t('titleOf', { what: suspectPerson || t('stranger'), where: deviceName }),
    detail: (alarm) => <FaceAlarmDetail key={alarm.id} alarm={alarm} />,
    handling: useFaceHandling(),
  }
  return (
    <AlarmScreen
      title={t('shell:title.monitorAlarm')}
      list={list}
      kind={kind}
      columns={columns}
      filters={filters}
      shown={useShownAlarm<FaceAlarm>(faceAlarmCalls.read)}
    />
  )
}

function useFilters(states: readonly number[]): Filter<ListQuery<typeof faceAlarmCalls.list>>[] {
  const { t } = useTranslation('alarms')
  const optionsOf = useEnumOptions()
  const { level, device } = useCommonFilters()
  const tasks = useRead(alarmsCalls.surveillanceList, {})
  return [
    { field: 'personName', label: t('person') },
    { field: 'status', label: t('status'), options: optionsOf(alarmHandlingStatus).filter(({ value }) => states.includes(Number(value))) },
    level,
    { field: 'matchType', label: t('matchType'), options: optionsOf(alarmMatchType) },
    ...device,
    ...(tasks.data === undefined
      ? []
      : [{ field: 'taskId' as const, label: t('task'), options: tasks.data.map(({ id, name }) => ({ value: id, label: name })) }]),
  ]
}
