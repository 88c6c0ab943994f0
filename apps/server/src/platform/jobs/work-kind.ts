/** The interface of a kind of work. */
import type { Scope } from '../session/session.ts'

/** The work was cancelled; what it started may be cleaned up. */
export class WorkCancelled extends Error {
  override readonly name = 'WorkCancelled'
}

/**
 * The attempt ends but the work does not: the server stops, another node leads, or others wait for the place. The next attempt continues
 * from the state stored last.
 */
export class WorkInterrupted extends Error {
  override readonly name = 'WorkInterrupted'
}

export interface WorkProgress {
  /** Steps taken. */
  done: number
  /** Steps in all; unchanged if absent. */
  total?: number
  /** Steps that failed; unchanged if absent. */
  failed?: number
  /** Passed to the next attempt as `state`; unchanged if absent. */
  state?: unknown
}

/** One attempt at a piece of work. */
export interface WorkRun {
  readonly id: string
  readonly scope: Scope
  /** As it was requested. */
  readonly input: unknown
  /** State that an earlier attempt stored; null at the first attempt. */
  readonly state: unknown
  /** Aborted with WorkCancelled or WorkInterrupted, the error that `progress` throws too. */
  readonly signal: AbortSignal
  /** Report the progress; it is durable within half a second, and at the end. @throws WorkCancelled, WorkInterrupted */
  progress(progress: WorkProgress): Promise<void>
  /**
   * Mark a point where nothing is lost if the attempt ends, for kinds that start over.
   * @throws WorkCancelled, WorkInterrupted where others wait
   */
  checkpoint(): void
}

export interface WorkKind {
  /** `context.verbNoun`. */
  kind: string
  /** Do the work. An error makes the work fail, with the error's message as the reason. */
  run(run: WorkRun): Promise<void>
  /**
   * An interrupted attempt starts over, so it keeps its place until it ends or reaches a checkpoint, however many wait. Other kinds are
   * interrupted when their slice of time is over and others wait, and continue later from their stored state.
   */
  startsOver?: true
  /** Depends on something that only the leading node has. Where this is set, a comment says on what. */
  leaderOnly?: true
}
