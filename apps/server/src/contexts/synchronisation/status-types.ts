/** Sources of the views of the synchronisation. */
import type { Scope } from '../../platform/session/session.ts'
import type { StrategyReading } from '../strategies/index.ts'
import type { ListedDevice } from './device-states.ts'

/** What the status needs from other contexts. */
export interface StatusSources {
  devices: { all(scope: Scope): Promise<ListedDevice[]> }
  people: {
    facts(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string; workNumber: string | null }[]>
    /** Return the ids of persons whose name or work number contains a text. */
    idsNamed(scope: Scope, text: string): Promise<string[]>
    /** Return the ids of persons who do not exist for the caller. */
    unseen(scope: Scope): Promise<{ ids: ReadonlySet<string> }>
  }
  reading: Pick<StrategyReading, 'findStrategies'>
}
