/** The register of persons. */
import type { z } from 'zod'
import { personStatusAt } from '@gatehouse/access-rules'
import type { BusinessCode } from '@gatehouse/contract'
import type { Person, personCreate } from '@gatehouse/contract/people/calls'
import type { FacePhoto } from '@gatehouse/contract/faces/calls'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Database, type OpenTransaction, type Tx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { Conflict, InvalidRequest, NotFound, refuse } from '../../platform/refusal.ts'
import type { Scope } from '../../platform/session.ts'
import type { FacesService, PersonDescription } from '../faces/index.ts'
import * as data from './data.ts'
import { personsChanged, personsDeleted } from './events.ts'
import type { GroupService } from './groups.ts'
import type { PeopleTables } from './schema.ts'

export type PersonFields = z.output<typeof personCreate>
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
  version: number
  active: boolean
}

const factsOf = (row: Awaited<ReturnType<typeof data.findPersonFacts>>[number], now: number): PersonFacts => {
  const facts = { ...row, validFrom: row.validFrom as number | null, validTo: row.validTo as number | null }
  return { ...facts, active: personStatusAt(facts, now) === 1 }
}

export interface PeopleService {
  list(scope: Scope, query: data.PersonQuery): Promise<{ total: number; content: Person[]; page: number; size: number }>
  read(scope: Scope, id: string): Promise<Person>
  create(scope: Scope, fields: PersonFields): Promise<string>
  change(scope: Scope, id: string, version: number | undefined, fields: PersonFields): Promise<void>
  setEnabled(scope: Scope, ids: readonly string[], enabled: boolean): Promise<number>
  /** What deleting would lose. */
  preview(scope: Scope, ids: readonly string[]): Promise<{ persons: number; faces: number; disabled: number }>
  delete(scope: Scope, ids: readonly string[]): Promise<number>
  summary(scope: Scope): Promise<{ total: number; withoutFace: number; expiring: number; expired: number }>
  facts(scope: Scope, ids: readonly string[]): Promise<PersonFacts[]>
  /** What is said of persons beside their photographs; unknown ids are left out. */
  describe(scope: Scope, ids: readonly string[]): Promise<PersonDescription[]>
  count(scope: Scope): Promise<number>
  /** Facts of all persons, in the order of their ids, a page from after an id on. */
  page(scope: Scope, after: string, size: number): Promise<PersonFacts[]>
  idsInGroups(scope: Scope, groupIds: readonly string[]): Promise<string[]>
  /** Ids of persons whose name or work number contains a text. */
  idsNamed(scope: Scope, text: string): Promise<string[]>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<Record<string, number>>
}

const EXPIRING_MS = 30 * 86_400_000

/** Which refusal a taken value means, and the field it belongs to. */
const TAKEN: Record<string, [BusinessCode, string]> = {
  person_work_number: [200215, 'workNumber'],
  person_phone: [200005, 'phone'],
  person_card_number: [200207, 'cardNumber'],
  person_id_number: [200214, 'idNumber'],
}

function taken(error: unknown): never {
  const refusal = TAKEN[violatedConstraint(error) ?? '']
  if (refusal !== undefined) refuse(...refusal)
  throw error
}

const orNull = (text: string | null | undefined): string | null => (text == null || text === '' ? null : text)

