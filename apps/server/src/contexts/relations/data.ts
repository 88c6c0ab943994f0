/** Rows of linked parks; every function takes the scope of one of the two parks first. */
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'

export type MemberKind = 'person' | 'personGroup'

const columns = columnList(['id', 'applicantPark', 'receiverPark', 'status', 'remark', 'createdAt', 'decidedAt', 'version'])

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

const ofPark = (scope: Scope, db: Database) =>
  db.selectFrom('parkRelation').where((eb) => eb.or([eb('applicantPark', '=', scope.parkId), eb('receiverPark', '=', scope.parkId)]))

export interface RelationFilter {
  id?: string | undefined
  direction?: 'sent' | 'received' | undefined
  status?: string | undefined
}

export async function listRelations(
  scope: Scope,
  db: Database,
  filter: RelationFilter,
  paging: { page: number; size: number },
): Promise<{ content: RelationRow[]; total: number }> {
  let rows = ofPark(scope, db)
  if (filter.id !== undefined) rows = rows.where('id', '=', filter.id)
  if (filter.direction !== undefined) rows = rows.where(filter.direction === 'sent' ? 'applicantPark' : 'receiverPark', '=', scope.parkId)
  if (filter.status !== undefined) rows = rows.where('status', '=', filter.status)
  const { content, total } = await readPage(rows.select(columns).orderBy('createdAt', 'desc').orderBy('id', 'desc'), paging)
  return { content: content as RelationRow[], total }
}

export async function findRelation(scope: Scope, db: Database, id: string): Promise<RelationRow | undefined> {
  return (await ofPark(scope, db).select(columns).where('id', '=', id).executeTakeFirst()) as RelationRow | undefined
}

/** Those that are asked for or agreed, oldest first. */
export function findOpenRelations(scope: Scope, db: Database): Promise<RelationRow[]> {
  return ofPark(scope, db)
    .select(columns)
    .where('status', 'in', ['applied', 'agreed'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute() as Promise<RelationRow[]>
}

export async function insertRelation(
  scope: Scope,
  db: Database,
  relation: { id: string; receiverPark: string; remark: string },
  now: number,
): Promise<void> {
  await db
    .insertInto('parkRelation')
    .values({
      id: relation.id,
      applicantPark: scope.parkId,
      receiverPark: relation.receiverPark,
      status: 'applied',
      remark: relation.remark,
      createdAt: timestamp(now),
      decidedAt: null,
      version: 1,
    })
    .execute()
}

/** False where it is at another version by now. */
export async function updateRelation(
  scope: Scope,
  db: Database,
  { id, version }: RelationRow,
  status: string | null,
  now: number,
): Promise<boolean> {
  const result = await db
    .updateTable('parkRelation')
    .set((eb) => ({ ...(status !== null && { status, decidedAt: timestamp(now) }), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('version', '=', version)
    .where((eb) => eb.or([eb('applicantPark', '=', scope.parkId), eb('receiverPark', '=', scope.parkId)]))
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

export async function deleteRelation(scope: Scope, db: Database, id: string): Promise<void> {
  await db
    .deleteFrom('parkRelation')
    .where('id', '=', id)
    .where((eb) => eb.or([eb('applicantPark', '=', scope.parkId), eb('receiverPark', '=', scope.parkId)]))
    .execute()
}

/** Return the members of links of a park. */
export async function findMembers(
  scope: Scope,
  db: Database,
  relationIds: readonly string[],
): Promise<{ relationId: string; kind: MemberKind; memberId: string }[]> {
  if (relationIds.length === 0) return []
  return (await db
    .selectFrom('parkRelationMember')
    .innerJoin('parkRelation', 'parkRelation.id', 'parkRelationMember.relationId')
    .select(['relationId', 'kind', 'memberId'])
    .where('relationId', '=', oneOf(relationIds))
    .where((eb) => eb.or([eb('applicantPark', '=', scope.parkId), eb('receiverPark', '=', scope.parkId)]))
    .orderBy('memberId')
    .execute()) as { relationId: string; kind: MemberKind; memberId: string }[]
}

/** Make these the members of one kind, of a relation this park applied for. */
export async function replaceMembers(
  scope: Scope,
  db: Database,
  relationId: string,
  kind: MemberKind,
  memberIds: readonly string[],
): Promise<void> {
  await sql`DELETE FROM park_relation_member USING park_relation
    WHERE park_relation.id = relation_id AND applicant_park = ${scope.parkId}::uuid AND relation_id = ${relationId}::uuid
    AND kind = ${kind}`.execute(db)
  if (memberIds.length === 0) return
  await db
    .insertInto('parkRelationMember')
    .values(memberIds.map((memberId) => ({ relationId, kind, memberId })))
    .execute()
}

/** Members that are gone leave every relation of their park; return the relations that named one. */
export async function deleteMembers(
  scope: Scope,
  db: Database,
  kind: MemberKind,
  memberIds: readonly string[],
): Promise<Pick<RelationRow, 'id' | 'applicantPark' | 'receiverPark'>[]> {
  if (memberIds.length === 0) return []
  const { rows } = await sql<
    Pick<RelationRow, 'id' | 'applicantPark' | 'receiverPark'>
  >`WITH gone AS (DELETE FROM park_relation_member USING park_relation
      WHERE park_relation.id = relation_id AND applicant_park = ${scope.parkId}::uuid AND kind = ${kind} AND member_id = ${oneOf(memberIds)}
      RETURNING relation_id)
    SELECT id, applicant_park AS "applicantPark", receiver_park AS "receiverPark" FROM park_relation WHERE id IN (SELECT relation_id
    FROM gone) ORDER BY id`.execute(db)
  return rows
}

/** Return what was deleted. */
export function deleteRelationsOfPark(scope: Scope, db: Database): Promise<Pick<RelationRow, 'id' | 'applicantPark' | 'receiverPark'>[]> {
  return db
    .deleteFrom('parkRelation')
    .where((eb) => eb.or([eb('applicantPark', '=', scope.parkId), eb('receiverPark', '=', scope.parkId)]))
    .returning(['id', 'applicantPark', 'receiverPark'])
    .execute()
}
