/** A row of an import as it is run: the person saved with as many of its photographs as go together, and the row with it. */
import { setTimeout as delay } from 'node:timers/promises'
import { importCalls } from '@gatehouse/contract/imports/calls'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { Conflict, InvalidRequest, NotFound, Refusal } from '../../platform/http/refusal.ts'
import { isPassingFault } from '../../platform/passing-fault.ts'
import { actorOf, type Caller, type Scope } from '../../platform/session/session.ts'
import { isRunning, type ImportRecord } from './data.ts'
import type { ImportsDependencies } from './dependencies.ts'
import { storedIssue, type Judged } from './judging.ts'
import { findPhotosOf, noteFace, usePhotos, type PhotoRecord } from './photos-data.ts'
import { createRowPhotos } from './row-photos.ts'
import { finishRow, judgeRows } from './rows-data.ts'
import type { StoredIssue } from './schema.ts'

/** How long a row waits where too many change the park at the moment. */
const BUSY_MS = 1_000

/** The import was ended or removed, or the row is done: nothing of this may be kept. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

/** What a refused save is blamed on, as far as it can be. @throws whatever is no refusal */
function issuesOf(error: unknown): StoredIssue[] {
  if (error instanceof InvalidRequest) return error.fields.map((field) => storedIssue(field))
  if (error instanceof Conflict) return [{ field: 'workNumber', code: null, rule: 'conflict' }]
  if (error instanceof NotFound) return [{ field: 'workNumber', code: null, rule: 'unknown' }]
  if (!(error instanceof Refusal)) throw error
  const fields = error.data?.fields ?? []
  return fields.length === 0
    ? [{ field: 'workNumber', code: error.code, rule: `code.${error.code}` }]
    : fields.map((field) => storedIssue(field, error.code))
}

const isBusy = (error: unknown): boolean => error instanceof Refusal && error.code === 900000

/**
 * Runs a row: saves its person and marks the row, or notes why it is refused.
 * @param again judges the row again where somebody else has changed the person meanwhile; it is called once
 * @throws Overtaken; a passing fault
 */
export type RunRow = (
  scope: Scope,
  one: ImportRecord,
  judged: Judged,
  signal: AbortSignal,
  again?: () => Promise<Judged | undefined>,
) => Promise<void>

const photoIssue = (photo: PhotoRecord, code: number): StoredIssue => ({
  field: 'photo',
  code,
  rule: `code.${code}`,
  params: { filename: photo.filename },
})

/** Mark the row in the transaction that has saved its person. */
async function finish(
  platform: Platform,
  tx: Transaction,
  scope: Scope,
  { row }: Judged,
  personId: string,
  used: readonly PhotoRecord[],
  issues: readonly StoredIssue[],
): Promise<void> {
  if (!(await isRunning(scope, tx, row.importId))) throw new Overtaken()
  if (!(await finishRow(scope, tx, row.id, personId, issues))) throw new Overtaken()
  await usePhotos(scope, tx, personId, used)
  await platform.storage.release(
    tx,
    scope,
    used.flatMap(({ fileId }) => fileId ?? []),
  )
}

export function createRunRow(platform: Platform, { people, faces }: Pick<ImportsDependencies, 'people' | 'faces'>): RunRow {
  const db = platform.db
  const photos = createRowPhotos(platform, faces)

  /** Persons are saved in the name of the user who started the import. */
  const startedBy = (one: ImportRecord, scope: Scope): Caller => ({ ...actorOf(one), scope })

  /** Save the person with as many of the photographs as go together, and the row with it. */
  async function save(scope: Scope, one: ImportRecord, judged: Judged, signal: AbortSignal): Promise<void> {
    const { person, fields, verdict } = judged
    const issues = [...verdict.issues]
    let embedded: PhotoRecord[] = []
    const embed = async (): Promise<void> => {
      const tried = await Promise.all(judged.photos.map(async (photo) => ({ ...photo, faceId: await photos.faceOf(scope, photo, signal) })))
      for (const photo of tried)
        if (photo.faceId === null)
          issues.push(
            ...(await findPhotosOf(scope, db, [judged.row.id])).flatMap(({ id, issue }) =>
              id === photo.id && issue !== null ? [{ ...issue, params: { ...issue.params, filename: photo.filename } }] : [],
            ),
          )
      embedded = tried.filter(({ faceId }) => faceId !== null)
    }
    await embed()
    const author = { masking: false, operator: one.operator, channel: 'import' as const }
    for (let again = false; ;) {
      // Only photographs, and none of them is left.
      if (verdict.outcome === 'photo' && embedded.length === 0) {
        if (judged.row.line === null || one.mode === 'createOnly')
          return judgeRows(scope, db, [{ ...verdict, outcome: 'refused', issues }], true)
      }
      const facePhotos = [...(person?.facePhotos ?? []), ...embedded.map(({ faceId }) => faceId!)]
      const alongside = (tx: Transaction, personId: string) => finish(platform, tx, scope, judged, personId, embedded, issues)
      try {
        await platform.audit.during(importCalls.start, startedBy(one, scope), '', async () => {
          if (verdict.outcome === 'same' || (verdict.outcome === 'photo' && embedded.length === 0))
            await platform.transaction((tx) => alongside(tx, person!.id))
          else if (person === null) await people.create(scope, { ...fields!, facePhotos }, author, alongside)
          else await people.change(scope, person.id, person.version, { ...fields, facePhotos }, author, alongside)
        })
        return
      } catch (error) {
        const blamed = error instanceof Refusal || error instanceof InvalidRequest ? issuesOf(error) : []
        const photo = blamed.find(({ field }) => field === 'photo')
        if (photo === undefined || embedded.length === 0) throw error
        if (photo.code === 200201 && !again) {
          // A photograph nobody has is kept for a day only: it is embedded again.
          again = true
          for (const { id } of embedded) await noteFace(scope, db, id, null)
          for (const each of judged.photos) each.faceId = null
          await embed()
          continue
        }
        // The first photographs show one person; the last one shows somebody else.
        const last = embedded.at(-1)!
        embedded = embedded.slice(0, -1)
        if (photo.code === null) issues.push(photo)
        else {
          await photos.refuse(scope, last, photo.code)
          issues.push(photoIssue(last, photo.code))
        }
      }
    }
  }

  async function runRow(
    scope: Scope,
    one: ImportRecord,
    judged: Judged,
    signal: AbortSignal,
    again?: () => Promise<Judged | undefined>,
  ): Promise<void> {
    if (judged.verdict.outcome === 'refused') return judgeRows(scope, db, [judged.verdict], true)
    try {
      await save(scope, one, judged, signal)
    } catch (error) {
      const fresh = error instanceof Conflict ? await again?.() : undefined
      if (fresh !== undefined) return runRow(scope, one, fresh, signal)
      if (signal.aborted || error instanceof Overtaken || isPassingFault(error)) throw error
      if (isBusy(error)) {
        // Nothing is wrong with the row.
        await delay(BUSY_MS, undefined, { signal })
        return runRow(scope, one, judged, signal, again)
      }
      let issues: StoredIssue[]
      try {
        issues = issuesOf(error)
      } catch (fault) {
        platform.log.error({ err: fault, importId: one.id, rowId: judged.row.id }, 'a row could not be imported')
        issues = [{ field: 'workNumber', code: null, rule: 'importFault' }]
      }
      await judgeRows(
        scope,
        db,
        [{ ...judged.verdict, outcome: 'refused', issues: [...issues, ...judged.verdict.issues.filter(({ field }) => field === 'photo')] }],
        true,
      )
    }
  }

  return runRow
}
