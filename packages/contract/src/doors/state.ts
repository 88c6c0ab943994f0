/** State of a door, derived from its facts: the same on the server and on every screen. */
import { doorOperation, doorState } from '../enums/devices.ts'

/** States of the enum `doorState`. */
export const DOOR_STATES = ['opening', 'opened', 'closing', 'closed', 'alwaysOpening', 'alwaysOpen', 'offline', 'busy'] as const
export type DoorState = (typeof DOOR_STATES)[number]

type Operation = (typeof doorOperation.values)[number]

/** State of a door while an operation is running, and after it has succeeded. */
export const doorStatesOf: Record<Operation, { moving: DoorState; done: DoorState }> = {
  [doorOperation.open]: { moving: doorState.opening, done: doorState.opened },
  [doorOperation.normallyOpen]: { moving: doorState.alwaysOpening, done: doorState.alwaysOpen },
  [doorOperation.close]: { moving: doorState.closing, done: doorState.closed },
}

/** States that a device may report of its own door: `offline` and `busy` are found by the server. */
const REPORTED: readonly string[] = DOOR_STATES.filter((state) => state !== doorState.offline && state !== doorState.busy)
export const isReportedDoorState = (state: string): state is Exclude<DoorState, 'offline' | 'busy'> => REPORTED.includes(state)

/** States in which an operation has no effect: a door that is held open is not opened further, and a closed one is not closed. */
const STAYS: Record<Operation, readonly string[]> = {
  [doorOperation.open]: [doorState.opened, doorState.alwaysOpen],
  [doorOperation.normallyOpen]: [doorState.alwaysOpen],
  [doorOperation.close]: [doorState.closed],
}

export interface DoorKnown {
  online: boolean
  /** `operateType` that was requested and is not answered yet; null: none. */
  pending: number | null
  /** State that the device reported last; null: none. */
  reported: DoorState | null
}

/** Return the state of a door as it is shown. A door without any report counts as closed. */
export function doorStateOf({ online, pending, reported }: DoorKnown): DoorState {
  const current = reported ?? doorState.closed
  if (!online) return doorState.offline
  if (pending === null || !(pending in doorStatesOf)) return current
  const operation = pending as Operation
  return STAYS[operation].includes(current) ? current : doorStatesOf[operation].moving
}
