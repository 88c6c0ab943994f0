/** The door: its states, how long it stays open, and the output that operates it. */
import { setTimeout as pause } from 'node:timers/promises'
import { doorControlErrorType, doorOperation, doorState } from '@gatehouse/contract/enums'
import type { DoorAnswer } from '../device/commands.ts'

/** The specification's states that a terminal can know of its own door. */
export type DoorState = 'closed' | 'opening' | 'opened' | 'closing' | 'alwaysOpening' | 'alwaysOpen'

/**
 * Output that operates the lock: a relay, a lock controller, or no hardware in `simulatedLock`. Each call resolves when the movement is
 * complete.
 */
export interface DoorOutput {
  open(): Promise<void>
  close(): Promise<void>
}

/** Return a door that exists on the screen only. @param travel milliseconds it takes to open or close */
export function simulatedLock(travel = 300): DoorOutput {
  const move = () => new Promise<void>((resolve) => setTimeout(resolve, travel).unref())
  return { open: move, close: move }
}

export interface DoorOptions {
  output: DoorOutput
  /** Milliseconds the door stays open after a passage. */
  openFor: number
  /** Milliseconds until a lock that failed while the door is to be held open is tried again; default 1 s. */
  holdAgain?: number
  /** Milliseconds without an answer after which an output counts as failed; default 15 s. */
  patience?: number
  onChange: (state: DoorState) => void
  log: (sentence: string) => void
}

export interface Door {
  state(): DoorState
  /** Return why the last movement of the lock failed; null if it succeeded. */
  trouble(): string | null
  /** Open for one passage; a door that is already open stays open for the same time from now. */
  letThrough(): void
  /** Run `operateType` of controlDoor: 1 open, 2 normally open, 3 close. While the door is held open, nothing closes it: errorType 2. */
  operate(operateType: number): Promise<DoorAnswer>
  /** Hold the door open against everything, as in a fire, until it is released. It then closes, unless it stood open before. */
  holdOpen(hold: boolean): void
  stop(): void
}

/** Create a door, which is closed at first. */
export function createDoor({ output, openFor, patience = 15_000, holdAgain = 1_000, onChange, log }: DoorOptions): Door {
  let state: DoorState = doorState.closed
  let trouble: string | null = null
  let closing: NodeJS.Timeout | undefined
  /** Each movement takes a number; one that was superseded changes nothing when it ends. */
  let movement = 0
  let staysOpen = false
  let stoodOpen = false

  function enter(next: DoorState): void {
    state = next
    onChange(next)
  }

  /** Move the lock. @returns whether this movement is still the latest @throws when the lock failed and no later movement superseded it */
  async function move(to: 'open' | 'close', own: number): Promise<boolean> {
    try {
      await withPatience(output[to](), patience)
      if (own === movement) trouble = null
      return own === movement
    } catch (error) {
      if (own === movement) throw error
      log(`The door did not obey, and was told otherwise meanwhile: ${sentenceOf(error)}`)
      return false
    }
  }

  async function open(): Promise<void> {
    if (staysOpen) return keepOpen()
    if (state === doorState.alwaysOpen || state === doorState.alwaysOpening) return
    clearTimeout(closing)
    const own = ++movement
    if (state !== doorState.opened) {
      enter(doorState.opening)
      if (!(await move('open', own))) return
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
    if (await move('open', own)) enter(doorState.alwaysOpen)
  }

  async function close(): Promise<void> {
    clearTimeout(closing)
    const own = ++movement
    if (state === doorState.closed) return
    enter(doorState.closing)
    if (await move('close', own)) enter(doorState.closed)
  }

  /** The state of the lock is unknown, so the door is closed and shown as closed: people would rely on an open door on the screen. */
  function failed(why: unknown): void {
    trouble = sentenceOf(why)
    log(`The door does not obey: ${trouble}`)
    movement++
    clearTimeout(closing)
    enter(doorState.closed)
    // A door held open by an alarm is not closed; opening it is tried again.
    if (!staysOpen) return void output.close().catch(() => {})
    closing = setTimeout(() => keepOpen().catch(failed), holdAgain)
    closing.unref()
  }

  const operations: Record<number, (() => Promise<void>) | undefined> = {
    [doorOperation.open]: open,
    [doorOperation.normallyOpen]: keepOpen,
    [doorOperation.close]: close,
  }

  return {
    state: () => state,
    trouble: () => trouble,
    letThrough() {
      open().catch(failed)
    },
    async operate(operateType) {
      const operation = operations[operateType]
      if (!operation || (staysOpen && operateType === doorOperation.close))
        return { isSuccess: false, errorType: doorControlErrorType.business }
      try {
        await operation()
        return { isSuccess: true, errorType: null }
      } catch (error) {
        failed(error)
        return { isSuccess: false, errorType: doorControlErrorType.error }
      }
    },
    holdOpen(hold) {
      if (hold === staysOpen) return
      staysOpen = hold
      if (hold) {
        stoodOpen = state === doorState.alwaysOpen || state === doorState.alwaysOpening
        keepOpen().catch(failed)
      } else if (!stoodOpen) close().catch(failed)
    },
    stop() {
      movement++
      clearTimeout(closing)
    },
  }
}

/** Resolve with the work. @throws when the work did not end in time, and whatever it throws */
async function withPatience(work: Promise<void>, patience: number): Promise<void> {
  const over = new AbortController()
  const tooLong = pause(patience, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error(`The lock has not answered for ${patience / 1000} s.`)
  })
  tooLong.catch(() => {})
  try {
    await Promise.race([work, tooLong])
  } finally {
    over.abort()
    // A later result is ignored, and a later error must not end the process.
    work.catch(() => {})
  }
}

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
