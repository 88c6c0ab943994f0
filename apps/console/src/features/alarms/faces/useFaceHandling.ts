/** How alarms of faces are handled: begun, then confirmed, or ended as a false alarm or a test. */
import { useTranslation } from 'react-i18next'
import { faceAlarmCalls, type FaceAlarm } from '@gatehouse/contract/alarms/face-alarms'
import { alarmHandlingStatus } from '@gatehouse/contract/enums/alarms'
import { useMayCall } from '../../../api/session.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import type { AlarmHandling } from '../list/alarmKind.ts'

const DECISIONS = ['confirmed', 'misinformation', 'test'] as const

export function useFaceHandling(): AlarmHandling<FaceAlarm> | undefined {
  const { t } = useTranslation('alarms')
  const mayHandle = useMayCall(faceAlarmCalls.handle)
  const begin = useWrite(faceAlarmCalls.handle)
  const finish = useWrite(faceAlarmCalls.handle, { done: t('handled') })
  if (!mayHandle) return undefined
  return {
    canBegin: ({ can }) => can.deal,
    begin: ({ id }) => begin.send({ body: { id, status: alarmHandlingStatus.dealing } }),
    canDecide: ({ can }) => can.finish,
    decisions: DECISIONS.map((name) => ({
      name,
      label: t(`decide.${name}`),
      isUsual: name === 'confirmed',
    })),
    // Without a version: each capture that is counted with the alarm changes it, and what is handled is not handled again anyway.
    decide: ({ id }, decision, record) =>
      finish.send({
        body: {
          id,
          status: alarmHandlingStatus[DECISIONS.find((name) => name === decision) ?? 'confirmed'],
          ...(record !== '' && { dealingRecord: record }),
        },
      }),
  }
}
