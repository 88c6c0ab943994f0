/** Changes by users to how single persons are compared: each in its own transaction, and in the operation log. */
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { MatchingChanges } from './matching-changes.ts'
import * as data from './matching-data.ts'
import { namesOf } from './matching-settings.ts'
import type { MatchingNeeds, Matching } from './matching-types.ts'

type ByHand = Matching['change']

export function createMatchingByHand(platform: Platform, needs: MatchingNeeds, changes: MatchingChanges): ByHand {
  const db = platform.db

  /**
   * Note a change in the operation log. Names are read before the transaction: a transaction that waits for a second connection
   * may wait for itself.
   */
  const log = (names: ReadonlyMap<string, string>, id: string, before: Record<string, unknown>, after: Record<string, unknown>): void =>
    platform.audit.note({ entity: 'person', id, label: names.get(id), labelMask: 'name', before, after })

  function logPair(
    names: ReadonlyMap<string, string>,
    { personId, otherId }: Pick<data.PairRow, 'personId' | 'otherId'>,
    added: boolean,
  ): void {
    for (const [id, other] of [
      [personId, otherId],
      [otherId, personId],
    ] as const)
      log(names, id, { lookAlike: added ? null : other }, { lookAlike: added ? other : null })
  }

  return {
    async threshold(scope, personId, own) {
      const names = await namesOf(needs, scope, [personId])
      if (own !== null && !own.loosens && own.threshold < (await needs.door(scope)))
        throw new InvalidRequest([{ path: 'threshold', rule: 'lessThanDoors' }])
      await platform.transaction(async (tx) => {
        await changes.lock(tx, scope)
        const before = (await data.findThresholds(scope, tx, [personId])).get(personId) ?? null
        await changes.setThreshold(tx, scope, personId, own)
        log(names, personId, { threshold: null, ...before }, { threshold: null, ...own })
      })
    },
    async setAside(scope, faceId, aside) {
      const [photo] = await data.findPhotosOfFaces(scope, db, [faceId])
      if (photo === undefined) throw new NotFound()
      const names = await namesOf(needs, scope, [photo.personId])
      await platform.transaction(async (tx) => {
        const moved = await changes.setAside(tx, scope, [faceId], aside)
        if (moved.length > 0) log(names, photo.personId, { setAside: aside ? null : faceId }, { setAside: aside ? faceId : null })
      })
    },
    async addPair(scope, personId, otherId) {
      if (personId === otherId) throw new InvalidRequest([{ path: 'otherId', rule: 'invalid' }])
      const names = await namesOf(needs, scope, [personId, otherId])
      return platform.transaction(async (tx) => {
        logPair(names, { personId, otherId }, true)
        return changes.rememberPair(tx, scope, { personId, otherId, origin: 'hand', recordId: null })
      })
    },
    async removePair(scope, pairId) {
      const pair = await data.findPair(scope, db, pairId)
      if (pair === undefined) throw new NotFound()
      const names = await namesOf(needs, scope, [pair.personId, pair.otherId])
      await platform.transaction(async (tx) => {
        await changes.forgetPair(tx, scope, pairId)
        logPair(names, pair, false)
      })
    },
  }
}
