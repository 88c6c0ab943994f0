/** Which visit a person is here for; every function takes the scope first. */
import { sql, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

interface VisitedRow {
  personId: string
  id: string
  hostName: string
  visitorGroupId: string
}

/** Return the visits of these persons, each once: of visitors and of their companions. */
export async function findVisited(scope: Scope, db: Database, personIds: readonly string[]): Promise<VisitedRow[]> {
  if (personIds.length === 0) return []
  const ids = sql`ANY(${sql.val(personIds)}::uuid[])`
  const { rows } = await sql<VisitedRow>`SELECT coming.person_id AS "personId", visit.id, visit.host_name AS "hostName",
      visit.visitor_group_id AS "visitorGroupId"
    FROM (
      SELECT id AS visit_id, person_id FROM visit WHERE park_id = ${scope.parkId}::uuid AND person_id = ${ids}
      UNION ALL
      SELECT visit_id, person_id FROM visit_peer WHERE park_id = ${scope.parkId}::uuid AND person_id = ${ids}
    ) AS coming JOIN visit ON visit.id = coming.visit_id`.execute(db)
  return rows
}
