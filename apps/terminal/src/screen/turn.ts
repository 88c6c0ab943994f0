/**
 * Which verdict is on the screen, and for how long. Somebody who chose a picture wants to read its verdict, and stands before the camera
 * meanwhile, so a decision at the door waits a moment and is shown then. Everything shown disappears by itself, and an admission disappears
 * when the door closes.
 */

/** The part of a verdict that matters here; the instant identifies it. */
interface Decided {
  occurredAt: number
  verdict: 'allowed' | 'rejected' | 'pending'
}

export interface Turn<Verdict extends Decided> {
  /**
   * Note that a picture was chosen and is being checked.
   * @returns a function to call once with its verdict, or null if it got none. It returns false if another picture was chosen meanwhile, so
   *   that this verdict must not be shown
   */
  begin(): (answer: Verdict | null) => boolean
  /** Whether a picture is being checked. */
  checking(): boolean
  /** Handle a decision at the door. It is shown at once unless a picture occupies the screen; afterwards only the latest is shown. */
  happened(verdict: Verdict): void
  /**
   * Note that a verdict, or another message (null), goes on the screen; shown again, it stays as long again.
   * @returns false if the door of the verdict has closed already, so that it must not be shown
   */
  takesScreen(verdict: Decided | null): boolean
  /** Keep the screen as it is until something else is shown. */
  keepsScreen(): void
  /** Note whether the door is open. */
  door(isOpen: boolean): void
}

export interface TurnOptions<Verdict> {
  /** Milliseconds after which a verdict is no longer shown: people who come later must not see who was here. */
  stays: number
  /** Show a decision made at the door. */
  show: (verdict: Verdict) => void
  /** Called when nothing occupies the screen any more. */
  onFree: () => void
}

/** Milliseconds people need to read a verdict. */
const MOMENT = 2_000

export function createTurn<Verdict extends Decided>({ stays, show, onFree }: TurnOptions<Verdict>): Turn<Verdict> {
  let chosen = 0
  let underWay = 0
  let reading: ReturnType<typeof setTimeout> | undefined
  let waiting: { verdict: Verdict; since: number }[] = []
  /** Instants of answers. Each answer also arrives as an event, before or after it. */
  let answers: number[] = []
  let leaving: ReturnType<typeof setTimeout> | undefined
  /** Whether an admission is on the screen. */
  let admits = false
  let doorIsOpen = false
  /** Instants of the admissions shown since the door last closed, and of those shown before it closed. */
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
        // A person who is asked for a further step must not wait for the time to read.
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
