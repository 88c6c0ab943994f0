/**
 * Brings the persons held to those of an audience by comparing digests: only what differs is named by version, and only
 * what is missing is fetched, as whole shelves where that is most of a shelf. Broken off, the next one goes on there.
 */
import { call } from '@gatehouse/contract'
import { bucketOf, deviceProtocolCalls, DIGEST_BUCKETS } from '@gatehouse/contract/device/protocol'
import type { z } from 'zod'
import { unreadPersons, type Deliveries } from './deliveries.ts'
import type { HeldPersons } from './held-persons.ts'
import type { PersonsById } from './persons-by-id.ts'
import type { SealedCredentials } from './sealed-credentials.ts'
import { BULK_TIMEOUT, failsOnThis, isMissing, type ServerClient } from './server.ts'

export interface ComparisonOptions {
  client: ServerClient
  held: HeldPersons
  deliveries: Deliveries
  personsById: PersonsById
  modelId: string
  sealedCredentials: Pick<SealedCredentials, 'asked'>
}

export interface Comparison {
  /**
   * @returns when the device stands at a cursor of the audience again
   * @throws ServerAway, ServerRefused when the server cannot be asked
   */
  run(audience: string, signal: AbortSignal): Promise<void>
}

/** Persons of a shelf at most; an answer of about half a megabyte. */
const SHELF = 400
/** Persons whose versions are asked for at once. */
const VERSIONS = 10_000
/** Digest of a bucket of nobody. */
const EMPTY = '0'.repeat(16)

/** Read person by person: one that cannot be read must not hold up the rest of the shelf. */
const shelfUnread = call({ ...deviceProtocolCalls.shelf, data: unreadPersons })

type Versions = Map<string, string>

export function createComparison({ client, held, deliveries, personsById, modelId, sealedCredentials }: ComparisonOptions): Comparison {
  /** What is held in some buckets, by bucket. */
  function heldIn(buckets: readonly number[]): Map<number, Versions> {
    const found = new Map(buckets.map((bucket): [number, Versions] => [bucket, new Map()]))
    for (const [id, version] of held.holdings.versions()) found.get(bucketOf(id))?.set(id, version)
    return found
  }

  return {
    async run(audience, signal) {
      const params = { audience }
      const options = { signal, timeout: BULK_TIMEOUT }
      const digest = await client.request(deviceProtocolCalls.digest, { params }, { signal })
      /** What has been taken is no newer than the oldest answer; changes are asked for from there on. */
      let cursor = digest.head
      const size = shelfSize(digest.persons)
      const differing = digest.buckets.flatMap((word, bucket) => (word === held.bucketDigest(bucket) ? [] : [bucket]))
      const here = heldIn(differing)
      const shelves = Map.groupBy(differing, shelfOf)

      const whole: number[] = []
      const wanted = new Map<number, Versions>()
      for (const first of shelves.keys()) if (isEmpty(first)) whole.push(first)
      const known = differing.filter((bucket) => !isEmpty(shelfOf(bucket)))
      for (const buckets of portions(known, digest.persons)) await compareVersions(buckets)
      for (const [first, versions] of wanted) {
        if (versions.size * DIGEST_BUCKETS <= (digest.persons * size) / 2) continue
        wanted.delete(first)
        whole.push(first)
      }
      for (const first of whole) await takeShelf(first)
      await takePersons(new Map([...wanted.values()].flatMap((versions) => [...versions])))
      held.take({ persons: [], exceptions: [], gone: [], position: { audience, cursor } })

      function shelfOf(bucket: number): number {
        return bucket - (bucket % size)
      }

      function isEmpty(first: number): boolean {
        return bucketsFrom(first).every((bucket) => held.bucketDigest(bucket) === EMPTY)
      }

      function bucketsFrom(first: number): number[] {
        return Array.from({ length: size }, (_, place) => first + place)
      }

      /** Drops who is no longer named, and notes who is missing or held in another version. */
      async function compareVersions(buckets: readonly number[]): Promise<void> {
        const page = await client.request(deviceProtocolCalls.versions, { params, query: { buckets: buckets.join() } }, options)
        cursor = Math.min(cursor, page.head)
        const named = new Map(page.versions)
        const gone = buckets.flatMap((bucket) => [...here.get(bucket)!.keys()].filter((id) => !named.has(id)))
        if (gone.length > 0) held.take({ persons: [], exceptions: [], gone, position: null })
        const missing = page.versions.filter(([id, version]) => here.get(bucketOf(id))?.get(id) !== version)
        for (const [first, versions] of Map.groupBy(missing, ([id]) => shelfOf(bucketOf(id)))) {
          wanted.set(first, new Map([...(wanted.get(first) ?? []), ...versions]))
        }
      }

      async function takeShelf(first: number): Promise<void> {
        let page: z.output<typeof unreadPersons>
        try {
          page = await client.request(
            shelfUnread,
            { params: { audience, first, count: size }, query: { modelId, ...sealedCredentials.asked() } },
            options,
          )
        } catch (error) {
          if (isMissing(error) || !failsOnThis(error)) throw error
          // Somebody on the shelf makes the server fail: asked for by id, the others come.
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
        const gone = (shelves.get(first) ?? []).flatMap((bucket) => [...here.get(bucket)!.keys()].filter((id) => !named.has(id)))
        await deliveries.take(page.persons, { gone }, signal)
      }

      async function takePersons(versions: Versions): Promise<void> {
        cursor = Math.min(cursor, await personsById.take(audience, versions, signal))
      }
    },
  }
}

/** Buckets of a shelf: the most, as a power of two, that hold no more than 400 persons. */
function shelfSize(persons: number): number {
  let size = DIGEST_BUCKETS
  while (size > 1 && (persons * size) / DIGEST_BUCKETS > SHELF) size /= 2
  return size
}

/** Buckets in portions of so many persons that an answer stays small. */
function* portions(buckets: readonly number[], persons: number): Generator<number[]> {
  const length = Math.max(1, Math.floor((VERSIONS * DIGEST_BUCKETS) / Math.max(1, persons)))
  for (let from = 0; from < buckets.length; from += length) yield buckets.slice(from, from + length)
}
