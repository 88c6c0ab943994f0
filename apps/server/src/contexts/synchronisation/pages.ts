/** Pages that devices pull, encoded once for all devices of an audience. */
import { DIGEST_BUCKETS, bucketOf } from '@gatehouse/contract/device/protocol'
import type { ChangesPage, DigestPage, PersonObject } from '@gatehouse/contract/device/protocol-persons'
import type { Platform } from '../../platform/context.ts'
import { createEncodedCache, type EncodedAnswer } from '../../platform/http/encoded.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { DevicePrincipal } from '../../platform/session/session.ts'
import { findAudience, findChanges } from './data.ts'
import { mayReceive } from './audience.ts'
import type { ParkRegister } from './register.ts'
import { createPersonObjects, type PersonEncoding, type PersonSources } from './person-objects.ts'
import type { Registers } from './registers.ts'

/** @throws NotFound if the audience is not the device's or may not be sent to it, InvalidRequest */
export interface Pages {
  changes(device: DevicePrincipal, audienceId: string, after: number, encoding: PersonEncoding): Promise<EncodedAnswer>
  digest(device: DevicePrincipal, audienceId: string): Promise<EncodedAnswer>
  versions(device: DevicePrincipal, audienceId: string, buckets: readonly number[]): Promise<EncodedAnswer>
  shelf(device: DevicePrincipal, audienceId: string, first: number, count: number, encoding: PersonEncoding): Promise<EncodedAnswer>
  persons(
    device: DevicePrincipal,
    audienceId: string,
    ids: readonly string[],
    encoding: PersonEncoding,
  ): Promise<{ audience: string; head: number; persons: PersonObject[] }>
  /**
   * Return the key of sealed credentials of the device's park, sealed for the public key that the device has sent.
   * @throws InvalidRequest if that is not a usable public key
   */
  credentialsKey(device: DevicePrincipal, sealingKey: string): Promise<string>
}

/** Changes of one page; with one face each, about 500 kB before compression. */
const CHANGES = 500
const CACHE_BYTES = 64 * 1024 * 1024

export function createPages(platform: Platform, registers: Registers, sources: PersonSources): Pages {
  const db = platform.db
  const cache = createEncodedCache(CACHE_BYTES)
  const objects = createPersonObjects(platform, sources)

  /** Return the register, if the audience is the device's and may be sent to it. @throws NotFound */
  function registerFor(device: DevicePrincipal, audienceId: string): ParkRegister {
    const register = registers.register({ parkId: device.parkId })
    const audience = register.audienceOf(device.deviceId)
    if (audience?.id !== audienceId || !mayReceive(device, audience)) throw new NotFound()
    return register
  }

  /** Return a cache key of a model, its templates here and in linked parks whose persons pass here, and how credentials are sent. */
  function encodingKey({ parkId }: DevicePrincipal, { modelId, credentials }: PersonEncoding): string {
    const parkIds = [parkId, ...registers.register({ parkId }).homes()]
    return `${credentials ?? 'open'}/${modelId}/${parkIds.map((id) => sources.faces.templatesRevision({ parkId: id }, modelId)).join('.')}`
  }

  /** Return the newest numbers: from the register on the node that writes them, from the database on any other. */
  async function stateOf(register: ParkRegister, audienceId: string): Promise<{ head: number; compareSeq: number; digest: string }> {
    const audience = register.audience(audienceId)!
    if (audience.published.digest !== '') return audience.published
    const row = await findAudience({ parkId: register.parkId }, db, audienceId)
    return { head: row?.head ?? 0, compareSeq: row?.compareSeq ?? 0, digest: register.sumsOf(audienceId).total() }
  }

  return {
    async changes(device, audienceId, after, encoding) {
      const register = registerFor(device, audienceId)
      const { head, compareSeq, digest } = await stateOf(register, audienceId)
      return cache.get(
        `changes/${audienceId}/${after}/${head}/${digest}/${encodingKey(device, encoding)}`,
        async (): Promise<ChangesPage> => {
          const answer = { audience: audienceId, digest, more: false, compare: false, persons: [], gone: [] }
          if (after < compareSeq || after > head) return { ...answer, head, compare: true }
          const rows = await findChanges({ parkId: device.parkId }, db, audienceId, after, head, CHANGES)
          const ids = rows.map(({ personId }) => personId)
          const last = rows.length < CHANGES ? head : rows.at(-1)!.seq
          return {
            ...answer,
            head: last,
            more: last < head,
            persons: await objects.of(
              register,
              audienceId,
              ids.filter((id) => register.holds(audienceId, id)),
              encoding,
            ),
            gone: ids.filter((id) => !register.holds(audienceId, id)),
          }
        },
      )
    },
    async digest(device, audienceId) {
      const register = registerFor(device, audienceId)
      const { head } = await stateOf(register, audienceId)
      const sums = register.sumsOf(audienceId)
      return cache.get(`digest/${audienceId}/${head}/${sums.total()}`, async (): Promise<DigestPage> => ({
        audience: audienceId,
        head,
        persons: register.personCount(audienceId),
        buckets: sums.words(),
      }))
    },
    async versions(device, audienceId, buckets) {
      const register = registerFor(device, audienceId)
      if (buckets.some((bucket) => bucket >= DIGEST_BUCKETS)) throw new InvalidRequest([{ path: 'buckets', rule: 'invalid' }])
      const { head } = await stateOf(register, audienceId)
      const key = `versions/${audienceId}/${register.sumsOf(audienceId).total()}/${buckets.join()}`
      return cache.get(key, async () => ({
        audience: audienceId,
        head,
        versions: register.personsOfBuckets(audienceId, buckets).map((id) => [id, register.versionOf(audienceId, id)]),
      }))
    },
    async shelf(device, audienceId, first, count, encoding) {
      const register = registerFor(device, audienceId)
      // Aligned shelves only, so that all devices ask for the same ones.
      if ((count & (count - 1)) !== 0 || first % count !== 0) throw new InvalidRequest([{ path: 'count', rule: 'invalid' }])
      const { head } = await stateOf(register, audienceId)
      const buckets = Array.from({ length: count }, (_, place) => first + place)
      const key = `shelf/${audienceId}/${first}/${count}/${encodingKey(device, encoding)}/${register.sumsOf(audienceId).wordsOf(buckets)}`
      return cache.get(key, async () => ({
        audience: audienceId,
        head,
        persons: (await objects.of(register, audienceId, register.personsOfBuckets(audienceId, buckets), encoding)).toSorted(
          (one, other) => bucketOf(one.id) - bucketOf(other.id),
        ),
      }))
    },
    async persons(device, audienceId, ids, encoding) {
      const register = registerFor(device, audienceId)
      const { head } = await stateOf(register, audienceId)
      return {
        audience: audienceId,
        head,
        persons: await objects.of(
          register,
          audienceId,
          ids.filter((id) => register.holds(audienceId, id)),
          encoding,
        ),
      }
    },
    credentialsKey: ({ parkId }, sealingKey) => objects.sealing.keyFor(parkId, sealingKey),
  }
}
