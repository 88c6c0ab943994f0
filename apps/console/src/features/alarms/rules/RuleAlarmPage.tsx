/** /ruleAlarm: passages that broke a rule of the park. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RULE_ALARM_KINDS, ruleAlarmCalls, type RuleAlarm } from '@gatehouse/contract/alarms/rule-alarms'
import { alarmHandlingStatusAlt } from '@gatehouse/contract/enums/alarms'
import { topics } from '@gatehouse/contract/realtime'
import { Facts } from '../../../kit/detail/DetailPage.tsx'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { PicturePair } from '../../../shared/PicturePair.tsx'
import { AlarmScreen } from '../list/AlarmScreen.tsx'
import type { AlarmKind } from '../list/alarmKind.ts'
import { AlarmSteps, stepsOf } from '../list/AlarmSteps.tsx'
import { DeviceLink } from '../list/DeviceLink.tsx'
import { EventScene } from '../list/EventScene.tsx'
import { useAlarmList } from '../list/useAlarmList.ts'
import { useCommonFilters } from '../list/useCommonFilters.ts'
import { DISPOSALS, useDisposing } from '../list/useDisposing.ts'
import { useShownOfList } from '../list/useShownAlarm.ts'
import { useRuleColumns } from './ruleColumns.tsx'
import styles from '../list/alarms.module.css'

/** Pixels of each side of a picture. */
const FACE = 220

export default function RuleAlarmPage() {
  const { t } = useTranslation('alarms')
  const filters = useCommonFilters()
  const list = useAlarmList(ruleAlarmCalls.list, topics.ruleAlarms, 'ruleAlarms')
  const columns = useRuleColumns()
  const kind: AlarmKind<RuleAlarm> = {
    inCases: 'rule',
    statuses: alarmHandlingStatusAlt,
    titleOf: ({ kind: rule, personName, deviceName }) => t('titleOf', { what: t(`rule.${rule}`), where: personName || deviceName }),
    detail: (alarm) => <Detail key={alarm.id} alarm={alarm} />,
    handling: useDisposing(ruleAlarmCalls.dispose, DISPOSALS),
  }
  return (
    <AlarmScreen
      title={t('shell:title.ruleAlarm')}
      list={list}
      kind={kind}
      columns={columns}
      filters={[
        { field: 'kind', label: t('rule.name'), options: RULE_ALARM_KINDS.map((value) => ({ value, label: t(`rule.${value}`) })) },
        { field: 'personName', label: t('person') },
        filters.level,
        ...filters.handled(list.tab),
        ...filters.device,
      ]}
      shown={useShownOfList(ruleAlarmCalls.list, ({ time }) => time)}
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
