/** Musters: everybody who is inside an area, and who of them was met outside. */
import type { z } from 'zod'
import type { DataOf } from '@gatehouse/contract'
import type { musterFilter, restrictionCalls } from '@gatehouse/contract/restrictions/calls'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import * as areas from './areas-data.ts'
import type { RestrictionDependencies } from './dependencies.ts'
import * as data from './muster-data.ts'
import { assertPersons, namesFor, statusOf } from './persons.ts'

export interface MusterService {
  /** @throws NotFound */
  read(
    scope: Scope,
    areaId: string,
    query: {
      page: number
      size: number
      filter?: z.output<typeof musterFilter> | undefined
      /** Whether visitors have their visit, with the name of their host. */
      withVisits: boolean
    },
  ): Promise<DataOf<typeof restrictionCalls.muster>>
  /** Return the one that goes on where there is one. @throws NotFound */
  begin(scope: Scope, actor: Actor, areaId: string): Promise<string>
  /** @throws NotFound where none goes on */
  end(scope: Scope, areaId: string): Promise<string>
  /** @throws NotFound where none goes on; InvalidRequest for persons this park does not have */
  meet(scope: Scope, actor: Actor, areaId: string, personIds: readonly string[], met: boolean): Promise<number>
}

export function createMusterService(
  platform: Platform,
  needs: Pick<RestrictionDependencies, 'people' | 'devices' | 'visits'>,
): MusterService {
  const db = platform.db

  /** Behind the area's row, so that of two who begin at once the second finds the first's. */
  async function during<T>(
    scope: Scope,
    areaId: string,
    work: (tx: Transaction, area: areas.AreaRow, open: Awaited<ReturnType<typeof data.findOpenMuster>>) => Promise<T>,
  ): Promise<T> {
    return platform.transaction(async (tx) => {
      const area = await areas.lockArea(scope, tx, areaId)
      if (area === undefined) throw new NotFound()
      return work(tx, area, await data.findOpenMuster(scope, tx, areaId))
    })
  }

  return {
    async read(scope, areaId, { page, size, filter, withVisits }) {
      if ((await areas.findArea(scope, db, areaId)) === undefined) throw new NotFound()
      const open = await data.findOpenMuster(scope, db, areaId)
      const { content, counts, total } = await data.listMuster(scope, db, areaId, open, { filter, page, size }, platform.clock.now())
      const names = await namesFor(scope, needs, content)
      const personIds = content.map(({ personId }) => personId)
      const visits = withVisits ? await needs.visits().of(scope, personIds) : null
      return {
        ...counts,
        muster: open,
        total,
        page,
        size,
        content: content.map((row) => ({
          ...names(row),
          status: statusOf(row.inside),
          since: row.at,
          met: row.metAt !== null,
          metAt: row.metAt,
          metBy: row.metBy ?? '',
          visit: visits?.get(row.personId) ?? null,
        })),
      }
    },
    begin: (scope, { operator }, areaId) =>
      during(scope, areaId, async (tx, { name }, open) => {
        if (open !== null) return open.id
        const id = newId()
        await data.insertMuster(scope, tx, areaId, id, operator, platform.clock.now())
        platform.audit.note({ entity: 'restrictionArea', id: areaId, label: name, after: { muster: true } })
        return id
      }),
    end: (scope, areaId) =>
      during(scope, areaId, async (tx, { name }, open) => {
        if (open === null) throw new NotFound()
        await data.endMuster(scope, tx, open.id, platform.clock.now())
        platform.audit.note({ entity: 'restrictionArea', id: areaId, label: name, before: { muster: true }, after: { muster: false } })
        return open.id
      }),
    async meet(scope, { operator }, areaId, ids, met) {
      const personIds = [...new Set(ids)]
      await assertPersons(scope, needs, personIds)
      return during(scope, areaId, async (tx, { name }, open) => {
        if (open === null) throw new NotFound()
        platform.audit.note({
          entity: 'restrictionArea',
          id: areaId,
          label: name,
          // By their ids, so that a name that is masked or erased stands nowhere.
          after: { personIds, met },
        })
        return met
          ? data.insertMet(scope, tx, open.id, personIds, operator, platform.clock.now())
          : data.deleteMet(scope, tx, open.id, personIds)
      })
    },
  }
}
