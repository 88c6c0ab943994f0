/** Actors as the logs name them. */
import type { Actor, Caller } from '../session/session.ts'

/** Whom a log entry names: an actor, or only a name where nobody is logged in. */
export interface LoggedActor {
  parkId: string
  userId: string | null
  account: string
  operator: string
  source: 'local' | 'thirdParty'
}

/** Return an actor as the logs name them, in the park they act in. */
export const loggedActor = ({ scope, userId, account, operator, kind }: Caller): LoggedActor => ({
  parkId: scope.parkId,
  userId,
  account,
  operator,
  source: sourceOf({ kind }),
})

/** Return the source that the logs state for an actor. */
export const sourceOf = ({ kind }: Pick<Actor, 'kind'>): LoggedActor['source'] => (kind === 'client' ? 'thirdParty' : 'local')
