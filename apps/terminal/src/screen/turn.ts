/**
 * Whose turn on the screen it is, and for how long. Somebody who chose a picture wants to read its verdict, and stands before the camera
 * while they do: what is decided at the door meanwhile waits a moment and is shown then. Whatever is shown goes by itself, and nobody is
 * told to pass when the door has closed again.
 */

/** A verdict, as far as it matters here; the instant tells one from another. */
interface Told {
  occurredAt: number
  verdict: 'allowed' | 'rejected' | 'pending'
}

export interface Turn<Verdict extends Told> {
  /**
   * A picture was chosen, and is being checked.
   * @returns to be called once with its verdict, or null where it got none; false when another was chosen meanwhile, so that this is of
   *   no interest
   */
  begin(): (answer: Verdict | null) => boolean
  /** Whether a picture is being checked. */
  checking(): boolean
  /** Something was decided at the door: shown at once where no picture has the screen, else the latest when the picture has had it. */
  happened(verdict: Verdict): void
  /**
   * A verdict goes on the screen, or another message (null); shown again, it stays as long again.
   * @returns false for one whose door has closed already: it must not be shown
   */
  takesScreen(verdict: Told | null): boolean
  /** What is on the screen stays until something else comes. */
  keepsScreen(): void
  /** The door is open, or is not. */
  door(isOpen: boolean): void
}

export interface TurnOptions<Verdict> {
  /** Milliseconds after which what was decided is no longer shown: nobody who comes later is to see who was here. */
  stays: number
  /** Puts on the screen what was decided at the door. */
  show: (verdict: Verdict) => void
  /** Nobody has the screen any more. */
  onFree: () => void
}

/** Milliseconds in which a verdict is read. */
const MOMENT = 2_000

export function createTurn<Verdict extends Told>({ stays, show, onFree }: TurnOptions<Verdict>): Turn<Verdict> {
  let chosen = 0
  let underWay = 0
  let reading: ReturnType<typeof setTimeout> | undefined
  let waiting: { verdict: Verdict; since: number }[] = []
  /** Instants of answers: each of them is told as an event too, before it or after. */
  let answers: number[] = []
  let leaving: ReturnType<typeof setTimeout> | undefined
  /** An admission is on the screen. */
  let admits = false
  let doorIsOpen = false
  /** Instants of the admissions shown since the door closed last, and of those it closed behind then. */
  let admitted = new Set<number>()
  let closedBehind = new Set<number>()

  function end(): void {
    const next = waiting.findLast(({ verdict }) => !answers.includes(verdict.occurredAt))
    reading = undefined
    waiting = []
    answers = []
    if (next && performance.now() - next.since < stays) show(next.verdict)
  }

  function leave(): void {
    clearTimeout(leaving)
    admits = false
    onFree()
  }

  return {
    begin() {
      const own = ++chosen
      underWay++
      clearTimeout(reading)
      reading = undefined
      return (answer) => {
        underWay--
        if (answer) answers.push(answer.occurredAt)
        // Who is asked for one more step is not to wait for the verdict on it.
        if (underWay === 0) reading = setTimeout(end, answer?.verdict === 'pending' ? 0 : MOMENT)
        return own === chosen
      }
    },
    checking: () => underWay > 0,
    happened(verdict) {
      if (underWay > 0 || reading !== undefined) waiting.push({ verdict, since: performance.now() })
      else show(verdict)
    },
    takesScreen(verdict) {
      const isAdmission = verdict?.verdict === 'allowed'
      if (isAdmission && closedBehind.has(verdict.occurredAt)) return false
      clearTimeout(leaving)
      leaving = setTimeout(leave, stays)
      admits = isAdmission
      if (isAdmission) admitted.add(verdict.occurredAt)
      return true
    },
    keepsScreen() {
      clearTimeout(leaving)
      admits = false
    },
    door(isOpen) {
      const hasClosed = doorIsOpen && !isOpen
      doorIsOpen = isOpen
      if (!hasClosed) return
      waiting = waiting.filter(({ verdict }) => verdict.verdict !== 'allowed')
      closedBehind = admitted
      admitted = new Set()
      if (admits) leave()
    },
  }
}
