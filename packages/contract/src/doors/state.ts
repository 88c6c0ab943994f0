/** Which state a door is in, from what is known of it: the same on the server and on every screen. */
import { doorOperation, doorState } from '../enums/devices.ts'

/** States of the enum `doorState`. */
export const DOOR_STATES = ['opening', 'opened', 'closing', 'closed', 'alwaysOpening', 'alwaysOpen', 'offline', 'busy'] as const
export type DoorState = (typeof DOOR_STATES)[number]

type Operation = (typeof doorOperation.values)[number]

/** What a door is called while an operation is under way, and once it has obeyed. */
export const doorStatesOf: Record<Operation, { moving: DoorState; done: DoorState }> = {
  [doorOperation.open]: { moving: doorState.opening, done: doorState.opened },
  [doorOperation.normallyOpen]: { moving: doorState.alwaysOpening, done: doorState.alwaysOpen },
  [doorOperation.close]: { moving: doorState.closing, done: doorState.closed },
}

/** States a device may tell of its own door: whether it is offline or busy, others know. */
const REPORTED: readonly string[] = DOOR_STATES.filter((state) => state !== doorState.offline && state !== doorState.busy)
export const isReportedDoorState = (state: string): state is Exclude<DoorState, 'offline' | 'busy'> => REPORTED.includes(state)

/** A door held open is not opened any further, nor a closed one closed. */
const STAYS: Record<Operation, readonly string[]> = {
  [doorOperation.open]: [doorState.opened, doorState.alwaysOpen],
  [doorOperation.normallyOpen]: [doorState.alwaysOpen],
  [doorOperation.close]: [doorState.closed],
}

export interface DoorKnown {
  online: boolean
  /** `operateType` that was asked for and is not answered yet; null: none. */
  pending: number | null
  /** What the device told last; null: nothing. */
  reported: DoorState | null
}

/** The state of a door as it is shown. A door nobody has told anything of is a closed one. */
export function doorStateOf({ online, pending, reported }: DoorKnown): DoorState {
  const current = reported ?? doorState.closed
  if (!online) return doorState.offline
  if (pending === null || !(pending in doorStatesOf)) return current
  const operation = pending as Operation
  return STAYS[operation].includes(current) ? current : doorStatesOf[operation].moving
}
