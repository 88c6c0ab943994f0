/**
 * Persons as they arrive, read one by one: a person who cannot be taken becomes a named exception and does not delay the others. If the
 * server has no template of the device's model, one is made from the photograph.
 */
import { bucketOf, word64 } from '@gatehouse/contract/device/protocol'
import { personObject, personsPage, type PersonObject } from '@gatehouse/contract/device/protocol-persons'
import { z } from 'zod'
import { createFaceTemplates, type Embed } from './face-templates.ts'
import type { StoredPersons } from './stored-persons.ts'
import { hasCredentials } from '../store/credentials.ts'
import type { SealedCredentials } from './sealed-credentials.ts'
import type { ServerClient } from './server.ts'
import type { HoldingsChange, PersonFailure, Position, TakenContact, TakenPerson } from './store.ts'

export type { Embed } from './face-templates.ts'

export interface Deliveries {
  /**
   * Take persons as the server sent them; those stored in the same version who can be recognised stay untouched.
   * @param persons unparsed
   * @param rest persons removed in the same change, and the device's position once all have been taken
   * @throws ServerAway if the server is away before a photograph arrived; what was taken so far stays
   */
  take(persons: readonly unknown[], rest: DeliveryRest, signal: AbortSignal): Promise<void>
}

export interface DeliveryRest {
  removed?: readonly string[]
  position?: Position | null
  /** Versions of the persons requested: a person who does not arrive is an exception in this version. */
  awaited?: ReadonlyMap<string, string>
}

export interface DeliveriesOptions {
  client: ServerClient
  stored: StoredPersons
  modelId: string
  log: (sentence: string) => void
  embed?: Embed
  sealedCredentials: SealedCredentials
}

/** Persons without a template that are stored together: few, so that a power failure loses few photographs. */
const PHOTOGRAPHED = 20
/** Stands for a version that cannot be read; a comparison fetches the right one. */
const NO_VERSION = '0'.repeat(16)

/** A page whose persons are not yet parsed. */
export const unreadPersons = personsPage.extend({ persons: z.array(z.unknown()) })

const identified = z.object({ id: personObject.shape.id.refine((id) => !Number.isNaN(bucketOf(id))) })
const versioned = z.object({ version: word64 })

type Exception = HoldingsChange['exceptions'][number]
type ContactObject = NonNullable<PersonObject['contacts']>[number]

export function createDeliveries({ client, stored, modelId, log, embed, sealedCredentials }: DeliveriesOptions): Deliveries {
  const { holdings } = stored
  const templates = createFaceTemplates({ client, modelId, log, embed })

  function isSettled({ id, version }: PersonObject): boolean {
    return holdings.version(id) === version && !holdings.exceptions().has(id)
  }

  /** Parse each person once, the last of several; a person who cannot be parsed becomes an exception. */
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

  /** Return a person with the credentials decrypted; undefined if they cannot be: the person cannot be taken then. */
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

  async function withPhotographs(person: PersonObject, signal: AbortSignal): Promise<TakenPerson | Exception> {
    const { faces, failure } = await templates.complete(person.faces, signal)
    const ofContacts = new Map<string, TakenPerson['faces']>()
    for (const contact of person.contacts ?? []) ofContacts.set(contact.id, (await templates.complete(contact.faces, signal)).faces)
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
      templates.sent(person.faces),
      contactsWith(person, (contact) => templates.sent(contact.faces)),
      'notDelivered',
    )

  function put(
    outcomes: readonly (TakenPerson | Exception)[],
    { exceptions = [], removed = [], position = null }: Partial<HoldingsChange>,
  ): void {
    stored.take({
      persons: outcomes.filter((outcome) => 'faces' in outcome),
      exceptions: [...exceptions, ...outcomes.filter((outcome) => 'reason' in outcome)],
      removed,
      position,
    })
  }

  return {
    async take(arrived, { removed = [], position = null, awaited }, signal) {
      const { persons, exceptions } = read(arrived, awaited)
      const later = persons.filter(templates.areMissing)
      const now = persons.filter((person) => !templates.areMissing(person)).map(asSent)
      const named = new Set([...persons.map(({ id }) => id), ...exceptions.map(({ personId }) => personId)])
      put(now, { exceptions, removed: removed.filter((id) => !named.has(id)), position: later.length > 0 ? null : position })
      for (let from = 0; from < later.length; from += PHOTOGRAPHED) {
        const outcomes: (TakenPerson | Exception)[] = []
        for (const person of later.slice(from, from + PHOTOGRAPHED)) outcomes.push(await withPhotographs(person, signal))
        put(outcomes, { position: from + PHOTOGRAPHED >= later.length ? position : null })
      }
    },
  }
}

/** Return the contacts, each with those of their faces that arrived. A contact without any could not be recognised, and is left out. */
const contactsWith = ({ contacts = [] }: PersonObject, faces: (of: ContactObject) => TakenPerson['faces']): readonly TakenContact[] =>
  contacts.map((contact) => ({ ...contact, faces: faces(contact) })).filter((contact) => contact.faces.length > 0)

/** Return a person who can be taken, or the exception if there are too few faces. */
function sorted(
  { faces: all, contacts: _, ...person }: PersonObject,
  faces: TakenPerson['faces'],
  contacts: readonly TakenContact[],
  failure: PersonFailure,
): TakenPerson | Exception {
  const besides = { ...person, ...(contacts.length > 0 && { contacts }) }
  if (faces.length > 0) return { ...besides, faces }
  const hasOthers = hasCredentials(person.credentials) || contacts.length > 0
  // A person with a card and without photographs is complete. One with a card and a photograph that failed passes by the card, and is
  // reported. The same holds for a person whose contacts arrive.
  if (hasOthers && all.length === 0) return { ...besides, faces: [] }
  return { personId: person.id, version: person.version, reason: all.length === 0 ? 'noFace' : failure, ...(hasOthers && { besides }) }
}
