/** What devices pull, encoded once for all devices of an audience. */
import type { CredentialKind } from '@gatehouse/access-rules'
import { DIGEST_BUCKETS, bucketOf, type ChangesPage, type DigestPage, type PersonObject } from '@gatehouse/contract/device/protocol'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { createEncodedCache, type EncodedAnswer } from '../../platform/http/encoded.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { DevicePrincipal, Scope } from '../../platform/session/session.ts'
import type { PersonsWithCards, ShownCredentials } from './card-passwords.ts'
import { findAudience, findChanges } from './data.ts'
import { contentOf, mayHear, type FaceFacts, type ParkRegister, type PersonFacts } from './register.ts'
import type { Registers } from './registers.ts'
import type { SynchronisationTables } from './schema.ts'
import { createSealing, type Seal } from './sealed-credentials.ts'
import type { ContactsOf } from './sources.ts'

export interface PageSources {
  persons: {
    facts(scope: Scope, ids: readonly string[]): Promise<PersonFacts[]>
    credentials: PersonsWithCards['credentials']
    contactsOf: ContactsOf
  }
  faces: {
    heldOf(scope: Scope, personIds: readonly string[]): Promise<Map<string, FaceFacts>>
    /** Templates of a model, by photograph. */
    templatesOf(scope: Scope, personIds: readonly string[], modelId: string): Promise<Map<string, Buffer>>
    templatesOfContacts(scope: Scope, contactIds: readonly string[], modelId: string): Promise<Map<string, Buffer>>
    /** Another number whenever a model has templates it had not before; contents do not tell, since versions do not name models. */
    templatesRevision(scope: Scope, modelId: string): number
  }
}

/** How persons are told: with templates of which model, and whether what they show besides is sealed on the way. */
export interface Told {
  modelId: string
  credentials?: 'sealed' | undefined
}

/** @throws NotFound where the audience is not the device's, InvalidRequest */
export interface Pages {
  changes(device: DevicePrincipal, audienceId: string, after: number, told: Told): Promise<EncodedAnswer>
  digest(device: DevicePrincipal, audienceId: string): Promise<EncodedAnswer>
  versions(device: DevicePrincipal, audienceId: string, buckets: readonly number[]): Promise<EncodedAnswer>
  shelf(device: DevicePrincipal, audienceId: string, first: number, count: number, told: Told): Promise<EncodedAnswer>
  persons(
    device: DevicePrincipal,
    audienceId: string,
    ids: readonly string[],
    told: Told,
  ): Promise<{ audience: string; head: number; persons: PersonObject[] }>
  /** The key of sealed credentials of the device's park, sealed for the public key it has sent. @throws InvalidRequest where that is none */
  credentialsKey(device: DevicePrincipal, sealingKey: string): Promise<string>
}

/** Changes of one page; with a face each about 500 kB before compression. */
const CHANGES = 500
const CACHE_BYTES = 64 * 1024 * 1024
/** As the protocol takes them. */
const LOOK_ALIKES = 100

type Credentials = NonNullable<PersonObject['credentials']>

