/**
 * The run of an import: work that survives a crash. Each row is one transaction in which the person is saved and the row is
 * marked, so that whoever takes the work up again does what is left and nothing twice; several rows at a time, so that all
 * workers of the face engine have something to do.
 */
import type { BusinessCode } from '@gatehouse/contract'
import { importCalls } from '@gatehouse/contract/imports/calls'
import type { Platform } from '../../platform/context.ts'
import { isDatabaseFault } from '../../platform/database/database-fault.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { Conflict, InvalidRequest, NotFound, Refusal } from '../../platform/http/refusal.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import type { WorkRun } from '../../platform/jobs/work.ts'
import { storedIssue, type Check, type Judged } from './check.ts'
import * as data from './data.ts'
import type { ImportsDependencies } from './index.ts'
import type { ImportsTables, StoredIssue } from './schema.ts'
import type { GroupNames } from './values.ts'

export const RUN = 'imports.run'

/** Rows judged at a time. */
const PAGE = 100
/** Rows beyond the workers of the engine: while some are written, the engine has the next ones. */
const SPARE_HANDS = 2
const REASON_MAX = 300
const UNREADABLE: BusinessCode = 200205

/** The import was ended or removed, or the row is done: nothing of this may be kept. */
class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

export interface Run {
  /** Asks for the work in the transaction that says an import is to run; answers the work's id. */
  request(tx: OpenTransaction, scope: Scope): Promise<string>
  /** Asks for it wherever an import is to run and nobody runs it. Answers in how many parks imports run. */
  goOn(): Promise<number>
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

export function createRun(platform: Platform, { people, faces }: ImportsDependencies, check: Check): Run {
  const db = platform.db as unknown as Database<ImportsTables>

  /** The person's photographs and who he is are saved as by whoever started the import. */
  const startedBy = ({ userId, account, operator, userKind }: data.ImportRecord, { parkId }: Scope) =>
    ({ userId, account, operator, kind: userKind, park: { id: parkId }, scope: { parkId } }) as unknown as Session

  /** A photograph as a face that somebody can be given: embedded once, whatever happens afterwards. Null where it is refused. */
  async function faceOf(scope: Scope, photo: data.PhotoRecord, signal: AbortSignal): Promise<string | null> {
    if (photo.faceId !== null) return photo.faceId
    const bytes = photo.fileId === null ? null : await platform.storage.load(scope, photo.fileId, 'full').catch(() => null)
    try {
      if (bytes === null) throw new Refusal(UNREADABLE)
      const { faceId } = await faces.cache(scope, bytes, {
        similar: false,
        gently: signal,
        alongside: (tx, id) => data.noteFace(scope, tx as Tx<ImportsTables>, photo.id, id),
      })
      return faceId
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await refuse(scope, photo, error.code, error.data?.fields?.[0]?.params as Record<string, number> | undefined)
      return null
    }
  }

  const refuse = (scope: Scope, photo: data.PhotoRecord, code: number, params: Record<string, number> = {}): Promise<void> =>
    data.refusePhoto(scope, db, photo.id, { field: 'photo', code, rule: `code.${code}`, params })

  const photoIssue = (photo: data.PhotoRecord, code: number): StoredIssue => ({
    field: 'photo',
    code,
    rule: `code.${code}`,
    params: { filename: photo.filename },
  })

  /** Marks the row in the transaction that has saved its person. */
  async function finish(
    open: OpenTransaction,
    scope: Scope,
    { row }: Judged,
    personId: string,
    used: readonly data.PhotoRecord[],
    issues: readonly StoredIssue[],
  ): Promise<void> {
    const tx = open as Tx<ImportsTables>
    if (!(await data.isRunning(scope, tx, row.importId))) throw new Overtaken()
    if (!(await data.finishRow(scope, tx, row.id, personId, issues))) throw new Overtaken()
    await data.usePhotos(scope, tx, personId, used)
    await platform.storage.release(
      tx,
      scope,
      used.flatMap(({ fileId }) => fileId ?? []),
    )
  }

  /** Saves the person with as many of the photographs as go together, and the row with it. */
  async function save(scope: Scope, one: data.ImportRecord, judged: Judged, signal: AbortSignal): Promise<void> {
    const { person, fields, verdict } = judged
    const issues = [...verdict.issues]
    let made: data.PhotoRecord[] = []
    const embed = async (): Promise<void> => {
      const tried = await Promise.all(judged.photos.map(async (photo) => ({ ...photo, faceId: await faceOf(scope, photo, signal) })))
      for (const photo of tried)
        if (photo.faceId === null)
          issues.push(
            ...(await data.findPhotosOf(scope, db, [judged.row.id])).flatMap(({ id, issue }) =>
              id === photo.id && issue !== null ? [{ ...issue, params: { ...issue.params, filename: photo.filename } }] : [],
            ),
          )
      made = tried.filter(({ faceId }) => faceId !== null)
    }
    await embed()
    const whose = { masking: false, operator: one.operator, channel: 'import' as const }
    for (let again = false; ;) {
      // Only photographs, and none of them is left.
      if (verdict.outcome === 'photo' && made.length === 0) {
        if (judged.row.line === null || one.mode === 'createOnly')
          return data.judgeRows(scope, db, [{ ...verdict, outcome: 'refused', issues }], true)
      }
      const facePhotos = [...(person?.facePhotos ?? []), ...made.map(({ faceId }) => faceId!)]
      const alongside = (tx: OpenTransaction, personId: string) => finish(tx, scope, judged, personId, made, issues)
      try {
        await platform.audit.during(importCalls.start, startedBy(one, scope), '', async () => {
          if (verdict.outcome === 'same' || (verdict.outcome === 'photo' && made.length === 0))
            await platform.transaction((tx) => alongside(tx as unknown as OpenTransaction, person!.id))
          else if (person === null) await people.create(scope, { ...fields!, facePhotos }, whose, alongside)
          else await people.change(scope, person.id, person.version, { ...fields, facePhotos }, whose, alongside)
        })
        return
      } catch (error) {
        const blamed = error instanceof Refusal || error instanceof InvalidRequest ? issuesOf(error) : []
        const photo = blamed.find(({ field }) => field === 'photo')
        if (photo === undefined || made.length === 0) throw error
        if (photo.code === 200201 && !again) {
          // Kept for a day only, until somebody has it: made anew.
          again = true
          for (const { id } of made) await data.noteFace(scope, db, id, null)
          for (const each of judged.photos) each.faceId = null
          await embed()
          continue
        }
        // The first ones go together; whoever comes behind them is somebody else.
        const last = made.at(-1)!
        made = made.slice(0, -1)
        if (photo.code === null) issues.push(photo)
        else {
          await refuse(scope, last, photo.code)
          issues.push(photoIssue(last, photo.code))
        }
      }
    }
  }

  /** @param again judges the row anew, for somebody else has changed the person meanwhile; once */
  async function runRow(
    scope: Scope,
    one: data.ImportRecord,
    judged: Judged,
    signal: AbortSignal,
    again?: () => Promise<Judged | undefined>,
  ): Promise<void> {
    if (judged.verdict.outcome === 'refused') return data.judgeRows(scope, db, [judged.verdict], true)
    try {
      await save(scope, one, judged, signal)
    } catch (error) {
      const fresh = error instanceof Conflict ? await again?.() : undefined
      if (fresh !== undefined) return runRow(scope, one, fresh, signal)
      if (signal.aborted || error instanceof Overtaken || isDatabaseFault(error)) throw error
      let issues: StoredIssue[]
      try {
        issues = issuesOf(error)
      } catch (fault) {
        platform.log.error({ err: fault, importId: one.id, rowId: judged.row.id }, 'a row could not be imported')
        issues = [{ field: 'workNumber', code: null, rule: 'importFault' }]
      }
      await data.judgeRows(
        scope,
        db,
        [{ ...judged.verdict, outcome: 'refused', issues: [...issues, ...judged.verdict.issues.filter(({ field }) => field === 'photo')] }],
        true,
      )
    }
  }

  async function runImport(scope: Scope, one: data.ImportRecord, { signal, progress }: WorkRun): Promise<void> {
    const names: GroupNames = await check.groups(scope)
    const report = async (): Promise<void> => {
      const { open, failed } = (await data.countAll(scope, db, [one.id])).get(one.id)!
      await progress({ done: Math.max(0, one.runTotal - open), total: one.runTotal, failed })
    }
    for (let after = 0; ;) {
      await report()
      const rows = await data.findUnfinished(scope, db, one.id, after, PAGE, { runnable: true })
      if (rows.length === 0) break
      if (!(await data.isRunning(scope, db, one.id))) return
      const judged = await check.judge(scope, one, rows, names)
      // As they are judged now: the outcome a row ends with is the one it had last.
      await data.judgeRows(
        scope,
        db,
        judged.map(({ verdict }) => verdict),
      )
      const waiting = judged.values()
      let over: { error: unknown } | null = null
      const hand = async (): Promise<void> => {
        for (const next of waiting) {
          if (over !== null || signal.aborted) return
          try {
            await runRow(scope, one, next, signal, async () => (await check.judge(scope, one, [next.row], names))[0])
          } catch (error) {
            over ??= { error }
          }
        }
      }
      await Promise.all(Array.from({ length: platform.config.faceWorkers + SPARE_HANDS }, hand))
      signal.throwIfAborted()
      const end = over as { error: unknown } | null
      if (end !== null) throw end.error
      after = rows.at(-1)!.position
    }
    await data.endImport(scope, db, one.id, 'done', null, platform.clock.now())
  }

  /** All imports of the park that are to run, the one that was started first, first. */
  async function run(work: WorkRun): Promise<void> {
    const { scope, signal } = work
    for (;;) {
      const one = await data.findRunning(scope, db)
      if (one === null) return
      try {
        await runImport(scope, one, work)
      } catch (error) {
        if (signal.aborted || isDatabaseFault(error)) throw error
        // Ended or removed by somebody: the next one, if there is one. A row that was done by somebody else is left to the next page.
        if (error instanceof Overtaken) continue
        platform.log.error({ err: error, importId: one.id }, 'an import ended with a fault')
        const reason = (error instanceof Error ? error.message : String(error)).slice(0, REASON_MAX)
        await data.endImport(scope, db, one.id, 'failed', reason, platform.clock.now())
      }
    }
  }

  platform.work.define({ kind: RUN, run })

  const request = (tx: OpenTransaction, scope: Scope): Promise<string> => platform.work.request(tx, scope, RUN, {})
  return {
    request,
    async goOn() {
      const parkIds = await data.findRunningParksUnscoped(db)
      for (const parkId of parkIds) await platform.transaction((tx) => request(tx as unknown as OpenTransaction, { parkId }))
      return parkIds.length
    },
  }
}
