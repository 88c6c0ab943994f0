/** When the server is told of the door: at once when it has come to rest, and of a movement only where it takes long. */
import { doorState } from '@gatehouse/contract/enums'
import type { DoorState } from '../door/door.ts'

/** A door that moves for longer than this is told to be moving. */
const LONG_MOVEMENT = 500
const MOVING: readonly DoorState[] = [doorState.opening, doorState.closing, doorState.alwaysOpening]

export interface DoorFacts {
  /** What the server is told. */
  state(): DoorState
  moved(state: DoorState): void
  stop(): void
}

/** @param changed called when `state` answers another */
export function createDoorFacts(changed: () => void): DoorFacts {
  let told: DoorState = doorState.closed
  let timer: NodeJS.Timeout | undefined

  function tell(state: DoorState): void {
    if (state === told) return
    told = state
    changed()
  }

  return {
    state: () => told,
    moved(state) {
      clearTimeout(timer)
      if (!MOVING.includes(state)) return tell(state)
      timer = setTimeout(tell, LONG_MOVEMENT, state)
      timer.unref()
    },
    stop: () => clearTimeout(timer),
  }
}
