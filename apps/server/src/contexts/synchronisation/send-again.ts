/** Sends persons again to every device that should store them, whatever their status there. */
import type { Scope } from '../../platform/session/session.ts'
import type { ChangeLog } from './resend.ts'
import type { StatusService } from './status.ts'
import type { SynchronisationView } from './view.ts'

/** Return how many devices are notified. */
export type SendAgain = (scope: Scope, personIds: readonly string[]) => Promise<number>

export function createSendAgain(view: SynchronisationView, status: StatusService, log: ChangeLog): SendAgain {
  return async (scope, personIds) => {
    const states = await status.states(scope, {})
    const touched = new Map<string, Set<string>>()
    for (const id of new Set(states.map(({ desired }) => desired.id))) {
      const memberIds = personIds.filter((personId) => view.holds(scope, id, personId))
      if (memberIds.length > 0) touched.set(id, new Set(memberIds))
    }
    if (touched.size > 0) await log.touch(scope, touched)
    return states.filter(({ desired }) => touched.has(desired.id)).length
  }
}
