/** Persons as they are sent to devices. */
import type { CredentialKind } from '@gatehouse/access-rules'
import type { PersonObject } from '@gatehouse/contract/device/protocol-persons'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { PersonsWithCards, ShownCredentials } from './card-passwords.ts'
import type { FaceFacts, PersonFacts } from './register-facts.ts'
import { contentOf } from './register-versions.ts'
import type { ParkRegister } from './register.ts'
import { createSealing, type Seal, type Sealing } from './sealed-credentials.ts'
import type { ContactsOf } from './sources.ts'

export interface PersonSources {
  persons: {
    facts(scope: Scope, ids: readonly string[]): Promise<PersonFacts[]>
    credentials: PersonsWithCards['credentials']
    contactsOf: ContactsOf
  }
  faces: {
    storedFacesOf(scope: Scope, personIds: readonly string[]): Promise<Map<string, FaceFacts>>
    /** Templates of a model, by photograph. */
    templatesOf(scope: Scope, personIds: readonly string[], modelId: string): Promise<Map<string, Buffer>>
    templatesOfContacts(scope: Scope, contactIds: readonly string[], modelId: string): Promise<Map<string, Buffer>>
    /** Grows whenever a model has new templates. Versions of persons do not show these, since they do not depend on models. */
    templatesRevision(scope: Scope, modelId: string): number
  }
}

/** How persons are sent: the model of their templates, and whether their credentials are sealed. */
export interface PersonEncoding {
  modelId: string
  credentials?: 'sealed' | undefined
}

/** Maximum of the protocol. */
const LOOK_ALIKES = 100

type Credentials = NonNullable<PersonObject['credentials']>

/**
 * Return the credentials of a person that are sent to a door; null if there are none.
 * @param isOwn whether the person is of the door's park: a personal password is unique within the home park only, so those of persons of
 *   linked parks are not sent
 * @param kinds kinds that the methods of the door require
 */
function credentialsIn(own: ShownCredentials | undefined, isOwn: boolean, kinds: ReadonlySet<CredentialKind>): Credentials | null {
  if (own === undefined) return null
  const ofKind = (kind: CredentialKind, value: string | null): string | null => (kinds.has(kind) ? value : null)
  const card = ofKind('cards', own.cardNumber)
  const shown: Credentials = {
    cards: card === null ? [] : [card],
    idNumber: ofKind('idNumber', own.idNumber),
    personalPassword: isOwn ? ofKind('personalPassword', own.personalPassword) : null,
    cardPassword: ofKind('cardPassword', own.cardPassword),
    qrCodes: isOwn && kinds.has('qrCodes') ? [...(own.qrCodes ?? [])] : [],
    handprints: kinds.has('handprints') ? [...(own.handprints ?? [])] : [],
  }
  const { cards, qrCodes, handprints, idNumber, personalPassword, cardPassword } = shown
  const isEmpty =
    cards.length + qrCodes.length + handprints.length === 0 && idNumber === null && personalPassword === null && cardPassword === null
  return isEmpty ? null : shown
}

/**
 * Return credentials as they are sent. Unsealed, only card numbers and ids of passes are sent, so that a device without the key receives
 * neither ID numbers nor passwords nor templates of palms.
 */
function shownTo(
  personId: string,
  credentials: Credentials | null,
  seal: Seal | null,
): Pick<PersonObject, 'credentials' | 'sealedCredentials'> {
  if (credentials === null) return {}
  if (seal !== null) return { sealedCredentials: seal(personId, JSON.stringify(credentials)) }
  return credentials.cards.length + credentials.qrCodes.length === 0
    ? {}
    : { credentials: { ...credentials, idNumber: null, personalPassword: null, cardPassword: null, handprints: [] } }
}

export interface PersonObjects {
  /** Return these persons as they are sent to devices of an audience; persons outside the audience are left out. */
  of(register: ParkRegister, audienceId: string, ids: readonly string[], encoding: PersonEncoding): Promise<PersonObject[]>
  readonly sealing: Sealing
}

export function createPersonObjects(platform: Platform, sources: PersonSources): PersonObjects {
  const sealing = createSealing(platform.crypto)

  /** Read persons of one park, where they are registered. @param seal seals for the devices of the register's park */
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
      sources.faces.storedFacesOf(scope, ids),
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
    // Read after the facts: what changes in between is sent under the former version, and again under its own.
    const credentials = await sources.persons.credentials(scope, ids)
    const kinds = register.credentialsOf(audienceId)
    return facts.flatMap((person): PersonObject[] => {
      // A person who left meanwhile is sent as another change.
      if (!register.holds(audienceId, person.id)) return []
      const own = faces.get(person.id)!
      const ownContacts = register.knowsContacts(audienceId, person.id) ? (contacts.get(person.id) ?? []) : []
      return [
        {
          id: person.id,
          ...register.entitlementOf(audienceId, person.id, contentOf(person, own, ownContacts)),
          name: person.name,
          workNumber: person.workNumber ?? '',
          enabled: person.enabled,
          validFrom: person.validFrom,
          validTo: person.validTo,
          ...(person.methods !== undefined && { methods: [...person.methods] }),
          faceThreshold: own.threshold,
          ...(own.loosens === true && { faceThresholdLoosens: true }),
          // Includes persons of other audiences: when one of them joins this audience, this person is not sent again.
          lookAlikes: own.lookAlikes.slice(0, LOOK_ALIKES),
          ...shownTo(person.id, credentialsIn(credentials.get(person.id), scope.parkId === register.parkId, kinds), seal),
          faces: own.faceIds.map((faceId) => faceOf(faceId, templates)),
          ...(person.human !== undefined && register.sendsHumans(audienceId) && { human: person.human }),
          ...(ownContacts.length > 0 && {
            contacts: ownContacts.map(({ faceId, human, id, name }) => ({
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

  async function of(
    register: ParkRegister,
    audienceId: string,
    ids: readonly string[],
    { modelId, credentials }: PersonEncoding,
  ): Promise<PersonObject[]> {
    const byHome = Map.groupBy(ids, (id) => register.homeOf(id))
    const seal = credentials === undefined ? null : await sealing.of(register.parkId)
    const parts = await Promise.all([...byHome].map(([parkId, own]) => readPersons({ parkId }, register, audienceId, own, modelId, seal)))
    return parts.flat()
  }

  return { of, sealing }
}
