/** Who may decide a change that waits for a second person, in addition to the permission of a call. */
import type { PendingState } from '@gatehouse/contract/approvals/written-rules'
import type { Actor } from '../../platform/session/session.ts'

/** Return whether the actor is another person than the requester. An API user never is: two of them may belong to one person. */
export const isSecondPerson = ({ requestedById }: { requestedById: string }, { userId, kind }: Actor): boolean =>
  requestedById !== userId && kind === 'user'

/** Return whether the actor may confirm or reject a change that waits. */
export const canDecide = (row: { requestedById: string }, state: PendingState, actor: Actor): boolean =>
  state === 'waiting' && isSecondPerson(row, actor)