export function createPages(platform: Platform, registers: Registers, sources: PageSources): Pages {
  const db = platform.db as unknown as Database<SynchronisationTables>
  const cache = createEncodedCache(CACHE_BYTES)
  const sealing = createSealing(platform.crypto)

  /** The register, once it is clear that the audience is the device's, and may be. */
  function registerFor(device: DevicePrincipal, audienceId: string): ParkRegister {
    const register = registers.register({ parkId: device.parkId })
    const audience = register.audienceOf(device.deviceId)
    if (audience?.id !== audienceId || !mayHear(device, audience)) throw new NotFound()
    return register
  }

  /** Names a model and the templates it has, here and in linked parks whose persons pass here, and how credentials are told. */
  function madeBy({ parkId }: DevicePrincipal, { modelId, credentials }: Told): string {
    const parkIds = [parkId, ...registers.register({ parkId }).homes()]
    return `${credentials ?? 'open'}/${modelId}/${parkIds.map((id) => sources.faces.templatesRevision({ parkId: id }, modelId)).join('.')}`
  }

  /** The newest numbers: of the register on the node that writes them, of the database on any other. */
  async function stateOf(register: ParkRegister, audienceId: string): Promise<{ head: number; compareSeq: number; digest: string }> {
    const audience = register.audience(audienceId)!
    if (audience.published.digest !== '') return audience.published
    const row = await findAudience({ parkId: register.parkId }, db, audienceId)
    return { head: row?.head ?? 0, compareSeq: row?.compareSeq ?? 0, digest: register.sumsOf(audienceId).total() }
  }

  /** Persons of one park: each is read where he is registered, with the key of that park. */
  async function readPersons(
    scope: Scope,
    register: ParkRegister,
    audienceId: string,
    ids: readonly string[],
    modelId: string,
    seal: Seal | null,
  ): Promise<PersonObject[]> {
    const [facts, faces, templates, contacts] = await Promise.all([
      sources.persons.facts(scope, ids),
      sources.faces.heldOf(scope, ids),
      sources.faces.templatesOf(scope, ids, modelId),
      sources.persons.contactsOf(
        scope,
        ids.filter((id) => register.knowsContacts(audienceId, id)),
      ),
    ])
    const ofContacts = await sources.faces.templatesOfContacts(
      scope,
      [...contacts.values()].flat().map(({ id }) => id),
      modelId,
    )
    const faceOf = (faceId: string, all: ReadonlyMap<string, Buffer>) => ({
      faceId,
      modelId,
      template: all.get(faceId)?.toString('base64') ?? null,
    })
    // Read behind the facts: what changes in between goes under the version of before, and comes once more under its own.
    const credentials = await sources.persons.credentials(scope, ids)
    const kinds = register.credentialsOf(audienceId)
    return facts.flatMap((person): PersonObject[] => {
      // Whoever left meanwhile comes as a change of his own.
      if (!register.holds(audienceId, person.id)) return []
      const own = faces.get(person.id)!
      const standIns = register.knowsContacts(audienceId, person.id) ? (contacts.get(person.id) ?? []) : []
      return [
        {
          id: person.id,
          ...register.entitlementOf(audienceId, person.id, contentOf(person, own, standIns)),
          name: person.name,
          workNumber: person.workNumber ?? '',
          enabled: person.enabled,
          validFrom: person.validFrom,
          validTo: person.validTo,
          faceThreshold: own.threshold,
          ...(own.loosens === true && { faceThresholdLoosens: true }),
          // Those of other audiences too: one of them who comes to this door tomorrow changes nothing about this person, who is not sent again.
          lookAlikes: own.lookAlikes.slice(0, LOOK_ALIKES),
          ...shownTo(person.id, credentialsIn(credentials.get(person.id), scope.parkId === register.parkId, kinds), seal),
          faces: own.faceIds.map((faceId) => faceOf(faceId, templates)),
          ...(person.human !== undefined && register.tellsHumans(audienceId) && { human: person.human }),
          ...(standIns.length > 0 && {
            contacts: standIns.map(({ faceId, human, id, name }) => ({
              id,
              name,
              ...(human !== undefined && { human }),
              faces: [faceOf(faceId, ofContacts)],
            })),
          }),
        },
      ]
    })
  }

  async function personsOf(
    register: ParkRegister,
    audienceId: string,
    ids: readonly string[],
    { modelId, credentials }: Told,
  ): Promise<PersonObject[]> {
    const byHome = Map.groupBy(ids, (id) => register.homeOf(id))
    const seal = credentials === undefined ? null : await sealing.of(register.parkId)
    const parts = await Promise.all([...byHome].map(([parkId, own]) => readPersons({ parkId }, register, audienceId, own, modelId, seal)))
    return parts.flat()
  }

  return {
    async changes(device, audienceId, after, told) {
      const register = registerFor(device, audienceId)
      const { head, compareSeq, digest } = await stateOf(register, audienceId)
      return cache.get(`changes/${audienceId}/${after}/${head}/${digest}/${madeBy(device, told)}`, async (): Promise<ChangesPage> => {
        const answer = { audience: audienceId, digest, more: false, compare: false, persons: [], gone: [] }
        if (after < compareSeq || after > head) return { ...answer, head, compare: true }
        const rows = await findChanges({ parkId: device.parkId }, db, audienceId, after, head, CHANGES)
        const ids = rows.map(({ personId }) => personId)
        const last = rows.length < CHANGES ? head : rows.at(-1)!.seq
        return {
          ...answer,
          head: last,
          more: last < head,
          persons: await personsOf(
            register,
            audienceId,
            ids.filter((id) => register.holds(audienceId, id)),
            told,
          ),
          gone: ids.filter((id) => !register.holds(audienceId, id)),
        }
      })
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
    async shelf(device, audienceId, first, count, told) {
      const register = registerFor(device, audienceId)
      // Aligned shelves only, so that all devices ask for the same ones.
      if ((count & (count - 1)) !== 0 || first % count !== 0) throw new InvalidRequest([{ path: 'count', rule: 'invalid' }])
      const { head } = await stateOf(register, audienceId)
      const buckets = Array.from({ length: count }, (_, place) => first + place)
      const key = `shelf/${audienceId}/${first}/${count}/${madeBy(device, told)}/${register.sumsOf(audienceId).wordsOf(buckets)}`
      return cache.get(key, async () => ({
        audience: audienceId,
        head,
        persons: (await personsOf(register, audienceId, register.personsOfBuckets(audienceId, buckets), told)).toSorted(
          (one, other) => bucketOf(one.id) - bucketOf(other.id),
        ),
      }))
    },
    async persons(device, audienceId, ids, told) {
      const register = registerFor(device, audienceId)
      const { head } = await stateOf(register, audienceId)
      return {
        audience: audienceId,
        head,
        persons: await personsOf(
          register,
          audienceId,
          ids.filter((id) => register.holds(audienceId, id)),
          told,
        ),
      }
    },
    credentialsKey: ({ parkId }, sealingKey) => sealing.keyFor(parkId, sealingKey),
  }
}

/**
 * What a door has to know of a person besides the face. Persons without any are sent as before there were such things.
 * @param isOwn a password is one person's within his own park only: those of others stay at home
 * @param kinds what methods of the door ask for
 */
function credentialsIn(own: ShownCredentials | undefined, isOwn: boolean, kinds: ReadonlySet<CredentialKind>): Credentials | null {
  if (own === undefined) return null
  const asked = (kind: CredentialKind, value: string | null): string | null => (kinds.has(kind) ? value : null)
  const card = asked('cards', own.cardNumber)
  const shown: Credentials = {
    cards: card === null ? [] : [card],
    idNumber: asked('idNumber', own.idNumber),
    personalPassword: isOwn ? asked('personalPassword', own.personalPassword) : null,
    cardPassword: asked('cardPassword', own.cardPassword),
    qrCodes: [],
    handprints: [],
  }
  const { cards, idNumber, personalPassword, cardPassword } = shown
  return cards.length === 0 && idNumber === null && personalPassword === null && cardPassword === null ? null : shown
}

/** In clear go numbers of cards alone: a device that cannot open what is sealed learns no number of a document and no password. */
function shownTo(
  personId: string,
  credentials: Credentials | null,
  seal: Seal | null,
): Pick<PersonObject, 'credentials' | 'sealedCredentials'> {
  if (credentials === null) return {}
  if (seal !== null) return { sealedCredentials: seal(personId, JSON.stringify(credentials)) }
  return credentials.cards.length === 0
    ? {}
    : { credentials: { ...credentials, idNumber: null, personalPassword: null, cardPassword: null } }
}
