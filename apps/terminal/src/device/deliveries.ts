/**
 * Persons as they arrive, read one by one: who cannot be taken becomes a named exception and holds nobody else up.
 * Where the server has no template of the device's model, one is made of the photograph.
 */
import { bucketOf, deviceProtocolCalls, personObject, personsPage, word64, type PersonObject } from '@gatehouse/contract/device/protocol'
import { z } from 'zod'
import type { HeldPersons } from './held-persons.ts'
import { hasCredentials } from '../store/credentials.ts'
import type { SealedCredentials } from './sealed-credentials.ts'
import { failsOnThis, type ServerClient } from './server.ts'
import type { HoldingsChange, PersonFailure, Position, TakenContact, TakenPerson } from './store.ts'

/**
 * Makes a template of a photograph.
 * @returns base64 of little-endian float32; null when the photograph cannot be taken
 * @throws when none can be made at present
 */
export type Embed = (photo: Uint8Array) => Promise<string | null>

export interface Deliveries {
  /**
   * Takes persons as the server sent them; who is held in the same version and can be recognised stays untouched.
   * @param persons as they came
   * @param rest who goes with them, and where the device stands when all have been taken
   * @throws ServerAway when the server is gone before a photograph came; what was taken so far stays
   */
  take(persons: readonly unknown[], rest: DeliveryRest, signal: AbortSignal): Promise<void>
}

export interface DeliveryRest {
  gone?: readonly string[]
  position?: Position | null
  /** Versions of the persons asked for: who does not come is an exception in this version. */
  awaited?: ReadonlyMap<string, string>
}

export interface DeliveriesOptions {
  client: ServerClient
  held: HeldPersons
  modelId: string
  log: (sentence: string) => void
  embed?: Embed
  sealedCredentials: SealedCredentials
}

/** Persons without a template that are taken together, so that a power cut costs few photographs. */
const PHOTOGRAPHED = 20
/** Stands for a version that cannot be read; a comparison brings the right one. */
const NO_VERSION = '0'.repeat(16)

/** A page whose persons are yet to be read. */
export const unreadPersons = personsPage.extend({ persons: z.array(z.unknown()) })

const identified = z.object({ id: personObject.shape.id.refine((id) => !Number.isNaN(bucketOf(id))) })
const versioned = z.object({ version: word64 })

type Exception = HoldingsChange['exceptions'][number]
type ContactObject = NonNullable<PersonObject['contacts']>[number]

/** Faces that came with a person: the own ones, and those of each contact. */
const facesOf = ({ faces, contacts = [] }: PersonObject): PersonObject['faces'][] => [faces, ...contacts.map((contact) => contact.faces)]

