/** What this context asks of others. */
import type { Scope } from '../../platform/session/session.ts'
import type { PassageFacts, Span } from '../records/index.ts'
import type { PeopleService } from '../people/index.ts'
import type { VisitsOfPersons } from './extension-points.ts'

export interface RestrictionDependencies {
  people: Pick<PeopleService, 'facts' | 'idsNamed'>
  devices: { facts(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string; direction: number }[]> }
  /** Visits of persons, which an area above has. */
  visits(): VisitsOfPersons
  /** Records by their ids, the earliest of each device first. */
  passages(scope: Scope, recordIds: readonly string[], span?: Span): Promise<PassageFacts[]>
}
