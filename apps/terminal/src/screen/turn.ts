/**
 * Whose turn on the screen it is. Somebody who chose a picture wants to read its verdict, and stands before the camera
 * while he does: what is decided at the door meanwhile waits a moment and is shown then.
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
}

/** Milliseconds in which a verdict is read. */
const MOMENT = 2_000

/**
 * @param stays milliseconds after which what was decided is no longer shown: nobody who comes later is to see who was here
 * @param show puts on the screen what was decided at the door
 */
export function createTurn<Verdict extends Told>(stays: number, show: (verdict: Verdict) => void): Turn<Verdict> {
  let chosen = 0
  let underWay = 0
  let reading: ReturnType<typeof setTimeout> | undefined
  let waiting: { verdict: Verdict; since: number }[] = []
  /** Instants of answers: each of them is told as an event too, before it or after. */
  let answers: number[] = []

  function end(): void {
    const next = waiting.findLast(({ verdict }) => !answers.includes(verdict.occurredAt))
    reading = undefined
    waiting = []
    answers = []
    if (next && performance.now() - next.since < stays) show(next.verdict)
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
  }
}
