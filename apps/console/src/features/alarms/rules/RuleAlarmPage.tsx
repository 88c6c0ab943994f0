/** /ruleAlarm: passages that broke a rule of the park. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EVENT_ALARM_STATES } from '@gatehouse/contract/alarms/handling'
import { RULE_ALARM_KINDS, ruleAlarmCalls, type RuleAlarm } from '@gatehouse/contract/alarms/rule-alarms'
import { alarmHandlingStatusAlt, alarmLevel } from '@gatehouse/contract/enums/alarms'
import { topics } from '@gatehouse/contract/realtime'
import { Facts } from '../../../kit/detail/DetailPage.tsx'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { useDoorChoices } from '../../../shared/doorChoices.tsx'
import { PicturePair } from '../../../shared/PicturePair.tsx'
import { AlarmScreen } from '../list/AlarmScreen.tsx'
import type { AlarmKind } from '../list/alarmKind.ts'
import { AlarmSteps, stepsOf } from '../list/AlarmSteps.tsx'
import { DeviceLink } from '../list/DeviceLink.tsx'
import { EventScene } from '../list/EventScene.tsx'
import { useAlarmList } from '../list/useAlarmList.ts'
import { useLedAlarm } from '../list/useLedAlarm.ts'
import { useRuleColumns } from './ruleColumns.tsx'
import { useRuleHandling } from './useRuleHandling.ts'
import styles from '../list/alarms.module.css'

/** Pixels of each side of a picture. */
const FACE = 220

export default function RuleAlarmPage() {
  const { t } = useTranslation('alarms')
  const optionsOf = useEnumOptions()
  const doors = useDoorChoices()
  const list = useAlarmList(ruleAlarmCalls.list, topics.ruleAlarms, 'ruleAlarms')
  const columns = useRuleColumns()
  const kind: AlarmKind<RuleAlarm> = {
    inCases: 'rule',
    statuses: alarmHandlingStatusAlt,
    titleOf: ({ kind: rule, personName, deviceName }) => t('titleOf', { what: t(`rule.${rule}`), where: personName || deviceName }),
    detail: (alarm) => <Detail key={alarm.id} alarm={alarm} />,
    handling: useRuleHandling(),
  }
  const states = EVENT_ALARM_STATES[list.tab]
  return (
    <AlarmScreen
      title={t('shell:title.ruleAlarm')}
      list={list}
      kind={kind}
      columns={columns}
      filters={[
        { field: 'kind', label: t('rule.name'), options: RULE_ALARM_KINDS.map((value) => ({ value, label: t(`rule.${value}`) })) },
        { field: 'personName', label: t('person') },
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
      led={useLedAlarm(ruleAlarmCalls.list)}
    />
  )
}

function Detail({ alarm }: { alarm: RuleAlarm }) {
  const { t } = useTranslation('alarms')
  const { offset } = useZoneOffset()
  const { kind, personName, captureImage, registeredImage, instruction, count, escalatedAt } = alarm
  const facts: [string, ReactNode][] = [
    [t('rule.name'), t(`rule.${kind}`)],
    ...(personName === '' ? [] : ([[t('person'), personName]] as [string, ReactNode][])),
    ...(instruction === '' ? [] : ([[t('rule.instruction'), instruction]] as [string, ReactNode][])),
    [t('device'), <DeviceLink key="device" row={alarm} />],
    [t('time'), formatInstant(alarm.time, offset)],
    [t('rule.count'), t('rule.times', { count })],
    ...(count > 1 ? ([[t('rule.lastTime'), formatInstant(alarm.lastTime, offset)]] as [string, ReactNode][]) : []),
    ...(escalatedAt === null ? [] : ([[t('escalatedAt'), formatInstant(escalatedAt, offset)]] as [string, ReactNode][])),
  ]
  return (
    <>
      {registeredImage === '' ? (
        <EventScene url={captureImage} words={t(`rule.${kind}`)} />
      ) : (
        <div className={styles.head}>
          <PicturePair
            captured={captureImage}
            registered={registeredImage}
            score={null}
            result={null}
            name={personName}
            hit={kind === 'watchList'}
            size={FACE}
          />
        </div>
      )}
      <Facts facts={facts} />
      <AlarmSteps steps={stepsOf(alarm)} statuses={alarmHandlingStatusAlt} />
    </>
  )
}
