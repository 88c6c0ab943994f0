/** The door: its states, how long it stays open, and what opens it in the end. */
import { doorControlErrorType, doorOperation, doorState } from '@gatehouse/contract/enums'
import type { DoorAnswer } from '../device/commands.ts'

/** States of the specification that a terminal knows of its own door. */
export type DoorState = 'closed' | 'opening' | 'opened' | 'closing' | 'alwaysOpening' | 'alwaysOpen'

/** What moves the lock: a relay, a lock controller, or nothing at all in `simulatedLock`. Each resolves when the door is there. */
export interface DoorOutput {
  open(): Promise<void>
  close(): Promise<void>
}

/** A door that exists on the screen only. @param travel milliseconds it takes to open or close */
export function simulatedLock(travel = 300): DoorOutput {
  const move = () => new Promise<void>((resolve) => setTimeout(resolve, travel).unref())
  return { open: move, close: move }
}

export interface DoorOptions {
  output: DoorOutput
  /** Milliseconds it stays open after a passage. */
  openFor: number
  onChange: (state: DoorState) => void
  log: (sentence: string) => void
}

export interface Door {
  state(): DoorState
  /** Lets one passage through; a door that is open stays open as long from now. */
  letThrough(): void
  /** Runs `operateType` of controlDoor: 1 open, 2 normally open, 3 close. */
  operate(operateType: number): Promise<DoorAnswer>
  stop(): void
}

/** A closed door. */
export function createDoor({ output, openFor, onChange, log }: DoorOptions): Door {
  let state: DoorState = doorState.closed
  let closing: NodeJS.Timeout | undefined
  /** Each movement takes a number: one that was overtaken changes nothing when it ends. */
  let movement = 0

  function enter(next: DoorState): void {
    state = next
    onChange(next)
  }

  async function open(): Promise<void> {
    if (state === doorState.alwaysOpen || state === doorState.alwaysOpening) return
    clearTimeout(closing)
    const own = ++movement
    if (state !== doorState.opened) {
      enter(doorState.opening)
      await output.open()
      if (own !== movement) return
      enter(doorState.opened)
    }
    closing = setTimeout(() => close().catch(failed), openFor)
    closing.unref()
  }

  async function keepOpen(): Promise<void> {
    clearTimeout(closing)
    const own = ++movement
    if (state === doorState.alwaysOpen) return
    enter(doorState.alwaysOpening)
    await output.open()
    if (own === movement) enter(doorState.alwaysOpen)
  }

  async function close(): Promise<void> {
    clearTimeout(closing)
    const own = ++movement
    if (state === doorState.closed) return
    enter(doorState.closing)
    await output.close()
    if (own === movement) enter(doorState.closed)
  }

  /** What the lock did is unknown, so it is told to close and shown closed: an open door on the screen would be believed. */
  function failed(error: unknown): void {
    log(`The door does not obey: ${error instanceof Error ? error.message : String(error)}`)
    movement++
    clearTimeout(closing)
    enter(doorState.closed)
  }

  const operations: Record<number, (() => Promise<void>) | undefined> = {
    [doorOperation.open]: open,
    [doorOperation.normallyOpen]: keepOpen,
    [doorOperation.close]: close,
  }

  return {
    state: () => state,
    letThrough() {
      open().catch(failed)
    },
    async operate(operateType) {
      const operation = operations[operateType]
      if (!operation) return { isSuccess: false, errorType: doorControlErrorType.business }
      try {
        await operation()
        return { isSuccess: true, errorType: null }
      } catch (error) {
        failed(error)
        return { isSuccess: false, errorType: doorControlErrorType.error }
      }
    },
    stop() {
      movement++
      clearTimeout(closing)
    },
  }
}
