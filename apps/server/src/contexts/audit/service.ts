/** The operation log and the log of reads, as lists. */
import type { DataOf } from '@gatehouse/contract'
import type { auditCalls, OperationDetail } from '@gatehouse/contract/audit/calls'
import type { LogModule } from '@gatehouse/contract/audit/modules'
import { mask } from '@gatehouse/contract/masking'
import { openChanges } from '../../platform/audit/sealed.ts'
import type { Platform } from '../../platform/context.ts'
import { NotFound, forbid } from '../../platform/http/refusal.ts'
import { inPark, seesWatchList, type Scope, type Session } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { Unseen } from '../people/index.ts'
import * as data from './data.ts'
import { newestFirst, placeOf } from '../../platform/http/newest-first.ts'
import { UUID, within } from './paging.ts'
import { canReadAllParks } from './policy.ts'
import { labelOf, listedNames, seenFields, shown } from './viewing.ts'
import type { Viewer } from './service-types.ts'

export interface AuditDependencies {
  organisation: Pick<OrganisationService, 'get'>
  /** Return ids and names that identify persons who do not exist for the scope, their passages included. */
  unseen(scope: Scope): Promise<Unseen>
  /** Return those of these names that belong to a person who exists for the scope. */
  namesAmong(scope: Scope, names: readonly string[]): Promise<string[]>
  /** Return the names of those of these persons who still exist. */
  personNames(scope: Scope, ids: readonly string[]): Promise<Map<string, string>>
  /** Return the names of users in the viewer's part of the tree. */
  userNames(viewer: Pick<Session, 'organisationId'>, ids: readonly string[]): Promise<Map<string, string>>
  /** Return the names of those of these devices that still exist. */
  deviceNames(scope: Scope, ids: readonly string[]): Promise<Map<string, string>>
}

type Unworded<Entry> = Omit<Entry, 'content'>
type Page = DataOf<typeof auditCalls.operations>
export type OperationPage = Omit<Page, 'content'> & { content: Unworded<Page['content'][number]>[] }
export type ReadPage = DataOf<typeof auditCalls.reads>

export interface AuditService {
  /**
   * Return a page, newest first.
   * @throws Refusal 900007 for a window that is empty or too long, 100510 (403) for entries of all parks without the right to them
   * @throws InvalidRequest for a page beyond row 10,000, or a malformed cursor
   */
  operations(viewer: Viewer, query: data.OperationQuery): Promise<OperationPage>
  /** @throws NotFound */
  operation(viewer: Viewer, id: string): Promise<{ detail: Unworded<OperationDetail>; personal: string[] }>
  /** @throws as `operations` */
  reads(viewer: Viewer, query: data.ReadQuery): Promise<ReadPage>
}

/** Most subjects of a read that are named. */
const NAMED = 20
const source = (text: string): 'local' | 'thirdParty' => (text === 'thirdParty' ? 'thirdParty' : 'local')

