/** How single persons are compared: individual thresholds, photographs set aside, and persons who look alike. */
import type { Platform } from '../../platform/context.ts'
import { readMatching } from './matching-answer.ts'
import { createMatchingByHand } from './matching-by-hand.ts'
import { createMatchingChanges } from './matching-changes.ts'
import { settingsOf } from './matching-settings.ts'
import type { Matching, MatchingNeeds } from './matching-types.ts'

export function createMatching(platform: Platform, needs: MatchingNeeds): Matching {
  const changes = createMatchingChanges(platform)
  return {
    ...changes,
    of: (scope, personIds, tx) => settingsOf(scope, tx ?? platform.db, personIds),
    read: (scope, personId) => readMatching(platform, needs, scope, personId),
    change: createMatchingByHand(platform, needs, changes),
  }
}
