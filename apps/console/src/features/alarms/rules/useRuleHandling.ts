/** How rule alarms are handled: followed up, a false alarm, or ignored. */
import { useTranslation } from 'react-i18next'
import { ruleAlarmCalls, type RuleAlarm } from '@gatehouse/contract/alarms/rule-alarms'
import { alarmHandlingStatusAlt } from '@gatehouse/contract/enums/alarms'
import { useMayCall } from '../../../api/session.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import type { AlarmHandling } from '../list/alarmKind.ts'

const DECISIONS = {
  followedUp: alarmHandlingStatusAlt.handling,
  falseAlarm: alarmHandlingStatusAlt.falseAlarm,
  ignored: alarmHandlingStatusAlt.ignored,
} as const
const names = Object.keys(DECISIONS) as (keyof typeof DECISIONS)[]

export function useRuleHandling(): AlarmHandling<RuleAlarm> | undefined {
  const { t } = useTranslation('alarms')
  const mayHandle = useMayCall(ruleAlarmCalls.dispose)
  const dispose = useWrite(ruleAlarmCalls.dispose, { done: t('handled') })
  if (!mayHandle) return undefined
  return {
    canDecide: ({ can }) => can.dispose,
    decisions: names.map((name) => ({ name, label: t(`decide.${name}`), isUsual: name === 'followedUp' })),
    decide: ({ id }, decision, record) =>
      dispose.send({
        body: {
          id,
          status: DECISIONS[names.find((name) => name === decision) ?? 'followedUp'],
          ...(record !== '' && { dealingRecord: record }),
        },
      }),
  }
}
