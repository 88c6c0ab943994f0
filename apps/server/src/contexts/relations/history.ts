/** The history of a link: whether it is agreed, and its members. It belongs to the park of these persons. */
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findMembers, findRelation } from './data.ts'

/** Note what holds of relations a park applied for from now on, in the transaction that changes it. @param scope the park that applied */
export function noteRelations(platform: Platform, tx: Transaction, scope: Scope, ids: readonly string[]): Promise<void> {
  return platform.history.noteAll(tx, scope, 'parkRelation', ids, async () => {
    const [rows, members] = [await Promise.all(ids.map((id) => findRelation(scope, tx, id))), await findMembers(scope, tx, ids)]
    return new Map(
      rows.flatMap((row) => {
        if (row === undefined) return []
        const of = (kind: string): string[] =>
          members.flatMap((member) => (member.relationId === row.id && member.kind === kind ? [member.memberId] : []))
        return [
          [
            row.id,
            {
              status: row.status,
              receiverPark: row.receiverPark,
              members: of('person').toSorted(),
              personGroupIds: of('personGroup').toSorted(),
            },
          ] as const,
        ]
      }),
    )
  })
}
