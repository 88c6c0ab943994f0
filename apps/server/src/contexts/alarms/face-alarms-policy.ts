/** What may be done with an alarm of a face in its state, besides what the permission of a call says. */
import { FACE_ALARM_STATES, statesAfter } from '@gatehouse/contract/alarms/handling'
import type { FaceAlarm } from '@gatehouse/contract/alarms/face-alarms'
import { alarmHandlingStatus } from '@gatehouse/contract/enums/alarms'

interface State {
  status: number
}

/** Return whether an alarm is over: nothing happens to it any more. */
export const isHandled = ({ status }: State): boolean => FACE_ALARM_STATES.handled.includes(status)

/**
 * Return the states through which an alarm comes to another one, that one included; empty where it cannot. A user who ends an undealt one
 * begins to deal with it as well.
 */
export function stepsTo({ status }: State, target: number): number[] {
  if (statesAfter(status).includes(target)) return [target]
  const { undealt, dealing } = alarmHandlingStatus
  return status === undealt && statesAfter(dealing).includes(target) ? [dealing, target] : []
}

/** Return what may be done with an alarm now. */
export const faceAlarmAbilities = ({ status }: State): FaceAlarm['can'] => ({
  deal: status === alarmHandlingStatus.undealt,
  finish: !isHandled({ status }),
})
