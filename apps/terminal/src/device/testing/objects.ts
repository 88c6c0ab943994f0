/** Persons, manifests and digests as the server of the terminal's tests has them. */
import { BUILTIN_MODEL } from '@gatehouse/face-engine'
import { createHash } from 'node:crypto'
import { bucketOf, DIGEST_BUCKETS } from '@gatehouse/contract/device/protocol'
import type { Manifest, StrategyObject, TimeRuleObject } from '@gatehouse/contract/device/protocol-manifest'
import type { PersonObject } from '@gatehouse/contract/device/protocol-persons'
import type { TakenPerson } from '../store.ts'

export const DEVICE = { deviceId: 'device-1', code: 'GATE-1', secret: 'correct horse', name: 'North gate' }

/** Everybody may pass at all times, unless a test says otherwise. */
export const OPEN_RULE: TimeRuleObject = {
  id: 'always',
  name: 'Always',
  periods: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: '00:00', end: '24:00' })),
  allowedExceptionDates: [],
  forbiddenExceptionDates: [],
  effectiveDate: null,
}
export const OPEN_STRATEGY: StrategyObject = { id: 'all', timeRuleIds: ['always'], methods: [1], validFrom: null, validTo: null }

/** Settings under which everybody of the audience may pass. */
export function manifestWith(change: Partial<Manifest> = {}): Manifest {
  return {
    revision: 'r-1',
    audience: 'audience-1',
    settings: {
      deviceId: DEVICE.deviceId,
      name: DEVICE.name,
      direction: 1,
      zone: 'Asia/Shanghai',
      threshold: 80,
      secondVerification: null,
      factorTimeoutMs: 10_000,
      margin: 0,
      lookAlikeMargin: 0,
      liveness: null,
    },
    strategies: [OPEN_STRATEGY],
    timeRules: [OPEN_RULE],
    ...change,
  }
}

/** Return an id that reads as a name and falls into a bucket determined by it. */
export function idOf(name: string): string {
  return `${name}-${createHash('sha256').update(name).digest('hex').slice(0, 2)}`
}

/** Return a version in the server's form; each number gives another one. */
export function versionOf(number: number): string {
  return createHash('sha256').update(String(number)).digest('hex').slice(0, 16)
}

/** A person with one face. @param embedding of the built-in model */
export function personWith(id: string, embedding: Float32Array, change: Partial<PersonObject> = {}): PersonObject {
  const template = Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength).toString('base64')
  return {
    id,
    version: versionOf(1),
    name: `Name of ${id}`,
    workNumber: id,
    enabled: true,
    validFrom: null,
    validTo: null,
    strategyIds: ['all'],
    faceThreshold: null,
    lookAlikes: [],
    faces: [{ faceId: `${id}-face`, modelId: BUILTIN_MODEL, template }],
    ...change,
  }
}

/** Return a contact who comes in a person's place, with one face. */
export function contactWith(id: string, embedding: Float32Array, name = `Name of ${id}`): NonNullable<PersonObject['contacts']>[number] {
  return { id, name, faces: personWith(id, embedding).faces }
}

/** Return a person as a store takes one whose templates all arrived. */
export function takenOf({ faces, contacts, ...person }: PersonObject): TakenPerson {
  const templates = (all: PersonObject['faces']) => all.map(({ faceId, template }) => ({ faceId, template: template! }))
  return {
    ...person,
    faces: templates(faces),
    ...(contacts && { contacts: contacts.map((contact) => ({ ...contact, faces: templates(contact.faces) })) }),
  }
}

/** Return the sums of versions by bucket, and of all. */
export function digestsOf(versions: Iterable<readonly [id: string, version: string]>): { buckets: string[]; digest: string } {
  const sums = Array.from({ length: DIGEST_BUCKETS }, () => 0n)
  for (const [id, version] of versions) sums[bucketOf(id)]! += BigInt(`0x${version}`)
  const word = (sum: bigint) => BigInt.asUintN(64, sum).toString(16).padStart(16, '0')
  return { buckets: sums.map(word), digest: word(sums.reduce((total, sum) => total + sum, 0n)) }
}
