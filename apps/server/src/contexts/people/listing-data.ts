/** The list of persons: its filters, its order and its counts. Persons that do not exist for the scope are in no answer. */
import type { z } from 'zod'
import type { personQuery } from '@gatehouse/contract/people/calls'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { keptPrepared } from '../../platform/database/prepared.ts'
import type { Crypto } from '../../platform/encryption/crypto.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import type { Scope } from '../../platform/session/session.ts'
import { kindIsSeen } from '../../platform/session/sight.ts'
import { isRegistered, personColumns, withGroup, type Reading } from './data.ts'
import { detailsOpener, cardQuery, phoneQuery, type NumberQuery } from './details.ts'
import { spellingQuery } from './spelling.ts'

export type PersonQuery = z.output<typeof personQuery>
export type PersonFilter = Omit<PersonQuery, 'page' | 'size'>

const DAY = 86_400_000

const hasNumber = (what: 'phone' | 'card', { whole, ending }: NumberQuery) =>
  sql<boolean>`(${sql.ref(`person.${what}_index`)} = ANY(${sql.val(whole)}::bytea[])
    OR ${sql.ref(`person.${what}_ending`)} = ${ending}::bytea)`

/** Return whether a typed text matches a person: the name, the work number, the phone or the pinyin of the name. */
function matches(scope: Scope, crypto: Crypto, typed: string) {
  const spelling = spellingQuery(scope, typed)
  return sql<boolean>`(person.name ILIKE ${personalPattern(scope, typed)} OR person.work_number ILIKE ${containing(typed)}
    OR ${hasNumber('phone', phoneQuery(crypto, scope, typed))}
    OR ${spelling === null ? sql.lit(false) : sql`person.spelling LIKE ${spelling}`})`
}

/** Return whether a typed text is the whole name, work number or phone of a person. */
const matchesExactly = (scope: Scope, crypto: Crypto, typed: string) =>
  sql<boolean>`(lower(${typed}) IN (lower(person.name), lower(person.work_number))
    OR person.phone_index = ANY(${sql.val(phoneQuery(crypto, scope, typed).whole)}::bytea[])) IS TRUE`

/** Return the persons that the filter of the list call finds; each condition has an index in the migration. */
export function filtered(scope: Scope, { db, crypto }: Reading, query: PersonFilter, groupIds: readonly string[] | null, now: number) {
  let rows = db.selectFrom('person').where('person.parkId', '=', scope.parkId).where(kindIsSeen(scope))
  if (query.keyword) rows = rows.where(matches(scope, crypto, query.keyword))
  if (query.name !== undefined && query.name !== '') rows = rows.where('person.name', 'ilike', personalPattern(scope, query.name))
  if (query.workNumber !== undefined && query.workNumber !== '')
    rows = rows.where('person.workNumber', 'ilike', containing(query.workNumber))
  if (query.phone !== undefined && query.phone !== '') rows = rows.where(hasNumber('phone', phoneQuery(crypto, scope, query.phone)))
  if (query.cardNumber !== undefined && query.cardNumber !== '')
    rows = rows.where(hasNumber('card', cardQuery(crypto, scope, query.cardNumber)))
  if (groupIds !== null) rows = rows.where('person.groupId', '=', oneOf(groupIds))
  if (query.consent !== undefined) rows = rows.where('person.consent', '=', query.consent)
  // The watch list is a register of its own: only a query for its kind finds it.
  rows =
    query.kind === undefined
      ? rows.where('person.kind', '<>', sql.lit('special')).where(isRegistered)
      : rows.where('person.kind', '=', query.kind)
  if (query.facesBelow !== undefined) rows = rows.where('person.faceCount', '<', query.facesBelow)
  if (query.hasFace !== undefined) rows = rows.where('person.faceCount', query.hasFace === 1 ? '>' : '=', 0)
  const moment = timestamp(now)
  if (query.status === 0) rows = rows.where('person.enabled', '=', false)
  if (query.status === 1)
    rows = rows
      .where('person.enabled', '=', true)
      .where((eb) => eb.or([eb('person.validTo', 'is', null), eb('person.validTo', '>=', moment)]))
  if (query.status === 2) rows = rows.where('person.enabled', '=', true).where('person.validTo', '<', moment)
  if (query.expiringDays !== undefined)
    rows = rows.where('person.validTo', '>=', moment).where('person.validTo', '<', timestamp(now + query.expiringDays * DAY))
  return rows
}

const SORT_COLUMNS = {
  createdAt: 'person.createdAt',
  name: 'person.name',
  workNumber: 'person.workNumber',
  validTo: 'person.validTo',
} as const

/** Return the column that a list is sorted by. Masked names are not sorted by: the order would disclose them. */
export const sortColumnOf = ({ sees }: Scope, sort: keyof typeof SORT_COLUMNS = 'createdAt') =>
  SORT_COLUMNS[sees?.masked === true && sort === 'name' ? 'createdAt' : sort]

export async function listPersons(scope: Scope, from: Reading, query: PersonQuery, groupIds: readonly string[] | null, now: number) {
  const { db, crypto } = from
  const rows = filtered(scope, from, query, groupIds, now)
  const direction = query.order ?? (query.sort === undefined ? 'desc' : 'asc')
  const column = sortColumnOf(scope, query.sort)
  const exactly = query.sort === undefined && query.keyword ? matchesExactly(scope, crypto, query.keyword) : null
  // First the ids, by the index alone, then the columns of those persons. As a list of ids: a join would take longer to plan.
  const page = rows
    .select('person.id')
    .$if(exactly !== null, (found) => found.orderBy(exactly!, 'desc'))
    .orderBy(column, direction)
    .orderBy('person.id', direction)
    .limit(sql.lit(query.size))
    .$if(query.page > 1, (later) => later.offset((query.page - 1) * query.size))
  const [open, content, count] = await Promise.all([
    detailsOpener(crypto, scope),
    withGroup(db)
      .select(personColumns)
      .where('person.id', '=', sql<string>`ANY (ARRAY(${page}))`)
      .$if(exactly !== null, (found) => found.orderBy(exactly!, 'desc'))
      .orderBy(column, direction)
      .orderBy('person.id', direction)
      .modifyEnd(keptPrepared)
      .execute(),
    rows
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .modifyEnd(keptPrepared)
      .executeTakeFirstOrThrow(),
  ])
  return { content: content.map(open), total: count.total }
}

export async function summarisePersons(scope: Scope, db: Database, now: number, soon: number) {
  const moment = timestamp(now)
  return db
    .selectFrom('person')
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      eb.fn.countAll<number>().filterWhere('faceCount', '=', 0).as('withoutFace'),
      eb.fn
        .countAll<number>()
        .filterWhere('validTo', '>=', moment)
        .filterWhere('validTo', '<', timestamp(soon))
        .filterWhere('enabled', '=', true)
        .as('expiring'),
      eb.fn.countAll<number>().filterWhere('validTo', '<', moment).filterWhere('enabled', '=', true).as('expired'),
    ])
    .where('parkId', '=', scope.parkId)
    .where('kind', '<>', 'special')
    .where(isRegistered)
    .executeTakeFirstOrThrow()
}
