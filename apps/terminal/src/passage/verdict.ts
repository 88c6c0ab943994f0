/** Outcome of a passage, for the screen and for programs. */
import type { Check } from '@gatehouse/access-rules'
import type { Awaiting } from './decision.ts'

export interface Verdict {
  /** `pending`: the inputs in `awaits` are missing. */
  verdict: 'allowed' | 'rejected' | 'pending'
  /** Fail reason of the specification; null if allowed, and if the picture shows no face to decide about. */
  failReason: number | null
  /** Why there was no face to decide about, as a business code of the catalogue; null if there was one. */
  reason: number | null
  /** What is to be shown next, and until when; absent or null unless the verdict is pending. */
  awaits?: Awaiting | null
  /** Things an admitted person is asked to put on. */
  prompts?: ('mask' | 'helmet')[]
  personId: string | null
  personName: string
  /** The contact who came in the person's place; null, empty or absent where the person came. */
  contactId?: string | null
  contactName?: string
  workNumber?: string
  /** 0..100; null if nobody was compared. */
  score: number | null
  /** Null if no record was made. */
  recordId: string | null
  checks: Check[]
  /** Epoch milliseconds. */
  occurredAt: number
  /** Whether this is a recent verdict on the same face, returned again without a new record. */
  repeated: boolean
  /** Milliseconds the engine took, and the whole passage. */
  timings: { engine: number; total: number }
}

/** Completes a partial verdict. */
export type Finish = (outcome: Partial<Verdict>) => Verdict

/**
 * @param moment epoch milliseconds
 * @param started value of `performance.now` when the passage started
 * @param engine milliseconds the face engine took
 */
export function finisher(moment: number, started = performance.now(), engine = 0): Finish {
  return (outcome) => ({ ...NOBODY, occurredAt: moment, ...outcome, timings: { engine, total: Math.round(performance.now() - started) } })
}

const NOBODY = {
  verdict: 'rejected',
  failReason: null,
  reason: null,
  personId: null,
  personName: '',
  score: null,
  recordId: null,
  checks: [],
  repeated: false,
} satisfies Partial<Verdict>