export function createAuditService(
  platform: Platform,
  { organisation, unseen, namesAmong, personNames, userNames, deviceNames }: AuditDependencies,
): AuditService {
  const db = platform.db

  /** Return what identifies persons that do not exist for the viewer; null: all exist. */
  const hiddenFrom = async ({ scope }: Viewer): Promise<Unseen | null> => (seesWatchList(scope) ? null : unseen(scope))

  function scopeOf(viewer: Viewer, all: boolean | undefined): data.LogScope {
    if (all !== true) return viewer.scope
    if (!canReadAllParks(viewer)) forbid()
    return 'all'
  }

  function actorOf<Row extends { parkId: string; operator: string; source: string; time: unknown }>(
    viewer: Viewer,
    { parkId, ...row }: Row,
  ) {
    return {
      ...row,
      time: row.time as number,
      source: source(row.source),
      operator: viewer.masking ? mask('name', row.operator) : row.operator,
      areaName: organisation.get(parkId)?.name ?? '',
    }
  }

  /** Return the names of the subjects of these rows: persons and devices, read park by park, and users. */
  async function namesIn(viewer: Viewer, rows: readonly data.ReadRow[]): Promise<Map<string, string>> {
    const idsIn = (some: readonly data.ReadRow[]): string[] => [
      ...new Set(some.flatMap((row) => row.subjects.slice(0, NAMED).filter((id) => UUID.test(id)))),
    ]
    const names = await userNames(viewer, idsIn(rows))
    for (const [parkId, own] of Map.groupBy(rows, (row) => row.parkId))
      for (const [id, name] of await personNames(inPark(viewer.scope, parkId), idsIn(own))) names.set(id, name)
    if (viewer.masking) for (const [id, name] of names) names.set(id, mask('name', name))
    const toDevices = rows.filter(({ persons }) => persons !== null)
    for (const [parkId, own] of Map.groupBy(toDevices, (row) => row.parkId))
      for (const [id, name] of await deviceNames(inPark(viewer.scope, parkId), idsIn(own))) names.set(id, name)
    return names
  }

  return {
    async operations(viewer, query) {
      const scope = scopeOf(viewer, query.all)
      const filter = within(viewer, query, platform.clock.now())
      const place = placeOf(query)
      const hidden = await hiddenFrom(viewer)
      const [rows, total] = await Promise.all([
        data.listOperations(scope, db, filter, hidden, place),
        data.countOperations(scope, db, filter, hidden),
      ])
      const content = rows.slice(0, query.size).map(({ module, subjects, ...row }) => ({
        ...actorOf(viewer, row),
        module: module as LogModule,
        subjects: subjects.map((one) => ({ entity: one.entity, id: one.id, label: labelOf(viewer, one) })),
      }))
      return newestFirst(query, total, rows, content)
    },
    async operation(viewer, id) {
      const hidden = await hiddenFrom(viewer)
      const row = await data.findOperation(canReadAllParks(viewer) ? 'all' : viewer.scope, db, id, hidden)
      if (row === undefined) throw new NotFound()
      const { changes: stored, module, ...rest } = row
      const changes = await openChanges(platform.crypto, row.parkId, row.id, stored)
      const visibleNames = new Set(hidden === null ? [] : await namesAmong(inPark(viewer.scope, row.parkId), listedNames(changes)))
      return {
        detail: {
          ...actorOf(viewer, rest),
          module: module as LogModule,
          subjectCount: changes.length,
          changes: changes.map((change) => ({
            entity: change.entity,
            id: change.id,
            label: labelOf(viewer, change),
            kind: change.kind ?? 'touched',
            ...(change.unreadable === true && { unreadable: true }),
            fields: seenFields(change.fields, hidden, visibleNames).map((one) => ({
              field: one.field,
              before: shown(viewer, one.before, one),
              after: shown(viewer, one.after, one),
            })),
          })),
        },
        personal: changes.filter(({ personal }) => personal === true).map((change) => change.id),
      }
    },
    async reads(viewer, query) {
      const scope = scopeOf(viewer, query.all)
      const filter = within(viewer, query, platform.clock.now())
      const place = placeOf(query)
      const hidden = await hiddenFrom(viewer)
      const [rows, total] = await Promise.all([
        data.listReads(scope, db, filter, hidden, place),
        data.countReads(scope, db, filter, hidden),
      ])
      const page = rows.slice(0, query.size)
      const names = await namesIn(viewer, page)
      const content = page.map(({ subjects, ...row }) => ({
        ...actorOf(viewer, row),
        // The subject of the filter comes first.
        subjects: (query.subject === undefined ? subjects : [query.subject, ...subjects.filter((id) => id !== query.subject)])
          .slice(0, NAMED)
          .map((id) => ({ id, name: names.get(id) ?? null })),
        subjectCount: subjects.length,
        reason: row.reason,
      }))
      return newestFirst(query, total, rows, content)
    },
  }
}
