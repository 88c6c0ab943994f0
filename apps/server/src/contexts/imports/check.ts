/** What an import would do, found before it does anything: whose the photographs are, and what each row comes to. */
import { IMPORT_PAGE_SIZE } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { ImportRecord } from './data.ts'
import type { ImportsDependencies } from './dependencies.ts'
import { createJudging, type Judging } from './judging.ts'
import { createPhotoPlacing } from './photo-places.ts'
import { findUnfinished, judgeRows, type RowRecord } from './rows-data.ts'
import { IMPORTED_ROW } from './schema.ts'
import { groupNamesOf, type GroupNames, type RowValues } from './values.ts'

export interface Check extends Judging {
  /** @param id of the row they are for */
  seal(scope: Scope, id: string, values: RowValues): Promise<Buffer>
  valuesOf(scope: Scope, row: Pick<RowRecord, 'id' | 'sealed'>): Promise<RowValues>
  /** Judge an import again: all of it, or what these work numbers and keys touch. */
  all(scope: Scope, one: ImportRecord, of?: { numbers: readonly string[]; keys?: readonly Buffer[] }): Promise<void>
  groups(scope: Scope): Promise<GroupNames>
}

export function createCheck(platform: Platform, { people, groups, faces, organisation }: ImportsDependencies): Check {
  const db = platform.db
  const judging = createJudging({ platform, people, organisation })
  const placePhotographs = createPhotoPlacing(platform, { people, faces })
  const namesOf = async (scope: Scope): Promise<GroupNames> => groupNamesOf(await groups.tree(scope))
  return {
    ...judging,
    async valuesOf(scope, { id, sealed }) {
      if (sealed === null) return {}
      return JSON.parse((await platform.crypto.open(scope.parkId, placeOf(IMPORTED_ROW, id), sealed)).toString('utf8')) as RowValues
    },
    seal: (scope, id, values) => platform.crypto.seal(scope.parkId, placeOf(IMPORTED_ROW, id), Buffer.from(JSON.stringify(values))),
    groups: namesOf,
    async all(scope, one, of) {
      await placePhotographs(scope, one, of?.numbers ?? null)
      const names = await namesOf(scope)
      for (let after = 0; ;) {
        const rows = await findUnfinished(
          scope,
          db,
          one.id,
          after,
          IMPORT_PAGE_SIZE,
          of === undefined ? {} : { of: { numbers: of.numbers, keys: of.keys ?? [] } },
        )
        if (rows.length === 0) return
        await judgeRows(
          scope,
          db,
          (await judging.judge(scope, one, rows, names)).map(({ verdict }) => verdict),
        )
        after = rows.at(-1)!.position
      }
    },
  }
}
