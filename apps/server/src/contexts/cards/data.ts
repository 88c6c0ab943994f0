/** Rows of issued cards and of palms; every function takes the scope first. They are visible to users who can see their persons. */
import type { NotNull } from 'kysely'
import { columnList } from '../../platform/database/column-list.ts'
import type { Crypto } from '../../platform/encryption/crypto.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { personIsSeen } from '../../platform/session/sight.ts'
import { cardEndingOf, cardIndexOf, cardKeyOf, cardQuery } from '../people/index.ts'
import { ISSUED_NUMBER, PALM_TEMPLATE } from './schema.ts'

/** Dependencies of functions that read cards: they decrypt the numbers. */
export interface Reading {
  db: Database
  crypto: Crypto
}

const cardColumns = columnList([
  'id',
  'personId',
  'type',
  'numberSealed',
  'numberFormat',
  'effectiveDate',
  'expiryDate',
  'issuingDevice',
  'state',
  'reason',
  'inForce',
  'password',
  'createdAt',
])

export interface CardQuery {
  number?: string | undefined
  type?: number | undefined
  status?: 'inProgress' | 'success' | 'failed' | undefined
  page: number
  size: number
}

/** Return the normalised number; one that is not a valid number is returned as entered. */
export const keyOf = ({ number, numberFormat }: { number: string; numberFormat: string }): string =>
  cardKeyOf(number, numberFormat) ?? number

async function opener(crypto: Pick<Crypto, 'reader'>, { parkId }: Scope) {
  const read = await crypto.reader(parkId)
  return <Row extends { id: string; numberSealed: Buffer }>({ numberSealed, ...row }: Row) => ({
    ...row,
    number: read(placeOf(ISSUED_NUMBER, row.id), numberSealed)?.toString('utf8') ?? '',
  })
}

const cardIsSeen = (scope: Scope) => personIsSeen(scope, 'issuedCard.personId')

/** @param personIds persons whose cards are listed; null: all */
export async function listCards(scope: Scope, { db, crypto }: Reading, query: CardQuery, personIds: readonly string[] | null) {
  let rows = db.selectFrom('issuedCard').where('parkId', '=', scope.parkId).where(cardIsSeen(scope))
  if (query.number !== undefined && query.number !== '') {
    const { whole, ending } = cardQuery(crypto, scope, query.number)
    rows = rows.where(sql<boolean>`(number_index = ANY(${sql.val(whole)}::bytea[]) OR number_ending = ${ending}::bytea)`)
  }
  if (query.type !== undefined) rows = rows.where('type', '=', query.type)
  if (query.status !== undefined) rows = rows.where('state', '=', query.status)
  if (personIds !== null) rows = rows.where('personId', '=', oneOf(personIds))
  const { content, total } = await readPage(rows.select(cardColumns).orderBy('createdAt', 'desc').orderBy('id', 'desc'), query)
  return { content: content.map(await opener(crypto, scope)), total }
}
export type CardRow = Awaited<ReturnType<typeof listCards>>['content'][number]

export async function findCards(scope: Scope, { db, crypto }: Reading, ids: readonly string[]): Promise<CardRow[]> {
  const rows = await db
    .selectFrom('issuedCard')
    .select(cardColumns)
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where(cardIsSeen(scope))
    .execute()
  return rows.map(await opener(crypto, scope))
}

export const findCardIdsOf = async (scope: Scope, db: Database, personIds: readonly string[]): Promise<string[]> =>
  (
    await db.selectFrom('issuedCard').select('id').where('parkId', '=', scope.parkId).where('personId', '=', oneOf(personIds)).execute()
  ).map(({ id }) => id)

/** Return the cards in force that have a password, in the order of their ids. */
export async function findPasswordsOf(scope: Scope, db: Database, personIds: readonly string[]) {
  if (personIds.length === 0) return []
  return db
    .selectFrom('issuedCard')
    .select(['id', 'personId', 'numberSealed', 'numberFormat', 'password'])
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', oneOf(personIds))
    .where('inForce', '=', true)
    .where('password', 'is not', null)
    .orderBy('id')
    .$narrowType<{ password: NotNull }>()
    .execute()
}

