/** How events of devices are handled: followed up, or ignored. */
import { useTranslation } from 'react-i18next'
import { deviceEventCalls, type DeviceEvent } from '@gatehouse/contract/alarms/device-events'
import { deviceAlarmHandling } from '@gatehouse/contract/enums/alarms'
import { useMayCall } from '../../../api/session.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import type { AlarmHandling } from '../list/alarmKind.ts'

export function useDeviceEventHandling(): AlarmHandling<DeviceEvent> | undefined {
  const { t } = useTranslation('alarms')
  const mayHandle = useMayCall(deviceEventCalls.dispose)
  const dispose = useWrite(deviceEventCalls.dispose, { done: t('handled') })
  if (!mayHandle) return undefined
  return {
    canDecide: ({ can }) => can.dispose,
    decisions: deviceAlarmHandling.values.map((name) => ({ name, label: t(`decide.${name}`), isUsual: name === 'followedUp' })),
    decide: ({ id }, decision, record) =>
      dispose.send({
        body: {
          id,
          handling: decision === deviceAlarmHandling.ignored ? deviceAlarmHandling.ignored : deviceAlarmHandling.followedUp,
          ...(record !== '' && { dealingRecord: record }),
        },
      }),
  }
}
