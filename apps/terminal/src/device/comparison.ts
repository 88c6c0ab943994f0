/**
 * Comparison of the stored persons with those of an audience by digests. Versions are requested only for buckets that differ, and persons
 * only if they are missing; most of a shelf is fetched as a whole shelf. After an interruption, the next comparison continues from there.
 */
import { callsOf } from '@gatehouse/contract'
import { bucketOf, DIGEST_BUCKETS } from '@gatehouse/contract/device/protocol'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { z } from 'zod'
import { unreadPersons, type Deliveries } from './deliveries.ts'
import type { StoredPersons } from './stored-persons.ts'
import type { PersonsById } from './persons-by-id.ts'
import type { SealedCredentials } from './sealed-credentials.ts'
import { BULK_TIMEOUT, failsOnThis, isMissing, type ServerClient } from './server.ts'

export interface ComparisonOptions {
  client: ServerClient
  stored: StoredPersons
  deliveries: Deliveries
  personsById: PersonsById
  modelId: string
  sealedCredentials: Pick<SealedCredentials, 'queryParameters'>
}

export interface Comparison {
  /**
   * @returns when the device is at a cursor of the audience again
   * @throws ServerAway, ServerRefused when the server cannot be asked
   */
  run(audience: string, signal: AbortSignal): Promise<void>
}

/** Largest number of persons on a shelf; an answer of about half a megabyte. */
const SHELF = 400
/** Number of persons whose versions are requested at once. */
const VERSIONS = 10_000
/** Digest of an empty bucket. */
const EMPTY = '0'.repeat(16)

/** Read person by person, so that one that cannot be read does not block the rest of the shelf. */
const shelfUnread = callsOf('device')({ ...deviceProtocolCalls.shelf, data: unreadPersons })

type Versions = Map<string, string>

export function createComparison({ client, stored, deliveries, personsById, modelId, sealedCredentials }: ComparisonOptions): Comparison {
  /** Return the versions stored in some buckets, by bucket. */
  function versionsIn(buckets: readonly number[]): Map<number, Versions> {
    const found = new Map(buckets.map((bucket): [number, Versions] => [bucket, new Map()]))
    for (const [id, version] of stored.holdings.versions()) found.get(bucketOf(id))?.set(id, version)
    return found
  }

  return {
    async run(audience, signal) {
      const params = { audience }
      const options = { signal, timeout: BULK_TIMEOUT }
      const digest = await client.request(deviceProtocolCalls.digest, { params }, { signal })
      /** The persons taken are at least as new as the oldest answer; changes are requested from there on. */
      let cursor = digest.head
      const size = shelfSize(digest.persons)
      const differing = digest.buckets.flatMap((word, bucket) => (word === stored.bucketDigest(bucket) ? [] : [bucket]))
      const here = versionsIn(differing)
      const shelves = Map.groupBy(differing, shelfOf)

      const whole: number[] = []
      const toFetch = new Map<number, Versions>()
      for (const first of shelves.keys()) if (isEmpty(first)) whole.push(first)
      const occupied = differing.filter((bucket) => !isEmpty(shelfOf(bucket)))
      for (const buckets of portions(occupied, digest.persons)) await compareVersions(buckets)
      for (const [first, versions] of toFetch) {
        if (versions.size * DIGEST_BUCKETS <= (digest.persons * size) / 2) continue
        toFetch.delete(first)
        whole.push(first)
      }
      for (const first of whole) await takeShelf(first)
      await takePersons(new Map([...toFetch.values()].flatMap((versions) => [...versions])))
      stored.take({ persons: [], exceptions: [], removed: [], position: { audience, cursor } })

      function shelfOf(bucket: number): number {
        return bucket - (bucket % size)
      }

      function isEmpty(first: number): boolean {
        return bucketsFrom(first).every((bucket) => stored.bucketDigest(bucket) === EMPTY)
      }

      function bucketsFrom(first: number): number[] {
        return Array.from({ length: size }, (_, place) => first + place)
      }

      /** Drop persons no longer in the audience, and note those who are missing or stored in another version. */
      async function compareVersions(buckets: readonly number[]): Promise<void> {
        const page = await client.request(deviceProtocolCalls.versions, { params, query: { buckets: buckets.join() } }, options)
        cursor = Math.min(cursor, page.head)
        const named = new Map(page.versions)
        const removedIds = buckets.flatMap((bucket) => [...here.get(bucket)!.keys()].filter((id) => !named.has(id)))
        if (removedIds.length > 0) stored.take({ persons: [], exceptions: [], removed: removedIds, position: null })
        const missing = page.versions.filter(([id, version]) => here.get(bucketOf(id))?.get(id) !== version)
        for (const [first, versions] of Map.groupBy(missing, ([id]) => shelfOf(bucketOf(id)))) {
          toFetch.set(first, new Map([...(toFetch.get(first) ?? []), ...versions]))
        }
      }

      async function takeShelf(first: number): Promise<void> {
        let page: z.output<typeof unreadPersons>
        try {
          page = await client.request(
            shelfUnread,
            { params: { audience, first, count: size }, query: { modelId, ...sealedCredentials.queryParameters() } },
            options,
          )
        } catch (error) {
          if (isMissing(error) || !failsOnThis(error)) throw error
          // A person on the shelf makes the server fail; requested by id, the others still arrive.
          const buckets = bucketsFrom(first)
          const { head, versions } = await client.request(
            deviceProtocolCalls.versions,
            { params, query: { buckets: buckets.join() } },
            options,
          )
          cursor = Math.min(cursor, head)
          return takePersons(new Map(versions))
        }
        cursor = Math.min(cursor, page.head)
        const named = new Set(page.persons.map((person) => (person as { id?: unknown } | null)?.id))
        const removedIds = (shelves.get(first) ?? []).flatMap((bucket) => [...here.get(bucket)!.keys()].filter((id) => !named.has(id)))
        await deliveries.take(page.persons, { removed: removedIds }, signal)
      }

      async function takePersons(versions: Versions): Promise<void> {
        cursor = Math.min(cursor, await personsById.take(audience, versions, signal))
      }
    },
  }
}

/** Return the buckets of a shelf: the largest power of two that contains at most 400 persons. */
function shelfSize(persons: number): number {
  let size = DIGEST_BUCKETS
  while (size > 1 && (persons * size) / DIGEST_BUCKETS > SHELF) size /= 2
  return size
}

/** Divide buckets into portions with so few persons that an answer stays small. */
function* portions(buckets: readonly number[], persons: number): Generator<number[]> {
  const length = Math.max(1, Math.floor((VERSIONS * DIGEST_BUCKETS) / Math.max(1, persons)))
  for (let from = 0; from < buckets.length; from += length) yield buckets.slice(from, from + length)
}
