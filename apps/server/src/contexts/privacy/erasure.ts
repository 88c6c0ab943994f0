/**
 * Erasing somebody everywhere he is known, with a receipt that names each place and when it was confirmed there. What lies
 * in the database goes in one transaction; files, the search and the terminals confirm afterwards (`completion.ts`).
 */
import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import type { Erasure, privacyCalls } from '@gatehouse/contract/privacy/calls'
import type { LeavingPerson, PersonHolder, Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import { seeingAllDevices, type Scope } from '../../platform/session/session.ts'
import type { KnowingDevice, RecordErasure } from '../records/index.ts'
import type { FacesService } from '../faces/index.ts'
import type { ErasedPerson, PeopleService, PersonErasure } from '../people/index.ts'
import type { Completion } from './completion.ts'
import * as data from './data.ts'
import type { Policy } from './policy.ts'
import { BLANK, patternsOf, withoutPerson } from './reason.ts'
import type { PrivacyTables } from './schema.ts'

export interface ErasureWish {
  origin: Erasure['origin']
  reason: string
  /** Name of whoever asked; empty for the park's own rule. */
  requestedBy: string
}

export type ErasurePreview = z.output<(typeof privacyCalls)['preview']['data']>

export interface ErasureService {
  /** Answers the receipts in the order of the ids, of those erased before too. @throws NotFound where one neither is nor was of this park: then nobody is erased */
  erase(scope: Scope, personIds: readonly string[], wish: ErasureWish): Promise<string[]>
  /** @throws NotFound */
  preview(scope: Scope, personIds: readonly string[]): Promise<ErasurePreview>
  list(scope: Scope, query: data.ErasureQuery): Promise<{ total: number; content: Erasure[]; page: number; size: number }>
  /** @throws NotFound */
  read(scope: Scope, id: string): Promise<Erasure>
}

export interface ErasureNeeds {
  people: Pick<PeopleService, 'remove'>
  persons: PersonErasure
  faces: Pick<FacesService, 'release' | 'releaseContacts' | 'count' | 'templatesOf' | 'modelId'>
  access: RecordErasure
  holders(): readonly PersonHolder[]
}

/** Devices that hold somebody, and those that may keep records of him. */
interface KnowingDevices {
  holding: readonly KnowingDevice[]
  keeping: readonly KnowingDevice[]
}

type PlaceName = Erasure['places'][number]['place']

/** Letters that are not mistaken for one another when they are read aloud. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const letters = (count: number): string => Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('')
const newNumber = (): string => `${letters(4)}-${letters(4)}`

export function createErasures(platform: Platform, policy: Policy, needs: ErasureNeeds, completion: Completion): ErasureService {
  const db = platform.db as unknown as Database<PrivacyTables>
  const { people, persons, faces, access, holders } = needs

  /** Removes what there is of somebody who is held; answers the places where it lay. */
  async function removeAll(
    open: OpenTransaction,
    scope: Scope,
    person: ErasedPerson,
    { holding, keeping }: KnowingDevices,
    pseudonymise: boolean,
  ): Promise<data.NewPlace[]> {
    const now = platform.clock.now()
    const places: data.NewPlace[] = []
    const add = (place: PlaceName, count: number, more: Partial<data.NewPlace> = {}): void => {
      const state = more.state ?? ((more.fileIds?.length ?? 0) > 0 ? 'pending' : 'done')
      places.push({
        place,
        count,
        name: '',
        deviceId: null,
        devicePark: null,
        fileIds: [],
        ...more,
        state,
        at: state === 'pending' ? null : now,
      })
    }
    const [leaving, ids]: [LeavingPerson[], string[]] = [[{ id: person.id, workNumber: person.workNumber }], [person.id]]

    await persons.hide(open, scope, person.id)
    // Before the register says that he goes: what was logged until now is emptied, and counted once.
    const entries =
      (await platform.audit.forget(open, 'person', ids)) + (await platform.audit.forget(open, 'personContact', person.contactIds))
    const [own, ofContacts] = [await faces.release(open, scope, ids), await faces.releaseContacts(open, scope, person.contactIds)]
    const photographs = [...own.fileIds, ...ofContacts.fileIds]
    await platform.storage.release(open, scope, person.pictures)
    await access.leaveStrategies(open, scope, person.id)
    await access.forgetHits(open, scope, ids)
    const held: { place: string; count: number; fileIds: string[] }[] = []
    for (const holder of holders()) held.push({ place: holder.place, ...(await holder.forget(open, scope, leaving)) })
    await data.deleteConsents(scope, open as Tx<PrivacyTables>, ids)
    const counted = await access.count(scope, ids)
    await people.remove(open, scope, ids)
    await access.tell(open, scope, person.id)
    const records = pseudonymise ? await access.pseudonymise(open, scope, person.id) : null
    if (records !== null) await persons.hidePseudonyms(open, scope, person, records.pseudonyms)

    add('person', 1)
    add('contacts', person.contactIds.length)
    add('photographs', photographs.length, { fileIds: photographs })
    add('templates', own.templates + ofContacts.templates)
    // Each node follows by itself; the receipt waits for it.
    add('search', own.fileIds.length, { state: 'pending' })
    add('idPictures', person.pictures.length, { fileIds: person.pictures })
    if (records === null) {
      add('records', counted.records, { state: 'kept' })
      add('captures', counted.captures, { state: 'kept' })
    } else {
      add('records', records.records)
      add('captures', records.fileIds.length, { fileIds: records.fileIds })
    }
    for (const place of new Set(held.map((one) => one.place))) {
      const there = held.filter((one) => one.place === place)
      add(
        place as PlaceName,
        there.reduce((sum, { count }) => sum + count, 0),
        { fileIds: there.flatMap(({ fileIds }) => fileIds) },
      )
    }
    add('log', entries)
    const addDevice = (place: PlaceName, { id, name, parkId }: KnowingDevice): void =>
      add(place, 1, { deviceId: id, devicePark: parkId === scope.parkId ? null : parkId, name, state: 'pending' })
    for (const device of holding) addDevice('terminal', device)
    for (const device of keeping) addDevice('terminalRecords', device)
    return places
  }

  async function insert(scope: Scope, tx: Tx<PrivacyTables>, row: Omit<data.NewErasure, 'number'>): Promise<string> {
    for (;;) {
      const number = newNumber()
      if (await data.insertErasure(scope, tx, { ...row, number })) return number
    }
  }

  async function devicesKnowing(scope: Scope, personIds: readonly string[]): Promise<KnowingDevices> {
    const holding = await access.holding(scope, personIds)
    return { holding, keeping: await access.keeping(scope, personIds, holding) }
  }

  const receiptOf = async (scope: Scope, personId: string): Promise<string | undefined> =>
    (await data.findErasuresOf(scope, db, [personId]))[0]?.id

  async function eraseOne(scope: Scope, personId: string, wish: ErasureWish): Promise<string> {
    const known = await receiptOf(scope, personId)
    if (known !== undefined) return known
    const devices = await devicesKnowing(scope, [personId])
    const probe = await faces.templatesOf(scope, [personId], faces.modelId)
    const pseudonymised = policy.of(scope).recordsOnErasure === 'pseudonymise'
    const made = await platform.transaction(async (tx: Tx<PrivacyTables>) => {
      const person = await persons.hold(tx, scope, personId)
      if (person === null) return null
      const id = newId()
      const number = await insert(scope, tx, { id, personId, kind: person.kind, ...wish, requestedAt: platform.clock.now(), pseudonymised })
      // Other receipts may name them too: of somebody of the same family, or asked for together.
      for (const pattern of patternsOf(person)) await data.blankReasons(scope, tx, pattern, BLANK)
      await data.insertPlaces(scope, tx, id, await removeAll(tx, scope, person, devices, pseudonymised))
      platform.audit.note({ entity: 'erasure', id, label: number, after: { number, kind: person.kind, origin: wish.origin } })
      return id
    })
    if (made !== null) {
      completion.follow(made, [...probe.values()])
      return made
    }
    // Somebody was quicker: to erase, or only to delete.
    const theirs = await receiptOf(scope, personId)
    if (theirs === undefined) throw new NotFound()
    return theirs
  }

  return {
    async erase(asked, personIds, wish) {
      const scope = seeingAllDevices(asked)
      const ids = [...new Set(personIds)]
      const [there, before] = await Promise.all([persons.find(scope, ids), data.findErasuresOf(scope, db, ids)])
      const plain = { ...wish, reason: there.reduce((reason, person) => withoutPerson(reason, person), wish.reason) }
      const known = new Set([...there.map(({ id }) => id), ...before.map(({ personId }) => personId)])
      if (ids.some((id) => !known.has(id))) throw new NotFound()
      const receipts: string[] = []
      for (const id of ids) receipts.push(await eraseOne(scope, id, plain))
      return receipts
    },
    async preview(scope, personIds) {
      const ids = [...new Set(personIds)]
      const there = await persons.find(scope, ids)
      if (there.length === 0 || there.length < ids.length) throw new NotFound()
      const kept = policy.of(scope).recordsOnErasure === 'keep'
      const [photographs, { records, captures }, { holding, keeping }] = await Promise.all([
        faces.count(scope, ids),
        access.count(scope, ids),
        devicesKnowing(scope, ids),
      ])
      const others = await Promise.all(
        holders().map(async (holder) => ({ place: holder.place as PlaceName, count: await holder.count(scope, there), kept: false })),
      )
      const sum = (of: (person: ErasedPerson) => number): number => there.reduce((total, person) => total + of(person), 0)
      return {
        persons: there.length,
        places: [
          { place: 'person', count: there.length, kept: false },
          { place: 'contacts', count: sum(({ contactIds }) => contactIds.length), kept: false },
          { place: 'photographs', count: photographs, kept: false },
          { place: 'idPictures', count: sum(({ pictures }) => pictures.length), kept: false },
          ...others,
          { place: 'terminal', count: holding.length, kept: false },
          { place: 'terminalRecords', count: keeping.length, kept: false },
          { place: 'records', count: records, kept },
          { place: 'captures', count: captures, kept },
        ],
      }
    },
    list: async (scope, query) => ({ ...(await data.listErasures(scope, db, query)), page: query.page, size: query.size }),
    async read(scope, id) {
      const found = await data.findErasure(scope, db, id)
      if (found === undefined) throw new NotFound()
      return found
    },
  }
}
