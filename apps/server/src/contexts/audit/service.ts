/** The operation log and the log of reads, as lists. */
import { LIST_OFFSET_MAX, RECORD_WINDOW_DEFAULT, RECORD_WINDOW_MAX, type DataOf } from '@gatehouse/contract'
import type { auditCalls, OperationDetail } from '@gatehouse/contract/audit/calls'
import type { LogModule } from '@gatehouse/contract/audit/modules'
import { holds } from '@gatehouse/contract/conditions'
import { mask } from '@gatehouse/contract/masking'
import type { FieldChange } from '../../platform/audit/marks.ts'
import type { AuditTables } from '../../platform/audit/migration.ts'
import { openChanges, type OpenedChange } from '../../platform/audit/sealed.ts'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { InvalidRequest, NotFound, forbid, refuse } from '../../platform/http/refusal.ts'
import { inPark, seesWatchList, type Scope, type Session } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { Unseen } from '../people/index.ts'
import * as data from './data.ts'

export interface AuditDependencies {
  organisation: Pick<OrganisationService, 'get'>
  /** What names those who do not exist for the asker, their passages among it. */
  unseen(scope: Scope): Promise<Unseen>
  /** Those of these names that somebody has who exists for the asker. */
  namesAmong(scope: Scope, names: readonly string[]): Promise<string[]>
  /** Names of persons that are still known. */
  personNames(scope: Scope, ids: readonly string[]): Promise<Map<string, string>>
  /** Names of users in the viewer's part of the tree. */
  userNames(viewer: Pick<Session, 'organisationId'>, ids: readonly string[]): Promise<Map<string, string>>
  /** Names of devices that are still there. */
  deviceNames(scope: Scope, ids: readonly string[]): Promise<Map<string, string>>
}

type Viewer = Pick<Session, 'scope' | 'masking' | 'circumstances' | 'organisationId'>
type Unworded<Entry> = Omit<Entry, 'content'>
type Page = DataOf<typeof auditCalls.operations>
export type OperationPage = Omit<Page, 'content'> & { content: Unworded<Page['content'][number]>[] }
export type ReadPage = DataOf<typeof auditCalls.reads>

export interface AuditService {
  /**
   * Newest first.
   * @throws Refusal 900007 a window that is none or too long, 100510 (403) entries of all parks for somebody else
   * @throws InvalidRequest a page beyond row 10,000, a cursor that is none
   */
  operations(viewer: Viewer, query: data.OperationQuery): Promise<OperationPage>
  /** @throws NotFound */
  operation(viewer: Viewer, id: string): Promise<{ detail: Unworded<OperationDetail>; personal: string[] }>
  /** The same refusals as `operations`. */
  reads(viewer: Viewer, query: data.ReadQuery): Promise<ReadPage>
}

const DAY = 86_400_000
/** Subjects of a read that are named. */
const NAMED = 20
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function within<Query extends { startTime?: number | undefined; endTime?: number | undefined }>(
  { scope: { sees } }: Viewer,
  query: Query,
  now: number,
): data.Within<Query> {
  const end = query.endTime ?? now
  const from = query.startTime ?? end - RECORD_WINDOW_DEFAULT * DAY
  if (from > end || end - from > RECORD_WINDOW_MAX * DAY) refuse(900007, query.endTime === undefined ? 'startTime' : 'endTime')
  return { ...query, from, to: query.endTime ?? null, ...(sees !== undefined && { sees }) }
}

function placeOf({ page, size, after }: { page: number; size: number; after?: string | undefined }): data.Place {
  if (after !== undefined) {
    const [time = '', id = ''] = after.split('_')
    if (!/^\d{1,16}$/.test(time) || !UUID.test(id)) throw new InvalidRequest([{ path: 'after', rule: 'invalid' }])
    return { after: { time: Number(time), id }, offset: 0, limit: size + 1 }
  }
  if (page * size > LIST_OFFSET_MAX)
    throw new InvalidRequest([{ path: 'page', rule: 'max.number', params: { limit: Math.floor(LIST_OFFSET_MAX / size) } }])
  // One row more than shown tells whether the list goes on.
  return { after: null, offset: (page - 1) * size, limit: size + 1 }
}

const source = (text: string): 'local' | 'thirdParty' => (text === 'thirdParty' ? 'thirdParty' : 'local')

function labelOf(viewer: Viewer, { label = '', labelMask }: Pick<OpenedChange, 'label' | 'labelMask'>): string {
  return viewer.masking && labelMask !== undefined ? mask(labelMask, label) : label
}

/** Fields that entries of earlier versions do not mark. */
const MARKED_SINCE: Readonly<Record<string, FieldChange['mask']>> = { cardNumber: 'cardNumber' }

/** A stored value as this viewer may see it. */
function shown(viewer: Viewer, value: unknown, field: Pick<FieldChange, 'field' | 'mask'>): unknown {
  const kind = field.mask ?? MARKED_SINCE[field.field]
  if (!viewer.masking || kind === undefined || value === null || value === '') return value
  return kind === 'whole' || typeof value !== 'string' ? '***' : mask(kind, value)
}

