/** Persons of linked parks whom associated rules let pass. */
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Sharing } from '../relations/index.ts'
import type { AboutRow } from './associated-rules-data.ts'

/** Whom an associated rule lets pass now. Those about visitors let nobody pass: a link shares none. */
export async function guestsOf(
  scope: Scope,
  { sharing }: { sharing: Pick<Sharing, 'guestsOf'> },
  { relationId, linkedPark, everybody, kind }: Pick<AboutRow, 'relationId' | 'linkedPark' | 'everybody' | 'kind'>,
  chosen: { personIds: string[]; personGroupIds: string[] },
  within?: Transaction,
): Promise<{ personIds: string[]; personGroupIds: string[]; home: string }> {
  const personIds = kind === 'visitor' ? [] : await sharing.guestsOf(scope, relationId, everybody ? null : chosen, within)
  return { personIds, personGroupIds: [], home: linkedPark }
}