export function createDeliveries({ client, held, modelId, log, embed, sealedCredentials }: DeliveriesOptions): Deliveries {
  const { holdings } = held

  function isSettled({ id, version }: PersonObject): boolean {
    return holdings.version(id) === version && !holdings.exceptions().has(id)
  }

  /** Each person once, the last of several; who cannot be read is an exception already. */
  function read(arrived: readonly unknown[], awaited?: ReadonlyMap<string, string>) {
    const persons = new Map<string, PersonObject>()
    const exceptions = new Map<string, Exception>()
    for (const [personId, version] of awaited ?? []) exceptions.set(personId, { personId, version, reason: 'notDelivered' })
    for (const item of arrived) {
      const personId = identified.safeParse(item).data?.id
      if (personId === undefined) {
        log('A person without a readable id came from the server and is passed over.')
        continue
      }
      const person = opened(personObject.safeParse(item).data)
      if (person) {
        persons.set(personId, person)
        exceptions.delete(personId)
      } else {
        const version = versioned.safeParse(item).data?.version ?? awaited?.get(personId) ?? NO_VERSION
        persons.delete(personId)
        exceptions.set(personId, { personId, version, reason: 'personInvalid' })
      }
    }
    return { persons: [...persons.values()].filter((person) => !isSettled(person)), exceptions: [...exceptions.values()] }
  }

  /** With credentials as they were before they were sealed; undefined where that does not open: it is no person anybody could go by. */
  function opened(person: PersonObject | undefined): PersonObject | undefined {
    if (person?.sealedCredentials === undefined) return person
    const { sealedCredentials: sealed, ...rest } = person
    try {
      return { ...rest, credentials: sealedCredentials.open(person.id, sealed) }
    } catch {
      log(`What ${person.id} shows besides the face came sealed and cannot be opened.`)
      return undefined
    }
  }

  function templatesSent(faces: PersonObject['faces']): TakenPerson['faces'] {
    return faces.flatMap(({ faceId, modelId: of, template }) => (of === modelId && template !== null ? [{ faceId, template }] : []))
  }

  const needsPhotographs = (person: PersonObject) =>
    embed !== undefined && facesOf(person).some((faces) => templatesSent(faces).length < faces.length)

  /** Contacts, each with the faces that came of it; one without is nobody who could be known. */
  const contactsWith = ({ contacts = [] }: PersonObject, faces: (of: ContactObject) => TakenPerson['faces']): readonly TakenContact[] =>
    contacts.map((contact) => ({ ...contact, faces: faces(contact) })).filter((contact) => contact.faces.length > 0)

  async function photographed(faceId: string, signal: AbortSignal): Promise<{ template: string } | { failure: PersonFailure }> {
    let photo: Uint8Array
    try {
      photo = await client.download(deviceProtocolCalls.photo, { params: { id: faceId } }, { signal, timeout: 60_000 })
    } catch (error) {
      if (failsOnThis(error)) return { failure: 'notDelivered' }
      throw error
    }
    try {
      const template = await embed!(photo)
      return template === null ? { failure: 'photoRefused' } : { template }
    } catch (error) {
      // Not the photograph's fault: it is tried again with the others that did not come.
      log(`No template could be made of the photograph of face ${faceId}: ${error instanceof Error ? error.message : String(error)}`)
      return { failure: 'notDelivered' }
    }
  }

  /** Sorts a person by what there is of its faces, and of those of contacts. */
  function sorted(
    { faces: all, contacts: _, ...person }: PersonObject,
    faces: TakenPerson['faces'],
    contacts: readonly TakenContact[],
    failure: PersonFailure,
  ): TakenPerson | Exception {
    const besides = { ...person, ...(contacts.length > 0 && { contacts }) }
    if (faces.length > 0) return { ...besides, faces }
    const hasOthers = hasCredentials(person.credentials) || contacts.length > 0
    // Who has a card and no photograph is whole; who has a card and one that failed passes by the card, and is told of. So is whose contacts come.
    if (hasOthers && all.length === 0) return { ...besides, faces: [] }
    return { personId: person.id, version: person.version, reason: all.length === 0 ? 'noFace' : failure, ...(hasOthers && { besides }) }
  }

  /** The templates sent, and those made of the photographs of the others. */
  async function templatesFor(
    all: PersonObject['faces'],
    signal: AbortSignal,
  ): Promise<{ faces: TakenPerson['faces']; failure: PersonFailure }> {
    const faces = [...templatesSent(all)]
    const sent = new Set(faces.map(({ faceId }) => faceId))
    let failure: PersonFailure = 'notDelivered'
    for (const { faceId } of all.filter((face) => !sent.has(face.faceId))) {
      const outcome = await photographed(faceId, signal)
      if ('template' in outcome) faces.push({ faceId, template: outcome.template })
      else failure = outcome.failure
    }
    return { faces, failure }
  }

  async function withPhotographs(person: PersonObject, signal: AbortSignal): Promise<TakenPerson | Exception> {
    const { faces, failure } = await templatesFor(person.faces, signal)
    const ofContacts = new Map<string, TakenPerson['faces']>()
    for (const contact of person.contacts ?? []) ofContacts.set(contact.id, (await templatesFor(contact.faces, signal)).faces)
    return sorted(
      person,
      faces,
      contactsWith(person, ({ id }) => ofContacts.get(id)!),
      failure,
    )
  }

  const asSent = (person: PersonObject): TakenPerson | Exception =>
    sorted(
      person,
      templatesSent(person.faces),
      contactsWith(person, (contact) => templatesSent(contact.faces)),
      'notDelivered',
    )

  function put(
    outcomes: readonly (TakenPerson | Exception)[],
    { exceptions = [], gone = [], position = null }: Partial<HoldingsChange>,
  ): void {
    held.take({
      persons: outcomes.filter((outcome) => 'faces' in outcome),
      exceptions: [...exceptions, ...outcomes.filter((outcome) => 'reason' in outcome)],
      gone,
      position,
    })
  }

  return {
    async take(arrived, { gone = [], position = null, awaited }, signal) {
      const { persons, exceptions } = read(arrived, awaited)
      const later = persons.filter(needsPhotographs)
      const now = persons.filter((person) => !needsPhotographs(person)).map(asSent)
      const named = new Set([...persons.map(({ id }) => id), ...exceptions.map(({ personId }) => personId)])
      put(now, { exceptions, gone: gone.filter((id) => !named.has(id)), position: later.length > 0 ? null : position })
      for (let from = 0; from < later.length; from += PHOTOGRAPHED) {
        const outcomes: (TakenPerson | Exception)[] = []
        for (const person of later.slice(from, from + PHOTOGRAPHED)) outcomes.push(await withPhotographs(person, signal))
        put(outcomes, { position: from + PHOTOGRAPHED >= later.length ? position : null })
      }
    },
  }
}
