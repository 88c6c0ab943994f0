/** The persons and groups that links are about. */
import type { Scope } from '../../platform/session/session.ts'
import type * as data from './data.ts'

export interface Members {
  /**
   * Return the members of links that exist for the scope, by link: those named, and `all` persons of them, groups with those below them.
   */
  personsOf(
    scope: Scope,
    rows: readonly data.RelationRow[],
  ): Promise<Map<string, { personIds: string[]; groupIds: string[]; all: string[] }>>
  /** @throws InvalidRequest for persons or groups that do not exist for the scope */
  assertExist(scope: Scope, personIds: readonly string[], groupIds: readonly string[]): Promise<void>
}
