/** What may be done with an alarm in its state, and who is shown which, besides what the permission of a call says. */
import type { DeviceEvent } from '@gatehouse/contract/alarms/device-events'
import type { MaintenanceAlarm } from '@gatehouse/contract/alarms/maintenance-alarms'
import { alarmHandlingStatusAlt } from '@gatehouse/contract/enums/alarms'
import { seesAllDevices, type Scope, type Session } from '../../platform/session/session.ts'

/** An alarm of a device, an AI box or a passage is handled once. */
export const canDispose = ({ status }: { status: number }): boolean => status === alarmHandlingStatusAlt.unhandled

/** Return what may be done with an event at a door in its present state. */
export const deviceEventAbilities = (state: { status: number }): DeviceEvent['can'] => ({ dispose: canDispose(state) })

/** Return what may be done with a maintenance alarm in its present state: one that is over can still be handled. */
export const maintenanceAbilities = (state: { status: number }): MaintenanceAlarm['can'] => ({ dispose: canDispose(state) })

/** Users who see alarms of faces choose the tasks whose alarms pop up. */
export const seesFaceAlarms = ({ permissions }: Pick<Session, 'permissions'>): boolean => permissions.has('surveillance.alert')

/** How alarms are told of concerns the whole park: who is shown some devices only does not change it. */
export const maySetAlarms = (scope: Scope): boolean => seesAllDevices(scope)
