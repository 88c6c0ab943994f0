/** The register of persons. */
import type { z } from 'zod'
import { personStatusAt } from '@gatehouse/access-rules'
import type { DataOf } from '@gatehouse/contract'
import {
  type ConsentState,
  type peopleCalls,
  type Person,
  type personChange,
  personCreate,
  type PersonKind,
  type PersonRecord,
  PERSONS_NAMED,
} from '@gatehouse/contract/people/calls'
import type { PersonForm } from '@gatehouse/contract/people/form'
import { ofPlainFields, PLAIN_FIELDS } from '@gatehouse/contract/people/plain-fields'
import { personCardType, personStatus } from '@gatehouse/contract/enums/people'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { unmasked } from '../../platform/session/masking.ts'
import { Conflict, InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import { sizesOf, type Selection } from '../../platform/tree.ts'
import type { FacesService, PersonDescription } from '../faces/index.ts'
import { cardKeyOf } from './card.ts'
import type { ContactService } from './contacts.ts'
import { createCopying, type Copying } from './copy.ts'
import { createCredentials, credentialsMark, type CredentialsOf } from './credentials.ts'
import * as data from './data.ts'
import { groupsChanged, personsChanged, personsDeleted } from './events.ts'
import { hideWatched } from './former-watched.ts'
import type { FormService } from './form.ts'
import { countByGroup } from './groups-data.ts'
import type { GroupService } from './groups.ts'
import { humanOf } from './human.ts'
import { createLookup, type PersonLookup } from './lookup.ts'
import type { NotedConsent, PeopleNeeds } from './needs.ts'
import { createPresenter, loggedPerson } from './present.ts'
import type { PeopleTables } from './schema.ts'
import { taken } from './taken.ts'
import { createValues, groupFor, type RowValues } from './values.ts'
import { findLookedOutFor, findWatchListed, type WatchListPerson } from './watch-list-data.ts'

export type PersonFields = Omit<z.output<typeof personCreate>, 'contacts'> & Partial<Pick<z.output<typeof personCreate>, 'contacts'>>
/** What is left out stays as it was. */
export type PersonChange = Omit<z.output<typeof personChange>, 'id' | 'version'>
type EveryField = { [Field in Exclude<keyof Required<PersonFields>, 'contacts' | 'status'>]: PersonFields[Field] }
/** Whose form it is, and which way what it says of consent has come. */
type Form = Pick<Session, 'masking'> & Partial<Pick<Session, 'operator'>> & { channel?: NotedConsent['channel'] }
type Alongside = (tx: OpenTransaction, personId: string) => Promise<void>
/** What terminals and other contexts need to know of a person. `active`: enabled and within validity now. */
export interface PersonFacts {
  id: string
  name: string
  workNumber: string | null
  enabled: boolean
  /** Epoch milliseconds, both inclusive. */
  validFrom: number | null
  validTo: number | null
  groupId: string
  kind: string
  version: number
  active: boolean
  /** Another one: what the person shows instead of a face is another. Absent where there is nothing of the kind. */
  credentialsMark?: string
  /** As of contacts: equal where it is the same human. Absent without a phone, by which it is told. */
  human?: string
}

const factsOf = (
  crypto: Platform['crypto'],
  scope: Scope,
  {
    cardKey,
    idNumberIndex,
    personalPasswordIndex,
    phone,
    cardNumber: _cardNumber,
    birthday: _birthday,
    remark: _remark,
    instruction: _instruction,
    ...row
  }: Awaited<ReturnType<typeof data.findPersonFacts>>[number],
  now: number,
): PersonFacts => {
  const facts = { ...row, validFrom: row.validFrom as number | null, validTo: row.validTo as number | null }
  const mark = credentialsMark({ cardKey, idNumberIndex, personalPasswordIndex })
  return {
    ...facts,
    active: personStatusAt(facts, now) === 1,
    ...(mark !== undefined && { credentialsMark: mark }),
    ...(phone !== null && { human: humanOf(crypto, scope, { name: row.name, phone }) }),
  }
}

export interface PeopleService {
  list(scope: Scope, query: data.PersonQuery): Promise<{ total: number; content: Person[]; page: number; size: number }>
  read(scope: Scope, id: string): Promise<PersonRecord>
  /**
   * @param form whose form it is: values that came back masked are taken for the stored ones
   * @param alongside what must be done with it or not at all, in the same transaction
   */
  create(scope: Scope, fields: PersonFields, form: Form, alongside?: Alongside): Promise<string>
  change(scope: Scope, id: string, version: number | undefined, change: PersonChange, form: Form, alongside?: Alongside): Promise<void>
  setEnabled(scope: Scope, ids: readonly string[], enabled: boolean, reason?: string): Promise<number>
  /** What deleting would lose. */
  preview(scope: Scope, ids: readonly string[]): Promise<DataOf<typeof peopleCalls.confirm>>
  delete(scope: Scope, ids: readonly string[]): Promise<number>
  /** Those whom a move would put into another group, as they are. @throws as moving them */
  moving(scope: Scope, ids: readonly string[], groupId: string): Promise<PersonFacts[]>
  /** Answers how many were not in the group before. @throws InvalidRequest for a group of the other register; Refusal 200224 */
  move(scope: Scope, ids: readonly string[], groupId: string): Promise<number>
  /** Answers how many were copied: who has a copy in the group already is passed over. @param to the park of the group */
  copy: Copying
  /** Notes what somebody has agreed to, in the caller's transaction; withdrawing lets the photographs go. @throws NotFound */
  setConsent(tx: OpenTransaction, scope: Scope, personId: string, state: Exclude<ConsentState, 'none'>, at: number): Promise<void>
  /** Gives a person this card in place of any other, in the caller's transaction. @throws NotFound; Refusal 200207, 200224 */
  setCard(tx: OpenTransaction, scope: Scope, personId: string, number: string, format: 'decimal' | 'hex'): Promise<void>
  /** Takes this card away where the person has it, in the caller's transaction. */
  takeCard(tx: OpenTransaction, scope: Scope, personId: string, number: string, format: 'decimal' | 'hex'): Promise<void>
  /** The form of the park: fields of its own, and whether a photograph of the ID is asked for. */
  form(scope: Scope): PersonForm
  summary(scope: Scope): Promise<{ total: number; withoutFace: number; expiring: number; expired: number }>
  facts(scope: Scope, ids: readonly string[]): Promise<PersonFacts[]>
  /** What persons show at a door instead of a face: for terminals alone. */
  credentials: CredentialsOf
  /** Who may come in persons' places; whoever has nobody is left out. */
  contactsOf: ContactService['ofPersons']
  contactsNamed: ContactService['named']
  /** What is said of persons beside their photographs; unknown ids are left out. */
  describe(scope: Scope, ids: readonly string[]): Promise<PersonDescription[]>
  count(scope: Scope): Promise<number>
  /** What names those who do not exist for the asker, in this park. */
  unseen(scope: Scope): Promise<data.Unseen>
  /** Ids of those of the watch list who are looked out for by their photographs. */
  lookedOutFor(scope: Scope): Promise<string[]>
  /** Those of these persons who are on the watch list. */
  watchListed(scope: Scope, ids: readonly string[]): Promise<WatchListPerson[]>
  /** Many at once. */
  lookup: PersonLookup
  /** Facts of all persons, in the order of their ids, a page from after an id on. */
  page(scope: Scope, after: string, size: number): Promise<PersonFacts[]>
  idsInGroups(scope: Scope, groupIds: readonly string[]): Promise<string[]>
  /** How many persons each selection has, those in groups below its groups among them. */
  sizes(scope: Scope, selections: readonly Selection[]): Promise<number[]>
  /** Ids of persons whose name or work number contains a text. */
  idsNamed(scope: Scope, text: string): Promise<string[]>
  /** Those of these names that somebody has who exists for the asker. */
  namesAmong(scope: Scope, names: readonly string[]): Promise<string[]>
  /** Removes persons of this park, disabled ones too, with their photographs, in the caller's transaction. */
  remove(tx: OpenTransaction, scope: Scope, personIds: readonly string[]): Promise<void>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<Record<string, number>>
}

const EXPIRING_MS = 30 * 86_400_000

/** What a form may find changed by somebody else meanwhile. */
const COMPARED = [
  'name',
  'workNumber',
  'phone',
  'gender',
  'groupId',
  'cardType',
  'cardNumber',
  'idType',
  ...PLAIN_FIELDS,
  'birthday',
  'validFrom',
  'validTo',
  'idPhoto',
  'registrationPhoto',
  'consent',
  'remark',
  'instruction',
] as const

/** A person as a form would send it that changes nothing. What is undefined stays as it is. */
const formOf = (row: data.PersonRow, idNumber: string, facePhotos: string[]): EveryField => ({
  name: row.name,
  workNumber: row.workNumber,
  phone: row.phone,
  gender: row.gender as PersonFields['gender'],
  groupId: row.groupId,
  cardType: row.cardType as PersonFields['cardType'],
  cardNumberFormat: row.cardNumberFormat as PersonFields['cardNumberFormat'],
  cardNumber: row.cardNumber,
  idType: row.idType as PersonFields['idType'],
  idNumber,
  ...ofPlainFields((field) => row[field]),
  birthday: row.birthday,
  validFrom: row.validFrom as number | null,
  validTo: row.validTo as number | null,
  facePhotos,
  idPhoto: undefined,
  registrationPhoto: undefined,
  personalPassword: undefined,
  faceConsent: undefined,
  customFields: undefined,
  remark: row.remark,
  instruction: undefined,
  kind: row.kind as PersonKind,
})

/** The parts of the register that stand in files of their own. */
export interface PeopleParts {
  groups: GroupService
  form: FormService
  contacts: ContactService
}

export function createPeopleService(
  platform: Platform,
  faces: FacesService,
  { groups, form, contacts }: PeopleParts,
  needs: PeopleNeeds,
): PeopleService {
  const db = platform.db as unknown as Database<PeopleTables>
  const within = (tx: Tx<PeopleTables>): data.Reading => ({ db: tx, crypto: platform.crypto })
  const reading: data.Reading = { db, crypto: platform.crypto }
  const { present, idNumberOf } = createPresenter(platform, form)
  const valuesOf = createValues(platform, groups, form)

  /** @throws InvalidRequest for a photograph that is new and nobody agreed to: those there are stay until somebody withdraws */
  function assertConsent(
    scope: Scope,
    { kind, consent }: Pick<RowValues, 'kind' | 'consent'>,
    wanted: readonly string[],
    there: readonly string[],
  ): void {
    // Whom to look out for is not asked.
    if (kind === 'special' || consent === 'given' || wanted.every((id) => there.includes(id))) return
    if (consent === 'withdrawn' || needs.consentRequired(scope)) throw new InvalidRequest([{ path: 'facePhotos', rule: 'consent' }])
  }

  /** Writes down what the form said of consent, where it is another than before. */
  async function noteConsent(
    tx: OpenTransaction,
    scope: Scope,
    id: string,
    before: string,
    { consent }: RowValues,
    whose: Form,
  ): Promise<void> {
    if (consent === before || consent === 'none') return
    await needs.noteConsent(tx, scope, id, { state: consent, channel: whose.channel ?? 'form', notedBy: whose.operator ?? '', note: '' })
  }

  const loggedFields = (scope: Scope, values: RowValues, fields: PersonFields, facePhotos: readonly string[]) =>
    loggedPerson(values, { idNumber: fields.idNumber ?? '', groupName: values.groupName, facePhotos, formFields: form.read(scope).fields })

  /** In the transaction: the new pictures stay and those they replace go. */
  async function exchangePictures(
    tx: OpenTransaction,
    scope: Scope,
    before: Pick<RowValues, 'idPhoto' | 'registrationPhoto'> | null,
    after: Pick<RowValues, 'idPhoto' | 'registrationPhoto'>,
  ): Promise<void> {
    const [old, now] = [before, after].map((of) => [of?.idPhoto, of?.registrationPhoto].filter((id): id is string => id != null)) as [
      string[],
      string[],
    ]
    await platform.storage.keep(
      tx,
      scope,
      now.filter((id) => !old.includes(id)),
    )
    await platform.storage.release(
      tx,
      scope,
      old.filter((id) => !now.includes(id)),
    )
  }

  async function exchangeCard(
    tx: Tx<PeopleTables>,
    scope: Scope,
    row: data.PersonRow,
    card: Pick<RowValues, 'cardType' | 'cardNumberFormat' | 'cardNumber' | 'cardKey'>,
  ): Promise<void> {
    await data.updateCard(scope, within(tx), row, card, platform.clock.now()).catch(taken)
    const fieldsOf = ({ cardType, cardNumberFormat, cardNumber }: Pick<RowValues, 'cardType' | 'cardNumberFormat' | 'cardNumber'>) => ({
      cardType,
      cardNumberFormat,
      cardNumber,
    })
    platform.audit.note({ entity: 'person', id: row.id, label: row.name, labelMask: 'name', before: fieldsOf(row), after: fieldsOf(card) })
    await platform.events.announce(tx, personsChanged, scope.parkId, { personIds: [row.id] })
  }

  /** The persons of these ids; any missing one answers 404, as if none were there. */
  async function existing(scope: Scope, ids: readonly string[]): Promise<data.PersonRow[]> {
    const rows = await data.findPersons(scope, reading, ids)
    if (rows.length < new Set(ids).size) throw new NotFound()
    return rows
  }

  /** What a move is about. @throws NotFound; InvalidRequest */
  async function movable(scope: Scope, ids: readonly string[], groupId: string) {
    const rows = await existing(scope, ids)
    const kinds = rows.map(({ kind }) => kind)
    return { rows, group: await groupFor(groups, scope, groupId, kinds) }
  }

  /** These persons, as nobody changes them before the transaction ends: of two who ask at once the second finds what the first has done. @throws Refusal 200224 */
  async function held(tx: Tx<PeopleTables>, scope: Scope, ids: readonly string[]) {
    const rows = await data.lockPersons(scope, tx, ids)
    if (rows.length < new Set(ids).size) throw new NotFound()
    if (rows.some(({ enabled }) => !enabled)) refuse(200224)
    return rows
  }

  /** Notes what decides about these persons, as this transaction leaves them. */
  const note = (tx: Tx<PeopleTables>, scope: Scope, ids: readonly string[]): Promise<void> =>
    platform.history.noteAll(tx, scope, 'person', ids, async () => {
      const rows = await data.findPersonFacts(scope, within(tx), ids)
      return new Map(rows.map(({ id, enabled, groupId, validFrom, validTo }) => [id, { enabled, groupId, validFrom, validTo }]))
    })

  async function remove(open: OpenTransaction, scope: Scope, personIds: readonly string[]): Promise<void> {
    const tx = open as Tx<PeopleTables>
    await hideWatched(platform.audit, tx, scope, personIds)
    await faces.release(tx, scope, personIds)
    await contacts.release(tx, scope, personIds)
    await platform.storage.release(tx, scope, await data.findPictures(scope, tx, personIds))
    await data.deletePersons(scope, tx, personIds)
    await note(tx, scope, personIds)
    await platform.audit.forget(tx, 'person', personIds)
    // Who was deleted stands there by the id alone: the name is gone with the person.
    for (const id of personIds) platform.audit.note({ entity: 'person', id, before: {} })
    await platform.events.announce(tx, personsDeleted, scope.parkId, { personIds: [...personIds] })
  }

  return {
    remove,
    lookup: createLookup(platform, faces, groups, form, needs.consentRequired),
    async list(scope, query) {
      const groupIds = query.groupId === undefined ? null : await groups.withDescendants(scope, [query.groupId])
      if (groupIds?.length === 0) throw new NotFound()
      const { content, total } = await data.listPersons(scope, reading, query, groupIds, platform.clock.now())
      const photos = await faces.photosOf(
        scope,
        content.map((row) => row.id),
      )
      return {
        total,
        content: await present(scope, content, photos),
        page: query.page,
        size: query.size,
      }
    },
    async read(scope, id) {
      const [row] = await existing(scope, [id])
      const [photos, contactsOf] = await Promise.all([faces.photosOf(scope, [id]), contacts.list(scope, id)])
      const [person] = await present(scope, [row!], photos)
      return { ...person!, contacts: contactsOf }
    },
    async create(scope, sent, whose, alongside) {
      const fields = unmasked(whose, personCreate, sent as z.output<typeof personCreate>)
      const id = newId()
      const values = await valuesOf(scope, id, fields, null)
      const photos = [...new Set(fields.facePhotos)]
      const enabled = sent.status !== personStatus.disabled
      assertConsent(scope, values, photos, [])
      await platform
        .transaction(async (tx: Tx<PeopleTables>) => {
          await data.insertPerson(scope, within(tx), id, { ...values, faceCount: photos.length }, platform.clock.now(), { enabled })
          await faces.assign(tx, scope, id, photos)
          await exchangePictures(tx, scope, null, values)
          await contacts.addAll(tx, scope, id, sent.contacts ?? [], whose)
          await noteConsent(tx, scope, id, 'none', values, whose)
          await note(tx, scope, [id])
          platform.audit.note({
            entity: 'person',
            id,
            label: fields.name,
            labelMask: 'name',
            after: { ...loggedFields(scope, values, fields, photos), ...(!enabled && { enabled }) },
          })
          await platform.events.announce(tx, personsChanged, scope.parkId, { personIds: [id] })
          await alongside?.(tx, id)
        })
        .catch(taken)
      return id
    },
    async change(scope, id, version, sent, whose, alongside) {
      const [row] = await existing(scope, [id])
      if (!row!.enabled) refuse(200224)
      // A masked value can only be compared with what it was made of.
      if (whose.masking && version !== undefined && version !== row!.version) throw new Conflict(['version'])
      const { contacts: sentContacts, ...change } = sent
      const [idNumber, photos] = await Promise.all([idNumberOf(scope, row!), faces.photosOf(scope, [id])])
      const there = (photos.get(id) ?? []).map(({ faceId }) => faceId)
      const stands = formOf(row!, idNumber, there)
      const fields = leftAsItWas(stands, unmasked(whose, personCreate, change, { ...stands }))
      const values = await valuesOf(scope, id, fields, row!)
      // Who withdraws has no photographs, whatever the form still shows.
      const wanted = values.consent === 'withdrawn' && row!.consent === 'given' ? [] : [...new Set(fields.facePhotos)]
      assertConsent(scope, values, wanted, there)
      const stood = {
        ...row!,
        consent: row!.consent as ConsentState,
        validFrom: row!.validFrom as number | null,
        validTo: row!.validTo as number | null,
        consentAt: row!.consentAt as number | null,
      }
      const before = loggedPerson(stood, { idNumber, groupName: row!.groupName, facePhotos: there, formFields: form.read(scope).fields })
      await platform
        .transaction(async (tx: Tx<PeopleTables>) => {
          if (
            !(await data.updatePerson(
              scope,
              within(tx),
              id,
              { ...values, faceCount: wanted.length },
              version ?? row!.version,
              platform.clock.now(),
            ))
          ) {
            const current = (await data.findPersons(scope, within(tx), [id]))[0]
            const differing = COMPARED.filter((key) => current?.[key] !== values[key])
            throw new Conflict(differing.length > 0 ? differing : ['version'])
          }
          await faces.assign(tx, scope, id, wanted)
          await exchangePictures(tx, scope, row!, values)
          if (sentContacts !== undefined) await contacts.exchange(tx, scope, id, sentContacts ?? [], whose)
          await noteConsent(tx, scope, id, row!.consent, values, whose)
          await note(tx, scope, [id])
          platform.audit.note({
            entity: 'person',
            id,
            label: fields.name,
            labelMask: 'name',
            before,
            after: loggedFields(scope, values, fields, wanted),
          })
          await platform.events.announce(tx, personsChanged, scope.parkId, { personIds: [id] })
          await alongside?.(tx, id)
        })
        .catch(taken)
    },
    async setEnabled(scope, ids, enabled, reason) {
      await existing(scope, ids)
      return platform.transaction(async (tx: Tx<PeopleTables>) => {
        const persons = await data.lockPersons(scope, tx, ids)
        const personIds = await data.updateEnabled(scope, tx, ids, enabled, platform.clock.now())
        await note(tx, scope, personIds)
        for (const person of persons)
          // A reason is kept of those too who were so already.
          if (person.enabled !== enabled || reason)
            platform.audit.note({
              entity: 'person',
              id: person.id,
              label: person.name,
              labelMask: 'name',
              before: { enabled: person.enabled },
              after: { enabled, ...(reason && { reason }) },
            })
        if (personIds.length > 0) await platform.events.announce(tx, personsChanged, scope.parkId, { personIds })
        return personIds.length
      })
    },
    async moving(scope, ids, groupId) {
      const { rows } = await movable(scope, ids, groupId)
      if (rows.some(({ enabled }) => !enabled)) refuse(200224)
      const now = platform.clock.now()
      const elsewhere = rows.filter((person) => person.groupId !== groupId).map(({ id }) => id)
      return (await data.findPersonFacts(scope, reading, elsewhere)).map((row) => factsOf(platform.crypto, scope, row, now))
    },
    async move(scope, ids, groupId) {
      const { group } = await movable(scope, ids, groupId)
      return platform
        .transaction(async (tx: Tx<PeopleTables>) => {
          const persons = await held(tx, scope, ids)
          const moved = persons.filter((person) => person.groupId !== groupId)
          if (moved.length === 0) return 0
          const from = new Map(
            (
              await groups.names(
                scope,
                moved.map((person) => person.groupId),
              )
            ).map(({ id, name }) => [id, name]),
          )
          const personIds = moved.map(({ id }) => id)
          await data.updateGroupOf(scope, tx, personIds, groupId, platform.clock.now())
          await note(tx, scope, personIds)
          for (const person of moved)
            platform.audit.note({
              entity: 'person',
              id: person.id,
              label: person.name,
              labelMask: 'name',
              before: { groupName: from.get(person.groupId) ?? null },
              after: { groupName: group.name },
            })
          await platform.events.announce(tx, personsChanged, scope.parkId, { personIds })
          await platform.events.announce(tx, groupsChanged, scope.parkId, {})
          return moved.length
        })
        .catch(taken)
    },
    copy: createCopying(platform, faces, { groups, form, consentRequired: needs.consentRequired, noteConsent: needs.noteConsent, note }),
    async setConsent(open, scope, personId, state, at) {
      const tx = open as Tx<PeopleTables>
      if (!(await data.updateConsent(scope, tx, personId, state, at, platform.clock.now()))) throw new NotFound()
      if (state === 'withdrawn') await faces.assign(tx, scope, personId, [])
      await platform.events.announce(tx, personsChanged, scope.parkId, { personIds: [personId] })
    },
    async setCard(open, scope, personId, number, format) {
      const tx = open as Tx<PeopleTables>
      const [row] = await data.findPersons(scope, within(tx), [personId])
      if (row === undefined) throw new NotFound()
      if (!row.enabled) refuse(200224)
      await exchangeCard(tx, scope, row, {
        cardType: personCardType.icCard,
        cardNumberFormat: format,
        cardNumber: number,
        cardKey: cardKeyOf(number, format),
      })
    },
    async takeCard(open, scope, personId, number, format) {
      const tx = open as Tx<PeopleTables>
      const [row] = await data.findPersons(scope, within(tx), [personId])
      if (row?.cardKey !== cardKeyOf(number, format)) return
      await exchangeCard(tx, scope, row, {
        cardType: row.cardType,
        cardNumberFormat: row.cardNumberFormat,
        cardNumber: null,
        cardKey: null,
      })
    },
    form: form.read,
    async preview(scope, ids) {
      const rows = await existing(scope, ids)
      const nameOf = new Map(rows.map((row) => [row.id, row.name]))
      return {
        persons: rows.length,
        faces: await faces.count(scope, ids),
        disabled: rows.filter((row) => !row.enabled).length,
        names: [...new Set(ids)].slice(0, PERSONS_NAMED).flatMap((id) => nameOf.get(id) ?? []),
      }
    },
    async delete(scope, ids) {
      return platform.transaction(async (tx: Tx<PeopleTables>) => {
        const personIds = (await held(tx, scope, ids)).map(({ id }) => id)
        await remove(tx, scope, personIds)
        return personIds.length
      })
    },
    async summary(scope) {
      const now = platform.clock.now()
      return data.summarisePersons(scope, db, now, now + EXPIRING_MS)
    },
    async facts(scope, ids) {
      const now = platform.clock.now()
      return (await data.findPersonFacts(scope, reading, ids)).map((row) => factsOf(platform.crypto, scope, row, now))
    },
    credentials: createCredentials(platform),
    contactsOf: contacts.ofPersons,
    contactsNamed: contacts.named,
    describe: (scope, ids) => data.describePersons(scope, reading, ids),
    count: (scope) => data.countPersons(scope, db),
    unseen: (scope) => data.findUnseen(scope, db),
    lookedOutFor: (scope) => findLookedOutFor(scope, db),
    watchListed: (scope, ids) => findWatchListed(scope, reading, ids),
    async page(scope, after, size) {
      const now = platform.clock.now()
      return (await data.findPersonFactsAfter(scope, reading, after, size)).map((row) => factsOf(platform.crypto, scope, row, now))
    },
    async idsInGroups(scope, groupIds) {
      return data.findPersonIdsInGroups(scope, db, await groups.withDescendants(scope, groupIds))
    },
    async sizes(scope, selections) {
      const ids = [...new Set(selections.flatMap((selection) => selection.ids))]
      const [rows, sizes, groupOf] = await Promise.all([groups.rows(scope), countByGroup(scope, db), data.findGroupOf(scope, db, ids)])
      return sizesOf(selections, rows, sizes, groupOf)
    },
    idsNamed: (scope, text) => data.findPersonIdsNamed(scope, db, text),
    namesAmong: (scope, names) => data.findNamesAmong(scope, db, names),
    async erasePark(tx, scope) {
      await platform.history.erase(tx, scope, ['person', 'personGroup'])
      await platform.storage.release(tx, scope, await data.findPictures(scope, tx as Tx<PeopleTables>))
      return data.deletePeopleOfPark(scope, tx as Tx<PeopleTables>)
    },
  }
}
