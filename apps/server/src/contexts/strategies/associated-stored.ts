/** Associated rules as they are stored. */
import type { Database } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findAbout, type AboutRow } from './associated-rules-data.ts'
import type { Whole } from './associated-values.ts'
import { findStrategies, type StrategyRow } from './strategies-data.ts'
import { storedStrategy } from './strategy-changes.ts'

export interface StoredRule {
  about: AboutRow
  row: StrategyRow
}

/** Return an associated rule as it is stored. @throws Refusal 300101 */
export async function existingRule(scope: Scope, db: Database, id: string): Promise<StoredRule> {
  const [[about], [row]] = isUuid(id) ? await Promise.all([findAbout(scope, db, [id]), findStrategies(scope, db, [id])]) : [[], []]
  if (about === undefined || row === undefined) refuse(300101)
  return { about, row }
}

/** Return the values a rule has. */
export async function wholeRule(scope: Scope, db: Database, { about, row }: StoredRule): Promise<Whole> {
  const { authorizedObject: _object, accessGroupIds: _groups, visitorIds: _visitors, ...fields } = await storedStrategy(scope, db, row)
  return { ...fields, parkId: about.linkedPark, everybody: about.everybody }
}
