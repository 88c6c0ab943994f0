/** Imports and their rows as they are answered. */
import type { Language } from '@gatehouse/contract'
import type { ImportRow, PersonImport } from '@gatehouse/contract/imports/calls'
import type { WorkState } from '@gatehouse/contract/work'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import type { ImportsParts } from './parts.ts'
import * as photosData from './photos-data.ts'
import { importAbilities } from './policy.ts'
import type { RowRecord } from './rows-data.ts'
import { RUN } from './run.ts'
import { issueIn, issueSeenBy } from './words.ts'
import type { ImportAnswers } from './answers-types.ts'

/** Cells a row has a field of its own for, and those that are shown to nobody. */
const APART: ReadonlySet<string> = new Set(['name', 'phone', 'idNumber', 'personalPassword'])

export function createImportAnswers(parts: Omit<ImportsParts, 'answers'>): ImportAnswers {
  const { platform, groups, faces, check, run, access } = parts
  const db = platform.db

  async function workOf(scope: Scope, one: data.ImportRecord, { open, failed }: data.Counts): Promise<WorkState | null> {
    if (one.workId === null || one.startedAt === null || one.state === 'draft') return null
    const under = one.state === 'running' ? await platform.work.read(scope, one.workId) : null
    // It ended in the very moment in which this import was handed to it: another one takes it up.
    if (one.state === 'running' && (under === null || under.state === 'done' || under.state === 'failed' || under.state === 'cancelled'))
      await platform.transaction(async (tx) => void (await run.request(tx, scope)))
    const state = one.state === 'running' ? (under?.state === 'running' ? 'running' : 'waiting') : one.state
    const done = Math.max(0, Math.min(one.runTotal, one.runTotal - open))
    return {
      id: one.workId,
      kind: RUN,
      state,
      done,
      total: one.runTotal,
      failed,
      createdAt: one.startedAt,
      startedAt: one.startedAt,
      endedAt: one.endedAt,
      reason: one.reason,
    }
  }

  async function importsOf(scope: Scope, language: Language, imports: readonly data.ImportRecord[]): Promise<PersonImport[]> {
    const [counts, names] = await Promise.all([
      data.countAll(
        scope,
        db,
        imports.map(({ id }) => id),
      ),
      groups.names(
        scope,
        imports.map(({ groupId }) => groupId),
      ),
    ])
    const nameOf = new Map(names.map(({ id, name }) => [id, name]))
    return Promise.all(
      imports.map(async (one) => {
        const { rows, photos, photosMatched, photosRefused, ...rest } = counts.get(one.id)!
        const columns = one.unknownColumns.join(', ')
        return {
          id: one.id,
          kind: one.kind,
          mode: one.mode,
          groupId: one.groupId,
          groupName: nameOf.get(one.groupId) ?? '',
          state: one.state,
          rows,
          open: rest.open,
          photos,
          photosMatched,
          photosRefused,
          issues: columns === '' ? [] : [issueIn(language, { field: 'file', code: null, rule: 'sheetColumns', params: { columns } })],
          createdBy: one.operator,
          createdAt: one.createdAt,
          can: importAbilities(one, rest.open),
          work: await workOf(scope, one, { rows, photos, photosMatched, photosRefused, ...rest }),
        }
      }),
    )
  }

  async function rowsOf(scope: Scope, language: Language, rows: readonly RowRecord[]): Promise<ImportRow[]> {
    const personIds = rows.flatMap(({ finished, personId }) => (finished && personId !== null ? [personId] : []))
    const [photos, personPhotos] = await Promise.all([
      photosData.findPhotosOf(
        scope,
        db,
        rows.map(({ id }) => id),
      ),
      faces.photosOf(scope, personIds),
    ])
    const thumbnails = new Map([...personPhotos.values()].flat().map(({ faceId, thumbnail }) => [faceId, thumbnail]))
    return Promise.all(
      rows.map(async (row) => {
        const values = await check.valuesOf(scope, row)
        return {
          id: row.id,
          line: row.line,
          outcome: row.outcome,
          finished: row.finished,
          personId: row.personId,
          name: row.name,
          workNumber: row.workNumber,
          groupName: row.groupName,
          phone: values.phone ?? '',
          values: Object.fromEntries(Object.entries(values).filter(([field]) => !APART.has(field))),
          photos: photos.flatMap(({ id, rowId, filename, fileId, faceId }) =>
            rowId !== row.id
              ? []
              : [
                  {
                    id,
                    filename,
                    thumbnail: fileId === null ? (thumbnails.get(faceId ?? '') ?? '') : platform.storage.address(scope, fileId, '96'),
                  },
                ],
          ),
          issues: row.issues.map((issue) => issueIn(language, issueSeenBy(scope, issue))),
        }
      }),
    )
  }

  return {
    imports: importsOf,
    read: async (scope, language, id) => (await importsOf(scope, language, [await access.find(scope, id)]))[0]!,
    rows: rowsOf,
  }
}
