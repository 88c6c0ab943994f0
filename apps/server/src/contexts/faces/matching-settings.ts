/** Stored settings of how single persons are compared. */
import type { Database } from '../../platform/database/database.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './matching-data.ts'
import type { MatchingNeeds, MatchingSettings } from './matching-types.ts'

/** Return how these persons are compared; a person compared like everybody has no entry. */
export async function settingsOf(scope: Scope, db: Database, personIds: readonly string[]): Promise<Map<string, MatchingSettings>> {
  const [thresholds, pairs] = await Promise.all([data.findThresholds(scope, db, personIds), data.findPairs(scope, db, personIds)])
  const requested = new Set(personIds)
  const settings = new Map<string, MatchingSettings>()
  const ofPerson = (id: string): MatchingSettings => {
    const own = settings.get(id) ?? { threshold: null, loosens: false, ...thresholds.get(id), lookAlikes: [] }
    settings.set(id, own)
    return own
  }
  for (const id of thresholds.keys()) ofPerson(id)
  for (const { personId, otherId } of pairs) {
    if (requested.has(personId)) ofPerson(personId).lookAlikes.push(otherId)
    if (requested.has(otherId)) ofPerson(otherId).lookAlikes.push(personId)
  }
  for (const { lookAlikes } of settings.values()) lookAlikes.sort()
  return settings
}

/** Return the names of persons by id. @throws NotFound */
export async function namesOf(
  needs: Pick<MatchingNeeds, 'persons'>,
  scope: Scope,
  personIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await needs.persons(scope, personIds)
  if (found.length < new Set(personIds).size) throw new NotFound()
  return new Map(found.map(({ id, name }) => [id, name]))
}
