/** Changes to how single persons are compared, each within a given transaction: noted in history and announced. */
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { facesChanged } from './events.ts'
import * as data from './matching-data.ts'
import { settingsOf } from './matching-settings.ts'
import type { Matching } from './matching-types.ts'

export type MatchingChanges = Pick<
  Matching,
  'lock' | 'setThreshold' | 'setAside' | 'putBack' | 'rememberPair' | 'pairOf' | 'forgetPair' | 'release' | 'eraseAll'
>

export function createMatchingChanges(platform: Platform): MatchingChanges {
  /** Note in history how these persons are compared after this transaction; a person compared like everybody has no entry. */
  const note = (tx: Transaction, scope: Scope, personIds: readonly string[]): Promise<void> =>
    platform.history.noteAll(tx, scope, 'personMatching', personIds, async () => {
      const settings = await settingsOf(scope, tx, personIds)
      const aside = (await data.findPhotosOfPersons(scope, tx, personIds)).filter((photo) => photo.setAsideAt !== null)
      return new Map(
        personIds.flatMap((id) => {
          const setAside = aside.filter(({ personId }) => personId === id).map(({ faceId }) => faceId)
          const own = settings.get(id)
          if (own === undefined && setAside.length === 0) return []
          const { threshold = null, loosens = false, lookAlikes = [] } = own ?? {}
          return [[id, { threshold, loosens, lookAlikes, setAside: setAside.toSorted() }] as const]
        }),
      )
    })

  async function changed(tx: Transaction, scope: Scope, personIds: readonly string[]): Promise<void> {
    const ids = [...new Set(personIds)]
    if (ids.length === 0) return
    await note(tx, scope, ids)
    await platform.events.announceAll(
      tx,
      facesChanged,
      scope.parkId,
      ids.map((id) => ({ personIds: [id] })),
    )
  }

  const lock: Matching['lock'] = (tx, scope) => data.lockMatching(scope, tx)

  const setThreshold: Matching['setThreshold'] = async (tx, scope, personId, own) => {
    await lock(tx, scope)
    const before = (await data.findThresholds(scope, tx, [personId])).get(personId) ?? null
    if (before?.threshold === own?.threshold && before?.loosens === own?.loosens) return
    if (own === null) await data.deleteThresholds(scope, tx, [personId])
    else await data.putThreshold(scope, tx, personId, own, platform.clock.now())
    await changed(tx, scope, [personId])
  }

  const setAside: Matching['setAside'] = async (tx, scope, faceIds, aside) => {
    await lock(tx, scope)
    const ids = new Set(faceIds)
    const photos = await data.findPhotosOfFaces(scope, tx, [...ids])
    if (photos.length < ids.size) throw new NotFound()
    const moving = photos.filter((photo) => (photo.setAsideAt !== null) !== aside)
    if (moving.length === 0) return []
    const personIds = [...new Set(moving.map(({ personId }) => personId))]
    if (aside) {
      const compared = (await data.findPhotosOfPersons(scope, tx, personIds)).filter(
        (photo) => photo.setAsideAt === null && !ids.has(photo.faceId),
      )
      if (personIds.some((id) => !compared.some(({ personId }) => personId === id))) refuse(200201, 'setAside')
    }
    const at = platform.clock.now()
    await data.setAsideAt(
      scope,
      tx,
      moving.map(({ faceId }) => faceId),
      aside ? at : null,
    )
    await changed(tx, scope, personIds)
    return moving.map(({ faceId }) => ({ faceId, at }))
  }

  const rememberPair: Matching['rememberPair'] = async (tx, scope, pair) => {
    await lock(tx, scope)
    const id = newId()
    const kept = await data.putPair(scope, tx, { id, ...pair }, platform.clock.now())
    if (kept === id) await changed(tx, scope, [pair.personId, pair.otherId])
    return kept
  }

  const forgetPair: Matching['forgetPair'] = async (tx, scope, pairId) => {
    await lock(tx, scope)
    const pair = await data.deletePair(scope, tx, pairId)
    if (pair === undefined) throw new NotFound()
    await changed(tx, scope, [pair.personId, pair.otherId])
  }

  return {
    lock,
    setThreshold,
    setAside,
    rememberPair,
    forgetPair,
    async putBack(tx, scope, photos) {
      await lock(tx, scope)
      const since = new Map(photos.map(({ faceId, at }) => [faceId, at]))
      const own = await data.findPhotosOfFaces(scope, tx, [...since.keys()])
      await setAside(
        tx,
        scope,
        own.flatMap(({ faceId, setAsideAt }) => (setAsideAt === since.get(faceId) ? [faceId] : [])),
        false,
      )
    },
    async pairOf(tx, scope, personId, otherId) {
      const pairs = await data.findPairs(scope, tx, [personId])
      const pair = pairs.find((one) => one.personId === otherId || one.otherId === otherId)
      return pair === undefined ? null : { id: pair.id, origin: pair.origin, recordId: pair.recordId }
    },
    async release(tx, scope, personIds) {
      if (personIds.length === 0) return
      await data.deleteThresholds(scope, tx, personIds)
      const others = await data.deletePairsOfPersons(scope, tx, personIds)
      await note(tx, scope, personIds)
      await changed(tx, scope, others)
    },
    async eraseAll(tx, scope) {
      await data.deleteMatchingOfPark(scope, tx)
      await platform.history.erase(tx, scope, ['personMatching'])
    },
  }
}
