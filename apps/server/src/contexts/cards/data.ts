/** Rows of issued cards and of palms; every function takes the scope first. They exist for whom their persons do. */
import type { NotNull } from 'kysely'
import { columnList } from '../../platform/database/column-list.ts'
import type { Crypto } from '../../platform/encryption/crypto.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { personIsSeen } from '../../platform/session/sight.ts'
import { cardEndingOf, cardIndexOf, cardKeyOf, wantedCard } from '../people/index.ts'
import { ISSUED_NUMBER, type CardsTables } from './schema.ts'

type Db = Database<CardsTables>
/** What reads cards: their numbers are opened on the way. */
export interface Reading {
  db: Db
  crypto: Crypto
}

const cardColumns = columnList([
  'id',
  'person_id as personId',
  'type',
  'number_sealed as numberSealed',
  'number_format as numberFormat',
  'effective_date as effectiveDate',
  'expiry_date as expiryDate',
  'issuing_device as issuingDevice',
  'state',
  'reason',
  'in_force as inForce',
  'password',
  'created_at as createdAt',
])

export interface CardQuery {
  number?: string | undefined
  type?: number | undefined
  status?: 'inProgress' | 'success' | 'failed' | undefined
  page: number
  size: number
}

/** The number as such; of one that is none as it was written. */
export const keyOf = ({ number, numberFormat }: { number: string; numberFormat: string }): string =>
  cardKeyOf(number, numberFormat) ?? number

async function opener(crypto: Pick<Crypto, 'reader'>, { parkId }: Scope) {
  const read = await crypto.reader(parkId)
  return <Row extends { id: string; numberSealed: Buffer }>({ numberSealed, ...row }: Row) => ({
    ...row,
    number: read(placeOf(ISSUED_NUMBER, row.id), numberSealed)?.toString('utf8') ?? '',
  })
}

const cardIsSeen = (scope: Scope) => personIsSeen(scope, 'issued_card.person_id')

/** @param personIds only theirs; null: everybody's */
export async function listCards(scope: Scope, { db, crypto }: Reading, query: CardQuery, personIds: readonly string[] | null) {
  let rows = db.selectFrom('issued_card').where('park_id', '=', scope.parkId).where(cardIsSeen(scope))
  if (query.number !== undefined && query.number !== '') {
    const { whole, ending } = wantedCard(crypto, scope, query.number)
    rows = rows.where(sql<boolean>`(number_index = ANY(${sql.val(whole)}::bytea[]) OR number_ending = ${ending}::bytea)`)
  }
  if (query.type !== undefined) rows = rows.where('type', '=', query.type)
  if (query.status !== undefined) rows = rows.where('state', '=', query.status)
  if (personIds !== null) rows = rows.where('person_id', '=', oneOf(personIds))
  const { content, total } = await readPage(rows.select(cardColumns).orderBy('created_at', 'desc').orderBy('id', 'desc'), query)
  return { content: content.map(await opener(crypto, scope)), total }
}
export type CardRow = Awaited<ReturnType<typeof listCards>>['content'][number]