/** Fields that list persons by their names alone. */
const LISTS_NAMES = 'persons'

/** The names such fields of these changes list. */
const listedNames = (changes: readonly OpenedChange[]): string[] =>
  changes.flatMap(({ fields }) =>
    fields.flatMap(({ field, before, after }) =>
      field === LISTS_NAMES ? [before, after].flat().filter((name): name is string => typeof name === 'string') : [],
    ),
  )

/**
 * Fields without those who do not exist for the viewer: where several are named, without them; where one is, without the field.
 * @param known of the names that are listed alone those of persons who exist for the viewer: whose the others were cannot be told any more
 */
function seenFields(fields: readonly FieldChange[], unseen: Unseen | null, known: ReadonlySet<string>): readonly FieldChange[] {
  if (unseen === null) return fields
  const { ids, names } = unseen
  const isId = (value: unknown): boolean => typeof value === 'string' && ids.has(value)
  const isUnseenName = (field: string, value: unknown): boolean =>
    typeof value === 'string' && (names.has(value) || (field === LISTS_NAMES && !known.has(value)))
  const without = (field: string, value: unknown): unknown =>
    Array.isArray(value) ? value.filter((one) => !isId(one) && !isUnseenName(field, one)) : value
  return fields.flatMap((field) =>
    isId(field.before) || isId(field.after)
      ? []
      : [{ ...field, before: without(field.field, field.before), after: without(field.field, field.after) }],
  )
}

export function createAuditService(
  platform: Platform,
  { organisation, unseen, namesAmong, personNames, userNames, deviceNames }: AuditDependencies,
): AuditService {
  const db = platform.db as unknown as Database<AuditTables>

  /** What names those who do not exist for the viewer; null: everybody exists. */
  const hiddenFrom = async ({ scope }: Viewer): Promise<Unseen | null> => (seesWatchList(scope) ? null : unseen(scope))

  const mayAll = (viewer: Viewer): boolean => holds('installation', viewer.circumstances)
  function scopeOf(viewer: Viewer, all: boolean | undefined): data.LogScope {
    if (all !== true) return viewer.scope
    if (!mayAll(viewer)) forbid()
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

  function pageOf<Row extends { id: string; time: unknown }, Shown>(
    query: { page: number; size: number },
    total: number,
    rows: readonly Row[],
    content: Shown[],
  ) {
    const last = rows[query.size - 1]
    return {
      total,
      totalExact: total <= LIST_OFFSET_MAX,
      content,
      page: query.page,
      size: query.size,
      ...(rows.length > query.size && last !== undefined && { next: `${last.time as number}_${last.id}` }),
    }
  }

  /** Names of whom the rows tell: persons and devices, asked for park by park, and users. */
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
      const asked = within(viewer, query, platform.clock.now())
      const place = placeOf(query)
      const hidden = await hiddenFrom(viewer)
      const [rows, total] = await Promise.all([
        data.listOperations(scope, db, asked, hidden, place),
        data.countOperations(scope, db, asked, hidden),
      ])
      const content = rows.slice(0, query.size).map(({ module, subjects, ...row }) => ({
        ...actorOf(viewer, row),
        module: module as LogModule,
        subjects: subjects.map((one) => ({ entity: one.entity, id: one.id, label: labelOf(viewer, one) })),
      }))
      return pageOf(query, total, rows, content)
    },
    async operation(viewer, id) {
      const hidden = await hiddenFrom(viewer)
      const row = await data.findOperation(mayAll(viewer) ? 'all' : viewer.scope, db, id, hidden)
      if (row === undefined) throw new NotFound()
      const { changes: stored, module, ...rest } = row
      const changes = await openChanges(platform.crypto, row.parkId, row.id, stored)
      const known = new Set(hidden === null ? [] : await namesAmong(inPark(viewer.scope, row.parkId), listedNames(changes)))
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
            fields: seenFields(change.fields, hidden, known).map((one) => ({
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
      const asked = within(viewer, query, platform.clock.now())
      const place = placeOf(query)
      const hidden = await hiddenFrom(viewer)
      const [rows, total] = await Promise.all([data.listReads(scope, db, asked, hidden, place), data.countReads(scope, db, asked, hidden)])
      const page = rows.slice(0, query.size)
      const names = await namesIn(viewer, page)
      const content = page.map(({ subjects, ...row }) => ({
        ...actorOf(viewer, row),
        // Whoever was asked for comes first.
        subjects: (query.subject === undefined ? subjects : [query.subject, ...subjects.filter((id) => id !== query.subject)])
          .slice(0, NAMED)
          .map((id) => ({ id, name: names.get(id) ?? null })),
        subjectCount: subjects.length,
      }))
      return pageOf(query, total, rows, content)
    },
  }
}
