/** /AIBoxAlarm: events that AI boxes saw before their cameras. */
import { useTranslation } from 'react-i18next'
import { aiBoxCalls, type AiBoxAlarm } from '@gatehouse/contract/alarms/ai-box'
import { alarmHandlingStatusAlt } from '@gatehouse/contract/enums/alarms'
import { topics } from '@gatehouse/contract/realtime'
import { useRead } from '../../../api/query.ts'
import { Facts } from '../../../kit/detail/DetailPage.tsx'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { AlarmScreen } from '../list/AlarmScreen.tsx'
import type { AlarmKind } from '../list/alarmKind.ts'
import { AlarmSteps, stepsOf } from '../list/AlarmSteps.tsx'
import { DeviceLink } from '../list/DeviceLink.tsx'
import { EventScene } from '../list/EventScene.tsx'
import { useAlarmList } from '../list/useAlarmList.ts'
import { useCommonFilters } from '../list/useCommonFilters.ts'
import { DISPOSALS, useDisposing } from '../list/useDisposing.ts'
import { useShownOfList } from '../list/useShownAlarm.ts'
import { useAiBoxColumns } from './aiBoxColumns.tsx'

interface Option {
  value: string
  name: string
}
const choicesOf = (options: readonly Option[] | undefined) => options?.map(({ value, name }) => ({ value, label: name })) ?? []

export default function AiBoxAlarmPage() {
  const { t } = useTranslation('alarms')
  const filters = useCommonFilters()
  const events = useRead(aiBoxCalls.event, {})
  const cameras = useRead(aiBoxCalls.range, {})
  const list = useAlarmList(aiBoxCalls.list, topics.aiBoxEvents, 'aiBoxAlarms')
  const columns = useAiBoxColumns()
  const kind: AlarmKind<AiBoxAlarm> = {
    inCases: 'aiBox',
    statuses: alarmHandlingStatusAlt,
    titleOf: ({ eventTypeName, ipcName, deviceName }) => t('titleOf', { what: eventTypeName, where: ipcName || deviceName }),
    detail: (alarm) => <Detail key={alarm.id} alarm={alarm} />,
    handling: useDisposing(aiBoxCalls.dispose, DISPOSALS),
  }
  return (
    <AlarmScreen
      title={t('shell:title.aiBoxAlarm')}
      list={list}
      kind={kind}
      columns={columns}
      filters={[
        { field: 'event', label: t('event'), options: choicesOf(events.data) },
        { field: 'range', label: t('camera'), options: choicesOf(cameras.data) },
        filters.level,
        ...filters.handled(list.tab),
        ...filters.device,
      ]}
      shown={useShownOfList(aiBoxCalls.list, ({ eventTime }) => eventTime)}
    />
  )
}

function Detail({ alarm }: { alarm: AiBoxAlarm }) {
  const { t } = useTranslation('alarms')
  const { offset } = useZoneOffset()
  return (
    <>
      <EventScene url={alarm.imagePath} words={alarm.eventTypeName} />
      <Facts
        facts={[
          [t('event'), alarm.eventTypeName],
          [t('camera'), alarm.ipcName],
          [t('device'), <DeviceLink key="device" row={alarm} />],
          [t('time'), formatInstant(alarm.eventTime, offset)],
          [t('receivedAt'), formatInstant(alarm.receivedAt, offset)],
        ]}
      />
      <AlarmSteps steps={stepsOf(alarm)} statuses={alarmHandlingStatusAlt} />
    </>
  )
}