/** Return cards whose period has started, and cards whose period has ended. @param today date of the park */
export async function findDue(scope: Scope, { db, crypto }: Reading, today: string): Promise<CardRow[]> {
  const rows = await db
    .selectFrom('issuedCard')
    .select(cardColumns)
    .where('parkId', '=', scope.parkId)
    .where((eb) =>
      eb.or([
        eb.and([eb('inForce', '=', true), eb('expiryDate', '<', today)]),
        eb.and([eb('state', '=', 'inProgress'), eb('effectiveDate', '<=', today)]),
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
    .insertInto('issuedCard')
    .values({
      id: card.id,
      parkId: scope.parkId,
      personId: card.personId,
      type: card.type,
      numberSealed: await crypto.seal(scope.parkId, placeOf(ISSUED_NUMBER, card.id), Buffer.from(card.number)),
      numberFormat: card.numberFormat,
      numberIndex: cardIndexOf(crypto, scope, keyOf(card)),
      numberEnding: cardEndingOf(crypto, scope, card.number),
      effectiveDate: card.effectiveDate,
      expiryDate: card.expiryDate,
      issuingDevice: card.issuingDevice,
      state: card.inForce ? 'success' : 'inProgress',
      reason: null,
      inForce: card.inForce,
      password: card.password,
      createdAt: timestamp(now),
    })
    .execute()
}

export async function updateCard(
  scope: Scope,
  db: Database,
  id: string,
  change: { state: 'success' | 'failed'; reason: string | null; inForce: boolean },
): Promise<void> {
  await db
    .updateTable('issuedCard')
    .set({ state: change.state, reason: change.reason, inForce: change.inForce })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

export async function deleteCards(scope: Scope, db: Database, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('issuedCard').where('parkId', '=', scope.parkId).where('id', '=', oneOf(ids)).execute()
}

/** Lock the cards of a person, so that a concurrent issue of another card waits for the end of this transaction. */
export const lockCardsOf = (scope: Scope, db: Database, personId: string) =>
  db
    .selectFrom('issuedCard')
    .select(['state', 'effectiveDate', 'expiryDate'])
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', personId)
    .forUpdate()
    .execute()

const palmColumns = columnList(['id', 'personId', 'deviceId', 'deviceName', 'fileId', 'createdAt'])

export const findPalms = (scope: Scope, db: Database, of: { personIds: readonly string[] } | { id: string }) => {
  const rows = db
    .selectFrom('personPalm')
    .select(palmColumns)
    .select(sql<boolean>`template IS NOT NULL`.as('hasTemplate'))
    .where('parkId', '=', scope.parkId)
    .where(personIsSeen(scope, 'personPalm.personId'))
    .orderBy('createdAt', 'desc')
  return ('id' in of ? rows.where('id', '=', of.id) : rows.where('personId', '=', oneOf(of.personIds))).execute()
}
export type PalmRow = Awaited<ReturnType<typeof findPalms>>[number]

/** Store the request for a palm to a collector; the picture is sent under this id. */
export async function insertPalm(
  scope: Scope,
  db: Database,
  palm: { id: string; personId: string; deviceId: string; deviceName: string },
  now: number,
): Promise<void> {
  await db
    .insertInto('personPalm')
    .values({
      id: palm.id,
      parkId: scope.parkId,
      personId: palm.personId,
      deviceId: palm.deviceId,
      deviceName: palm.deviceName,
      fileId: null,
      template: null,
      createdAt: timestamp(now),
    })
    .execute()
}

/**
 * Store the picture and the template of a requested palm; return its person, or null if this device was not asked for it, or has sent one
 * already.
 */
export async function fillPalm(
  scope: Scope,
  { db, crypto }: Reading,
  { id, deviceId }: { id: string; deviceId: string },
  palm: { fileId: string; template: string | null },
): Promise<string | null> {
  const template = palm.template && (await crypto.seal(scope.parkId, placeOf(PALM_TEMPLATE, id), Buffer.from(palm.template, 'base64')))
  const filled = await db
    .updateTable('personPalm')
    .set({ fileId: palm.fileId, template: template || null })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('deviceId', '=', deviceId)
    .where('fileId', 'is', null)
    .returning('personId')
    .executeTakeFirst()
  return filled?.personId ?? null
}

/** Return the sealed templates of persons, the newest of each person first. */
export async function findTemplatesOf(scope: Scope, db: Database, personIds: readonly string[]) {
  if (personIds.length === 0) return []
  return db
    .selectFrom('personPalm')
    .select(['id', 'personId', 'template'])
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', oneOf(personIds))
    .where('template', 'is not', null)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .$narrowType<{ template: NotNull }>()
    .execute()
}

/** Return whether this device was asked for a palm under this id, and has sent none. */
export async function isAwaited(scope: Scope, db: Database, id: string, deviceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('personPalm')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('deviceId', '=', deviceId)
    .where('fileId', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function deletePalms(scope: Scope, db: Database, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('personPalm').where('parkId', '=', scope.parkId).where('id', '=', oneOf(ids)).execute()
}

/** Unscoped: delete palms of any park that were never presented, and whose time ended while no server was waiting. */
export async function deleteUnshownUnscoped(db: Database, before: number): Promise<number> {
  return Number(
    (await db.deleteFrom('personPalm').where('fileId', 'is', null).where('createdAt', '<', timestamp(before)).executeTakeFirst())
      .numDeletedRows,
  )
}

/** Delete the rows of a park; return their numbers, and the files that no row refers to any more. */
export async function deleteOfPark(scope: Scope, db: Database): Promise<{ cards: number; palms: number; fileIds: string[] }> {
  const cards = await db.deleteFrom('issuedCard').where('parkId', '=', scope.parkId).executeTakeFirst()
  const palms = await db.deleteFrom('personPalm').where('parkId', '=', scope.parkId).returning('fileId').execute()
  return { cards: Number(cards.numDeletedRows), palms: palms.length, fileIds: palms.flatMap(({ fileId }) => fileId ?? []) }
}
