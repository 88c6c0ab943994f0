/** Rows of linked parks; every function takes the scope of one of the two parks first. */
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { RelationsTables } from './schema.ts'

type Db = Database<RelationsTables>
export type MemberKind = 'person' | 'personGroup'

const columns = columnList([
  'id',
  'applicant_park as applicantPark',
  'receiver_park as receiverPark',
  'status',
  'remark',
  'created_at as createdAt',
  'decided_at as decidedAt',
  'version',
])

export interface RelationRow {
  id: string
  applicantPark: string
  receiverPark: string
  status: string
  remark: string
  createdAt: number
  decidedAt: number | null
  version: number
}

const ofPark = (scope: Scope, db: Db) =>
  db.selectFrom('park_relation').where((eb) => eb.or([eb('applicant_park', '=', scope.parkId), eb('receiver_park', '=', scope.parkId)]))

export interface RelationFilter {
  id?: string | undefined
  direction?: 'sent' | 'received' | undefined
  status?: string | undefined
}

export async function listRelations(
  scope: Scope,
  db: Db,
  filter: RelationFilter,
  paging: { page: number; size: number },
): Promise<{ content: RelationRow[]; total: number }> {
  let rows = ofPark(scope, db)
  if (filter.id !== undefined) rows = rows.where('id', '=', filter.id)
  if (filter.direction !== undefined) rows = rows.where(filter.direction === 'sent' ? 'applicant_park' : 'receiver_park', '=', scope.parkId)
  if (filter.status !== undefined) rows = rows.where('status', '=', filter.status)
  const { content, total } = await readPage(rows.select(columns).orderBy('created_at', 'desc').orderBy('id', 'desc'), paging)
  return { content: content as RelationRow[], total }
}

export async function findRelation(scope: Scope, db: Db, id: string): Promise<RelationRow | undefined> {
  return (await ofPark(scope, db).select(columns).where('id', '=', id).executeTakeFirst()) as RelationRow | undefined
}

/** Those that are asked for or agreed, oldest first. */
export function findOpenRelations(scope: Scope, db: Db): Promise<RelationRow[]> {
  return ofPark(scope, db)
    .select(columns)
    .where('status', 'in', ['applied', 'agreed'])
    .orderBy('created_at')
    .orderBy('id')
    .execute() as Promise<RelationRow[]>
}

export async function insertRelation(
  scope: Scope,
  db: Db,
  relation: { id: string; receiverPark: string; remark: string },
  now: number,
): Promise<void> {
  await db
    .insertInto('park_relation')
    .values({
      id: relation.id,
      applicant_park: scope.parkId,
      receiver_park: relation.receiverPark,
      status: 'applied',
      remark: relation.remark,
      created_at: timestamp(now),
      decided_at: null,
      version: 1,
    })
    .execute()
}

/** False where it is at another version by now. */
export async function updateRelation(
  scope: Scope,
  db: Db,
  { id, version }: RelationRow,
  status: string | null,
  now: number,
): Promise<boolean> {
  const result = await db
    .updateTable('park_relation')
    .set((eb) => ({ ...(status !== null && { status, decided_at: timestamp(now) }), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('version', '=', version)
    .where((eb) => eb.or([eb('applicant_park', '=', scope.parkId), eb('receiver_park', '=', scope.parkId)]))
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

export async function deleteRelation(scope: Scope, db: Db, id: string): Promise<void> {
  await db
    .deleteFrom('park_relation')
    .where('id', '=', id)
    .where((eb) => eb.or([eb('applicant_park', '=', scope.parkId), eb('receiver_park', '=', scope.parkId)]))
    .execute()
}

/** Whom relations of a park are about. */
export async function findMembers(
  scope: Scope,
  db: Db,
  relationIds: readonly string[],
): Promise<{ relationId: string; kind: MemberKind; memberId: string }[]> {
  if (relationIds.length === 0) return []
  return (await db
    .selectFrom('park_relation_member')
    .innerJoin('park_relation', 'park_relation.id', 'park_relation_member.relation_id')
    .select(['relation_id as relationId', 'kind', 'member_id as memberId'])
    .where('relation_id', '=', oneOf(relationIds))
    .where((eb) => eb.or([eb('applicant_park', '=', scope.parkId), eb('receiver_park', '=', scope.parkId)]))
    .orderBy('member_id')
    .execute()) as { relationId: string; kind: MemberKind; memberId: string }[]
}

/** Makes these the members of one kind, of a relation this park applied for. */
export async function replaceMembers(
  scope: Scope,
  db: Db,
  relationId: string,
  kind: MemberKind,
  memberIds: readonly string[],
): Promise<void> {
  await sql`DELETE FROM park_relation_member USING park_relation
    WHERE park_relation.id = relation_id AND applicant_park = ${scope.parkId}::uuid AND relation_id = ${relationId}::uuid AND kind = ${kind}`.execute(
    db,
  )
  if (memberIds.length === 0) return
  await db
    .insertInto('park_relation_member')
    .values(memberIds.map((memberId) => ({ relation_id: relationId, kind, member_id: memberId })))
    .execute()
}

/** Members that are gone leave every relation of their park; answers the relations that named one. */
export async function deleteMembers(
  scope: Scope,
  db: Db,
  kind: MemberKind,
  memberIds: readonly string[],
): Promise<Pick<RelationRow, 'id' | 'applicantPark' | 'receiverPark'>[]> {
  if (memberIds.length === 0) return []
  const { rows } = await sql<
    Pick<RelationRow, 'id' | 'applicantPark' | 'receiverPark'>
  >`WITH gone AS (DELETE FROM park_relation_member USING park_relation
      WHERE park_relation.id = relation_id AND applicant_park = ${scope.parkId}::uuid AND kind = ${kind} AND member_id = ${oneOf(memberIds)} RETURNING relation_id)
    SELECT id, applicant_park AS "applicantPark", receiver_park AS "receiverPark" FROM park_relation WHERE id IN (SELECT relation_id FROM gone) ORDER BY id`.execute(
    db,
  )
  return rows
}

/** Answers what was deleted. */
export function deleteRelationsOfPark(scope: Scope, db: Db): Promise<Pick<RelationRow, 'id' | 'applicantPark' | 'receiverPark'>[]> {
  return db
    .deleteFrom('park_relation')
    .where((eb) => eb.or([eb('applicant_park', '=', scope.parkId), eb('receiver_park', '=', scope.parkId)]))
    .returning(['id', 'applicant_park as applicantPark', 'receiver_park as receiverPark'])
    .execute()
}
