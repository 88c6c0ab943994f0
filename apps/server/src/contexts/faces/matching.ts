/** How single persons are compared: a threshold of their own, photographs set aside, and persons they are taken for. */
import type { PersonMatching } from '@gatehouse/contract/faces/calls'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { facesChanged } from './events.ts'
import * as data from './matching-data.ts'
import type { PairOrigin } from './matching-schema.ts'

/** What devices need to know of how a person is compared. */
export interface MatchingSettings {
  /** Raw score doors ask for where it is more than they ask of everybody; null: what they ask. */
  threshold: number | null
  /** It holds where it is less, too. */
  loosens: boolean
  lookAlikes: string[]
}

/** A photograph and since when it is out of comparison, in epoch milliseconds. */
export interface SetAside {
  faceId: string
  at: number
}

export interface LookAlikePair {
  id: string
  origin: PairOrigin
  recordId: string | null
}

/** Every change is noted in history and announced, so that devices and searches follow; changes of one park wait for each other. */
export interface Matching {
  /** A person with nothing of the kind is absent. @param tx reads what this transaction has done too */
  of(scope: Scope, personIds: readonly string[], tx?: OpenTransaction): Promise<Map<string, MatchingSettings>>
  /** Until the transaction ends nobody else changes anything here. */
  lock(tx: OpenTransaction, scope: Scope): Promise<void>
  /** @param own null for what doors ask of everybody */
  setThreshold(tx: OpenTransaction, scope: Scope, personId: string, own: data.OwnThreshold | null): Promise<void>
  /**
   * Takes photographs out of comparison, or back in; answers those that were not so already.
   * @throws NotFound for a photograph no person of the park has; Refusal 200201 for the last one of a person that is compared
   */
  setAside(tx: OpenTransaction, scope: Scope, faceIds: readonly string[], aside: boolean): Promise<SetAside[]>
  /** Takes photographs back in that are aside since exactly then; whatever became of the others stays. */
  putBack(tx: OpenTransaction, scope: Scope, photos: readonly SetAside[]): Promise<void>
  /** Remembers that two persons look alike; answers the id of the pair, that of the one already known. */
  rememberPair(
    tx: OpenTransaction,
    scope: Scope,
    pair: { personId: string; otherId: string; origin: PairOrigin; recordId: string | null },
  ): Promise<string>
  /** The pair of two persons, in either order. */
  pairOf(tx: OpenTransaction, scope: Scope, personId: string, otherId: string): Promise<LookAlikePair | null>
  /** @throws NotFound */
  forgetPair(tx: OpenTransaction, scope: Scope, pairId: string): Promise<void>
  /** Forgets what is known of persons who are being deleted. */
  release(tx: OpenTransaction, scope: Scope, personIds: readonly string[]): Promise<void>
  eraseAll(tx: OpenTransaction, scope: Scope): Promise<void>
  /** @throws NotFound */
  read(scope: Scope, personId: string): Promise<PersonMatching>
  /** The same changes, each by itself. @throws NotFound, Refusal 200201, InvalidRequest for a pair of one person and for less than doors ask without a warning */
  change: {
    threshold(scope: Scope, personId: string, own: data.OwnThreshold | null): Promise<void>
    setAside(scope: Scope, faceId: string, aside: boolean): Promise<void>
    addPair(scope: Scope, personId: string, otherId: string): Promise<string>
    removePair(scope: Scope, pairId: string): Promise<void>
  }
}

export interface MatchingNeeds {
  /** Unknown ids are left out. */
  persons(scope: Scope, ids: readonly string[]): Promise<readonly { id: string; name: string }[]>
  /** Raw score a door asks for that knows everybody of the park. */
  door(scope: Scope): Promise<number>
  /** The model that runs. */
  modelId: string
}