export function createPeopleService(platform: Platform, faces: FacesService, groups: GroupService): PeopleService {
  const db = platform.db as unknown as Database<PeopleTables>

  async function present(scope: Scope, row: data.PersonRow, photos: readonly FacePhoto[]): Promise<Person> {
    const { enabled, idNumber, ...rest } = row
    const validity = { id: row.id, enabled, validFrom: row.validFrom as number | null, validTo: row.validTo as number | null }
    return {
      ...rest,
      ...validity,
      workNumber: row.workNumber ?? '',
      phone: row.phone ?? '',
      cardNumber: row.cardNumber ?? '',
      idNumber: idNumber === null ? '' : (await platform.crypto.open(scope.parkId, idNumber)).toString('utf8'),
      birthday: row.birthday ?? '',
      facePhotos: photos.map((photo) => photo.faceId),
      faces: [...photos],
      status: personStatusAt(validity, platform.clock.now()),
      createdAt: row.createdAt as number,
      updatedAt: row.updatedAt as number,
    }
  }

  async function valuesOf(scope: Scope, fields: PersonFields): Promise<data.PersonValues> {
    const group = await groups.names(scope, [fields.groupId])
    if (group.length === 0) throw new InvalidRequest([{ path: 'groupId', rule: 'unknown' }])
    const idNumber = orNull(fields.idNumber)
    return {
      groupId: fields.groupId,
      kind: fields.kind,
      name: fields.name,
      workNumber: orNull(fields.workNumber),
      phone: orNull(fields.phone),
      gender: fields.gender,
      cardNumber: orNull(fields.cardNumber),
      idNumber: idNumber === null ? null : await platform.crypto.seal(scope.parkId, Buffer.from(idNumber)),
      idNumberIndex: idNumber === null ? null : platform.crypto.blindIndex(idNumber.toUpperCase()),
      birthday: orNull(fields.birthday),
      validFrom: fields.validFrom ?? null,
      validTo: fields.validTo ?? null,
      remark: fields.remark ?? '',
      faceCount: new Set(fields.facePhotos).size,
    }
  }

  /** The persons of these ids; any missing one answers 404, as if none were there. */
  async function existing(scope: Scope, ids: readonly string[]): Promise<data.PersonRow[]> {
    const rows = await data.findPersons(scope, db, ids)
    if (rows.length < new Set(ids).size) throw new NotFound()
    return rows
  }

  /** Notes what decides about these persons, as this transaction leaves them. */
  const note = (tx: Tx<PeopleTables>, scope: Scope, ids: readonly string[]): Promise<void> =>
    platform.history.noteAll(tx, scope, 'person', ids, async () => {
      const rows = await data.findPersonFacts(scope, tx, ids)
      return new Map(rows.map(({ id, enabled, groupId, validFrom, validTo }) => [id, { enabled, groupId, validFrom, validTo }]))
    })

  return {
    async list(scope, query) {
      const groupIds = query.groupId === undefined ? null : await groups.withDescendants(scope, [query.groupId])
      if (groupIds?.length === 0) throw new NotFound()
      const { content, total } = await data.listPersons(scope, db, query, groupIds, platform.clock.now())
      const photos = await faces.photosOf(scope, content.map((row) => row.id))
      return {
        total,
        content: await Promise.all(content.map((row) => present(scope, row, photos.get(row.id) ?? []))),
        page: query.page,
        size: query.size,
      }
    },
    async read(scope, id) {
      const [row] = await existing(scope, [id])
      return present(scope, row!, (await faces.photosOf(scope, [id])).get(id) ?? [])
    },
    async create(scope, fields) {
      const values = await valuesOf(scope, fields)
      const id = newId()
      await platform
        .transaction(async (tx: Tx<PeopleTables>) => {
          await data.insertPerson(scope, tx, id, values, platform.clock.now())
          await faces.assign(tx, scope, id, fields.facePhotos)
          await note(tx, scope, [id])
          await platform.events.announce(tx, personsChanged, scope.parkId, { personIds: [id] })
        })
        .catch(taken)
      return id
    },
    async change(scope, id, version, fields) {
      const [row] = await existing(scope, [id])
      if (!row!.enabled) refuse(200224)
      const values = await valuesOf(scope, fields)
      await platform
        .transaction(async (tx: Tx<PeopleTables>) => {
          if (!(await data.updatePerson(scope, tx, id, values, version ?? row!.version, platform.clock.now()))) {
            const current = (await data.findPersons(scope, tx, [id]))[0]
            const differing = (['name', 'workNumber', 'phone', 'groupId', 'validTo', 'remark'] as const).filter((key) => current?.[key] !== values[key])
            throw new Conflict(differing.length > 0 ? differing : ['version'])
          }
          await faces.assign(tx, scope, id, fields.facePhotos)
          await note(tx, scope, [id])
          await platform.events.announce(tx, personsChanged, scope.parkId, { personIds: [id] })
        })
        .catch(taken)
    },
    async setEnabled(scope, ids, enabled) {
      await existing(scope, ids)
      return platform.transaction(async (tx: Tx<PeopleTables>) => {
        const personIds = await data.updateEnabled(scope, tx, ids, enabled, platform.clock.now())
        await note(tx, scope, personIds)
        if (personIds.length > 0) await platform.events.announce(tx, personsChanged, scope.parkId, { personIds })
        return personIds.length
      })
    },
    async preview(scope, ids) {
      const rows = await existing(scope, ids)
      return { persons: rows.length, faces: await faces.count(scope, ids), disabled: rows.filter((row) => !row.enabled).length }
    },
    async delete(scope, ids) {
      const rows = await existing(scope, ids)
      if (rows.some((row) => !row.enabled)) refuse(200224)
      const personIds = rows.map((row) => row.id)
      await platform.transaction(async (tx: Tx<PeopleTables>) => {
        await faces.release(tx, scope, personIds)
        await data.deletePersons(scope, tx, personIds)
        await note(tx, scope, personIds)
        await platform.events.announce(tx, personsDeleted, scope.parkId, { personIds })
      })
      return personIds.length
    },
    async summary(scope) {
      const now = platform.clock.now()
      return data.summarisePersons(scope, db, now, now + EXPIRING_MS)
    },
    async facts(scope, ids) {
      const now = platform.clock.now()
      return (await data.findPersonFacts(scope, db, ids)).map((row) => factsOf(row, now))
    },
    describe: (scope, ids) => data.describePersons(scope, db, ids),
    count: (scope) => data.countPersons(scope, db),
    async page(scope, after, size) {
      const now = platform.clock.now()
      return (await data.findPersonFactsAfter(scope, db, after, size)).map((row) => factsOf(row, now))
    },
    async idsInGroups(scope, groupIds) {
      return data.findPersonIdsInGroups(scope, db, await groups.withDescendants(scope, groupIds))
    },
    idsNamed: (scope, text) => data.findPersonIdsNamed(scope, db, text),
    async erasePark(tx, scope) {
      await platform.history.erase(tx, scope, ['person', 'personGroup'])
      return data.deletePeopleOfPark(scope, tx as Tx<PeopleTables>)
    },
  }
}
