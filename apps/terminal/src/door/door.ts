/** The door: its states, how long it stays open, and what opens it in the end. */
import { setTimeout as pause } from 'node:timers/promises'
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
  /** Milliseconds until a lock that did not obey while the door is to be held open is told again; 1 s unless told. */
  holdAgain?: number
  /** Milliseconds after which an output that says nothing counts as broken; 15 s unless told. */
  patience?: number
  onChange: (state: DoorState) => void
  log: (sentence: string) => void
}

export interface Door {
  state(): DoorState
  /** Why the lock did not obey the last time; null when it did. */
  trouble(): string | null
  /** Lets one passage through; a door that is open stays open as long from now. */
  letThrough(): void
  /** Runs `operateType` of controlDoor: 1 open, 2 normally open, 3 close. While it is held open, nothing closes it: errorType 2. */
  operate(operateType: number): Promise<DoorAnswer>
  /** Holds it open against everything, as in a fire, until it is let go; then it closes, unless it stood open before. */
  holdOpen(hold: boolean): void
  stop(): void
}

/** A closed door. */
export function createDoor({ output, openFor, patience = 15_000, holdAgain = 1_000, onChange, log }: DoorOptions): Door {
  let state: DoorState = doorState.closed
  let trouble: string | null = null
  let closing: NodeJS.Timeout | undefined
  /** Each movement takes a number: one that was overtaken changes nothing when it ends. */
  let movement = 0
  let held = false
  let stoodOpen = false

  function enter(next: DoorState): void {
    state = next
    onChange(next)
  }

  /** Moves the lock. @returns whether this movement is still the latest @throws when the lock did not obey, and nothing overtook it */
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
    if (held) return keepOpen()
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

  /** What the lock did is unknown, so it is told to close and shown closed: an open door on the screen would be believed. */
  function failed(why: unknown): void {
    trouble = sentenceOf(why)
    log(`The door does not obey: ${trouble}`)
    movement++
    clearTimeout(closing)
    enter(doorState.closed)
    // Held open by an alarm, closing it is the last thing to try.
    if (!held) return void output.close().catch(() => {})
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
      if (!operation || (held && operateType === doorOperation.close)) return { isSuccess: false, errorType: doorControlErrorType.business }
      try {
        await operation()
        return { isSuccess: true, errorType: null }
      } catch (error) {
        failed(error)
        return { isSuccess: false, errorType: doorControlErrorType.error }
      }
    },
    holdOpen(hold) {
      if (hold === held) return
      held = hold
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

/** @throws when the work did not end in time, and whatever it throws */
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
    // What comes of it later is of no interest, and must not end the process.
    work.catch(() => {})
  }
}

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
