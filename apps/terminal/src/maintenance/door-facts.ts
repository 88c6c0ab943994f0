/** When the state of the door is reported to the server: at once when the door has come to rest, a movement only if it takes long. */
import { doorState } from '@gatehouse/contract/enums'
import type { DoorState } from '../door/door.ts'

/** A door that moves for longer than this is reported as moving. */
const LONG_MOVEMENT = 500
const MOVING: readonly DoorState[] = [doorState.opening, doorState.closing, doorState.alwaysOpening]

export interface DoorFacts {
  /** Return the state as reported to the server. */
  state(): DoorState
  moved(state: DoorState): void
  stop(): void
}

/** @param changed called when `state` returns another value */
export function createDoorFacts(changed: () => void): DoorFacts {
  let reported: DoorState = doorState.closed
  let timer: NodeJS.Timeout | undefined

  function report(state: DoorState): void {
    if (state === reported) return
    reported = state
    changed()
  }

  return {
    state: () => reported,
    moved(state) {
      clearTimeout(timer)
      if (!MOVING.includes(state)) return report(state)
      timer = setTimeout(report, LONG_MOVEMENT, state)
      timer.unref()
    },
    stop: () => clearTimeout(timer),
  }
}