export async function findCards(scope: Scope, { db, crypto }: Reading, ids: readonly string[]): Promise<CardRow[]> {
  const rows = await db
    .selectFrom('issued_card')
    .select(cardColumns)
    .where('park_id', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where(cardIsSeen(scope))
    .execute()
  return rows.map(await opener(crypto, scope))
}

export const findCardIdsOf = async (scope: Scope, db: Db, personIds: readonly string[]): Promise<string[]> =>
  (
    await db.selectFrom('issued_card').select('id').where('park_id', '=', scope.parkId).where('person_id', '=', oneOf(personIds)).execute()
  ).map(({ id }) => id)

/** Cards in force that have a password, in the order of their ids. */
export async function findPasswordsOf(scope: Scope, db: Db, personIds: readonly string[]) {
  if (personIds.length === 0) return []
  return db
    .selectFrom('issued_card')
    .select(['id', 'person_id as personId', 'number_sealed as numberSealed', 'number_format as numberFormat', 'password'])
    .where('park_id', '=', scope.parkId)
    .where('person_id', '=', oneOf(personIds))
    .where('in_force', '=', true)
    .where('password', 'is not', null)
    .orderBy('id')
    .$narrowType<{ password: NotNull }>()
    .execute()
}

/** Cards whose time has come, and cards whose time is over. @param today date of the park */
export async function findDue(scope: Scope, { db, crypto }: Reading, today: string): Promise<CardRow[]> {
  const rows = await db
    .selectFrom('issued_card')
    .select(cardColumns)
    .where('park_id', '=', scope.parkId)
    .where((eb) =>
      eb.or([
        eb.and([eb('in_force', '=', true), eb('expiry_date', '<', today)]),
        eb.and([eb('state', '=', 'inProgress'), eb('effective_date', '<=', today)]),
      ]),
    )
    .execute()
  return rows.map(await opener(crypto, scope))
}

export interface NewCard {
  id: string
  personId: string
  type: number
  number: string
  numberFormat: string
  effectiveDate: string
  expiryDate: string
  issuingDevice: string
  inForce: boolean
  password: Buffer | null
}

export async function insertCard(scope: Scope, { db, crypto }: Reading, card: NewCard, now: number): Promise<void> {
  await db
    .insertInto('issued_card')
    .values({
      id: card.id,
      park_id: scope.parkId,
      person_id: card.personId,
      type: card.type,
      number_sealed: await crypto.seal(scope.parkId, placeOf(ISSUED_NUMBER, card.id), Buffer.from(card.number)),
      number_format: card.numberFormat,
      number_index: cardIndexOf(crypto, scope, keyOf(card)),
      number_ending: cardEndingOf(crypto, scope, card.number),
      effective_date: card.effectiveDate,
      expiry_date: card.expiryDate,
      issuing_device: card.issuingDevice,
      state: card.inForce ? 'success' : 'inProgress',
      reason: null,
      in_force: card.inForce,
      password: card.password,
      created_at: timestamp(now),
    })
    .execute()
}

export async function updateCard(
  scope: Scope,
  db: Db,
  id: string,
  change: { state: 'success' | 'failed'; reason: string | null; inForce: boolean },
): Promise<void> {
  await db
    .updateTable('issued_card')
    .set({ state: change.state, reason: change.reason, in_force: change.inForce })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

export async function deleteCards(scope: Scope, db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('issued_card').where('park_id', '=', scope.parkId).where('id', '=', oneOf(ids)).execute()
}

/** Lets whoever issues a card to the same person at the same time wait for the end of this transaction. */
export const lockCardsOf = (scope: Scope, db: Db, personId: string) =>
  db
    .selectFrom('issued_card')
    .select(['state', 'effective_date as effectiveDate', 'expiry_date as expiryDate'])
    .where('park_id', '=', scope.parkId)
    .where('person_id', '=', personId)
    .forUpdate()
    .execute()

const palmColumns = columnList([
  'id',
  'person_id as personId',
  'device_id as deviceId',
  'device_name as deviceName',
  'file_id as fileId',
  'created_at as createdAt',
])

export const findPalms = (scope: Scope, db: Db, of: { personIds: readonly string[] } | { id: string }) => {
  const rows = db
    .selectFrom('person_palm')
    .select(palmColumns)
    .where('park_id', '=', scope.parkId)
    .where(personIsSeen(scope, 'person_palm.person_id'))
    .orderBy('created_at', 'desc')
  return ('id' in of ? rows.where('id', '=', of.id) : rows.where('person_id', '=', oneOf(of.personIds))).execute()
}
export type PalmRow = Awaited<ReturnType<typeof findPalms>>[number]

/** Asks a collector for a palm: its picture comes under this id. */
export async function insertPalm(
  scope: Scope,
  db: Db,
  palm: { id: string; personId: string; deviceId: string; deviceName: string },
  now: number,
): Promise<void> {
  await db
    .insertInto('person_palm')
    .values({
      id: palm.id,
      park_id: scope.parkId,
      person_id: palm.personId,
      device_id: palm.deviceId,
      device_name: palm.deviceName,
      file_id: null,
      created_at: timestamp(now),
    })
    .execute()
}

/** Gives a palm that is waited for its picture; false where this device was not asked, or has sent one. */
export async function fillPalm(scope: Scope, db: Db, id: string, deviceId: string, fileId: string): Promise<boolean> {
  const result = await db
    .updateTable('person_palm')
    .set({ file_id: fileId })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('device_id', '=', deviceId)
    .where('file_id', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Whether this device was asked for a palm under this id, and has sent none. */
export async function isAwaited(scope: Scope, db: Db, id: string, deviceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('person_palm')
    .select('id')
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('device_id', '=', deviceId)
    .where('file_id', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function deletePalms(scope: Scope, db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('person_palm').where('park_id', '=', scope.parkId).where('id', '=', oneOf(ids)).execute()
}

/** Unscoped: palms nobody has shown, of whichever park, whose waiting ended without the server noticing. */
export async function deleteUnshownUnscoped(db: Db, before: number): Promise<number> {
  return Number(
    (await db.deleteFrom('person_palm').where('file_id', 'is', null).where('created_at', '<', timestamp(before)).executeTakeFirst())
      .numDeletedRows,
  )
}

/** Answers files that nobody refers to any more. */
export async function deleteOfPark(scope: Scope, db: Db): Promise<{ cards: number; palms: number; fileIds: string[] }> {
  const cards = await db.deleteFrom('issued_card').where('park_id', '=', scope.parkId).executeTakeFirst()
  const palms = await db.deleteFrom('person_palm').where('park_id', '=', scope.parkId).returning('file_id').execute()
  return { cards: Number(cards.numDeletedRows), palms: palms.length, fileIds: palms.flatMap(({ file_id: fileId }) => fileId ?? []) }
}
