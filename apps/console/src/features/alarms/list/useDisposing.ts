/** How alarms are handled by one step: followed up, a false alarm, or ignored, as far as a kind has these. */
import { useTranslation } from 'react-i18next'
import { alarmHandlingStatusAlt, deviceAlarmHandling } from '@gatehouse/contract/enums/alarms'
import type { AnyCall, PartsOf } from '../../../api/http.ts'
import { useMayCall } from '../../../api/session.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import type { AlarmHandling, AlarmRow } from './alarmKind.ts'

type DisposalName = 'followedUp' | 'falseAlarm' | 'ignored'

/** Of alarms whose handling is a number. */
export const DISPOSALS = {
  followedUp: { status: alarmHandlingStatusAlt.handling },
  falseAlarm: { status: alarmHandlingStatusAlt.falseAlarm },
  ignored: { status: alarmHandlingStatusAlt.ignored },
} as const

/** Of alarms whose handling is a word. */
export const WORDS = {
  followedUp: { handling: deviceAlarmHandling.followedUp },
  ignored: { handling: deviceAlarmHandling.ignored },
} as const

/** @param states what the body of the call says of each way, which are shown in this order; the first is the usual one */
export function useDisposing<Row extends AlarmRow & { can: { dispose: boolean } }>(
  call: AnyCall,
  states: Readonly<Partial<Record<DisposalName, object>>>,
): AlarmHandling<Row> | undefined {
  const { t } = useTranslation('alarms')
  const mayHandle = useMayCall(call)
  const dispose = useWrite(call, { done: t('handled') })
  if (!mayHandle) return undefined
  const names = Object.keys(states) as DisposalName[]
  return {
    canDecide: ({ can }) => can.dispose,
    decisions: names.map((name, place) => ({ name, label: t(`decide.${name}`), isUsual: place === 0 })),
    decide: ({ id }, decision, record) =>
      dispose.send({
        body: { id, ...states[decision as DisposalName], ...(record !== '' && { dealingRecord: record }) },
      } as PartsOf<AnyCall>),
  }
}
