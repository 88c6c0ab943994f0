/** /AIBoxAlarm: events that AI boxes saw before their cameras. */
import { useTranslation } from 'react-i18next'
import { aiBoxCalls, type AiBoxAlarm } from '@gatehouse/contract/alarms/ai-box'
import { EVENT_ALARM_STATES } from '@gatehouse/contract/alarms/handling'
import { alarmHandlingStatusAlt, alarmLevel } from '@gatehouse/contract/enums/alarms'
import { topics } from '@gatehouse/contract/realtime'
import { useRead } from '../../../api/query.ts'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { Facts } from '../../../kit/detail/DetailPage.tsx'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { useDoorChoices } from '../../../shared/doorChoices.tsx'
import { AlarmScreen } from '../list/AlarmScreen.tsx'
import type { AlarmKind } from '../list/alarmKind.ts'
import { AlarmSteps, stepsOf } from '../list/AlarmSteps.tsx'
import { DeviceLink } from '../list/DeviceLink.tsx'
import { EventScene } from '../list/EventScene.tsx'
import { useAlarmList } from '../list/useAlarmList.ts'
import { useLedAlarm } from '../list/useLedAlarm.ts'
import { useAiBoxColumns } from './aiBoxColumns.tsx'
import { useAiBoxHandling } from './useAiBoxHandling.ts'

interface Option {
  value: string
  name: string
}
const choicesOf = (options: readonly Option[] | undefined) => options?.map(({ value, name }) => ({ value, label: name })) ?? []

export default function AiBoxAlarmPage() {
  const { t } = useTranslation('alarms')
  const optionsOf = useEnumOptions()
  const doors = useDoorChoices()
  const events = useRead(aiBoxCalls.event, {})
  const cameras = useRead(aiBoxCalls.range, {})
  const list = useAlarmList(aiBoxCalls.list, topics.aiBoxEvents, 'aiBoxAlarms')
  const columns = useAiBoxColumns()
  const kind: AlarmKind<AiBoxAlarm> = {
    inCases: 'aiBox',
    statuses: alarmHandlingStatusAlt,
    titleOf: ({ eventTypeName, ipcName, deviceName }) => t('titleOf', { what: eventTypeName, where: ipcName || deviceName }),
    detail: (alarm) => <Detail key={alarm.id} alarm={alarm} />,
    handling: useAiBoxHandling(),
  }
  const states = EVENT_ALARM_STATES[list.tab]
  return (
    <AlarmScreen
      title={t('shell:title.aiBoxAlarm')}
      list={list}
      kind={kind}
      columns={columns}
      filters={[
        { field: 'event', label: t('event'), options: choicesOf(events.data) },
        { field: 'range', label: t('camera'), options: choicesOf(cameras.data) },
        { field: 'level', label: t('level'), options: optionsOf(alarmLevel) },
        ...(list.tab === 'handled'
          ? [
              {
                field: 'status' as const,
                label: t('status'),
                options: optionsOf(alarmHandlingStatusAlt).filter(({ value }) => states.includes(Number(value))),
              },
            ]
          : []),
        ...(doors === undefined ? [] : [{ field: 'deviceId' as const, label: t('device'), options: doors }]),
      ]}
      led={useLedAlarm(aiBoxCalls.list)}
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