export function createMatching(platform: Platform, needs: MatchingNeeds): Matching {
  const db = platform.db as unknown as Database<data.Tables>
  const open = (tx: OpenTransaction) => tx as Tx<data.Tables>

  async function settingsOf(on: Database<data.Tables>, scope: Scope, personIds: readonly string[]): Promise<Map<string, MatchingSettings>> {
    const [thresholds, pairs] = await Promise.all([data.findThresholds(scope, on, personIds), data.findPairs(scope, on, personIds)])
    const asked = new Set(personIds)
    const settings = new Map<string, MatchingSettings>()
    const ofPerson = (id: string): MatchingSettings => {
      const known = settings.get(id) ?? { threshold: null, loosens: false, ...thresholds.get(id), lookAlikes: [] }
      settings.set(id, known)
      return known
    }
    for (const id of thresholds.keys()) ofPerson(id)
    for (const { personId, otherId } of pairs) {
      if (asked.has(personId)) ofPerson(personId).lookAlikes.push(otherId)
      if (asked.has(otherId)) ofPerson(otherId).lookAlikes.push(personId)
    }
    for (const { lookAlikes } of settings.values()) lookAlikes.sort()
    return settings
  }

  /** Notes how these persons are compared, as this transaction leaves it; who is compared like everybody has no entry. */
  const note = (tx: OpenTransaction, scope: Scope, personIds: readonly string[]): Promise<void> =>
    platform.history.noteAll(tx, scope, 'personMatching', personIds, async () => {
      const settings = await settingsOf(open(tx), scope, personIds)
      const aside = (await data.findPhotosOfPersons(scope, open(tx), personIds)).filter((photo) => photo.setAsideAt !== null)
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

  async function changed(tx: OpenTransaction, scope: Scope, personIds: readonly string[]): Promise<void> {
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

  async function assertKnown(scope: Scope, personIds: readonly string[]): Promise<Map<string, string>> {
    const found = await needs.persons(scope, personIds)
    if (found.length < new Set(personIds).size) throw new NotFound()
    return new Map(found.map(({ id, name }) => [id, name]))
  }

  /** Tells the operation log. Names are read before the transaction: in it, waiting for another connection may wait for itself. */
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

  const lock: Matching['lock'] = (tx, scope) => data.lockMatching(scope, open(tx))

  const setThreshold: Matching['setThreshold'] = async (tx, scope, personId, own) => {
    await lock(tx, scope)
    const before = (await data.findThresholds(scope, open(tx), [personId])).get(personId) ?? null
    if (before?.threshold === own?.threshold && before?.loosens === own?.loosens) return
    if (own === null) await data.deleteThresholds(scope, open(tx), [personId])
    else await data.putThreshold(scope, open(tx), personId, own, platform.clock.now())
    await changed(tx, scope, [personId])
  }

  const setAside: Matching['setAside'] = async (tx, scope, faceIds, aside) => {
    await lock(tx, scope)
    const wanted = new Set(faceIds)
    const photos = await data.findPhotosOfFaces(scope, open(tx), [...wanted])
    if (photos.length < wanted.size) throw new NotFound()
    const moving = photos.filter((photo) => (photo.setAsideAt !== null) !== aside)
    if (moving.length === 0) return []
    const personIds = [...new Set(moving.map(({ personId }) => personId))]
    if (aside) {
      const compared = (await data.findPhotosOfPersons(scope, open(tx), personIds)).filter(
        (photo) => photo.setAsideAt === null && !wanted.has(photo.faceId),
      )
      if (personIds.some((id) => !compared.some(({ personId }) => personId === id))) refuse(200201, 'setAside')
    }
    const at = platform.clock.now()
    await data.setAsideAt(
      scope,
      open(tx),
      moving.map(({ faceId }) => faceId),
      aside ? at : null,
    )
    await changed(tx, scope, personIds)
    return moving.map(({ faceId }) => ({ faceId, at }))
  }

  const rememberPair: Matching['rememberPair'] = async (tx, scope, pair) => {
    await lock(tx, scope)
    const id = newId()
    const kept = await data.putPair(scope, open(tx), { id, ...pair }, platform.clock.now())
    if (kept === id) await changed(tx, scope, [pair.personId, pair.otherId])
    return kept
  }

  const forgetPair: Matching['forgetPair'] = async (tx, scope, pairId) => {
    await lock(tx, scope)
    const pair = await data.deletePair(scope, open(tx), pairId)
    if (pair === undefined) throw new NotFound()
    await changed(tx, scope, [pair.personId, pair.otherId])
  }

  return {
    lock,
    setThreshold,
    setAside,
    rememberPair,
    forgetPair,
    of: (scope, personIds, tx) => settingsOf(tx === undefined ? db : open(tx), scope, personIds),
    async putBack(tx, scope, photos) {
      await lock(tx, scope)
      const since = new Map(photos.map(({ faceId, at }) => [faceId, at]))
      const own = await data.findPhotosOfFaces(scope, open(tx), [...since.keys()])
      await setAside(
        tx,
        scope,
        own.flatMap(({ faceId, setAsideAt }) => (setAsideAt === since.get(faceId) ? [faceId] : [])),
        false,
      )
    },
    async pairOf(tx, scope, personId, otherId) {
      const pairs = await data.findPairs(scope, open(tx), [personId])
      const pair = pairs.find((one) => one.personId === otherId || one.otherId === otherId)
      return pair === undefined ? null : { id: pair.id, origin: pair.origin, recordId: pair.recordId }
    },
    async release(tx, scope, personIds) {
      if (personIds.length === 0) return
      await data.deleteThresholds(scope, open(tx), personIds)
      const others = await data.deletePairsOfPersons(scope, open(tx), personIds)
      await note(tx, scope, personIds)
      await changed(tx, scope, others)
    },
    async eraseAll(tx, scope) {
      await data.deleteMatchingOfPark(scope, open(tx))
      await platform.history.erase(tx, scope, ['personMatching'])
    },
    async read(scope, personId) {
      await assertKnown(scope, [personId])
      const [photos, pairs, thresholds] = await Promise.all([
        data.findPhotosOfPersons(scope, db, [personId]),
        data.findPairs(scope, db, [personId]),
        data.findThresholds(scope, db, [personId]),
      ])
      const otherOf = (pair: data.PairRow) => (pair.personId === personId ? pair.otherId : pair.personId)
      const otherIds = pairs.map(otherOf)
      const [others, pictures, comparable, parkThreshold] = await Promise.all([
        needs.persons(scope, otherIds),
        data.findPhotosOfPersons(scope, db, otherIds),
        data.findComparable(
          scope,
          db,
          photos.map(({ faceId }) => faceId),
          needs.modelId,
        ),
        needs.door(scope),
      ])
      const address = (fileId: string | undefined, variant: '96' | '320') =>
        fileId === undefined ? '' : platform.storage.address(scope, fileId, variant)
      return {
        personId,
        threshold: null,
        loosens: false,
        ...thresholds.get(personId),
        parkThreshold,
        photos: photos.map(({ faceId, fileId, setAsideAt }) => ({
          faceId,
          url: address(fileId, '320'),
          thumbnail: address(fileId, '96'),
          setAsideAt: setAsideAt as number | null,
          current: comparable.has(faceId),
        })),
        lookAlikes: pairs.flatMap((pair) => {
          const other = others.find(({ id }) => id === otherOf(pair))
          if (other === undefined) return []
          const picture = pictures.find((photo) => photo.personId === other.id)
          return [
            {
              pairId: pair.id,
              personId: other.id,
              personName: other.name,
              thumbnail: address(picture?.fileId, '96'),
              origin: pair.origin,
              createdAt: pair.createdAt as number,
            },
          ]
        }),
      }
    },
    change: {
      async threshold(scope, personId, own) {
        const names = await assertKnown(scope, [personId])
        if (own !== null && !own.loosens && own.threshold < (await needs.door(scope)))
          throw new InvalidRequest([{ path: 'threshold', rule: 'lessThanDoors' }])
        await platform.transaction(async (tx: Tx<data.Tables>) => {
          await lock(tx, scope)
          const before = (await data.findThresholds(scope, tx, [personId])).get(personId) ?? null
          await setThreshold(tx, scope, personId, own)
          log(names, personId, { threshold: null, ...before }, { threshold: null, ...own })
        })
      },
      async setAside(scope, faceId, aside) {
        const [photo] = await data.findPhotosOfFaces(scope, db, [faceId])
        if (photo === undefined) throw new NotFound()
        const names = await assertKnown(scope, [photo.personId])
        await platform.transaction(async (tx: Tx<data.Tables>) => {
          const moved = await setAside(tx, scope, [faceId], aside)
          if (moved.length > 0) log(names, photo.personId, { setAside: aside ? null : faceId }, { setAside: aside ? faceId : null })
        })
      },
      async addPair(scope, personId, otherId) {
        if (personId === otherId) throw new InvalidRequest([{ path: 'otherId', rule: 'invalid' }])
        const names = await assertKnown(scope, [personId, otherId])
        return platform.transaction(async (tx: Tx<data.Tables>) => {
          logPair(names, { personId, otherId }, true)
          return rememberPair(tx, scope, { personId, otherId, origin: 'hand', recordId: null })
        })
      },
      async removePair(scope, pairId) {
        const pair = await data.findPair(scope, db, pairId)
        if (pair === undefined) throw new NotFound()
        const names = await assertKnown(scope, [pair.personId, pair.otherId])
        await platform.transaction(async (tx: Tx<data.Tables>) => {
          await forgetPair(tx, scope, pairId)
          logPair(names, pair, false)
        })
      },
    },
  }
}
