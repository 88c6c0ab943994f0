/** Exports as those who asked for them see them: their own, in the park they are in. */
import type { DataOf, Language } from '@gatehouse/contract'
import { offsetMinutes } from '@gatehouse/access-rules'
import { SERVER_EXPORT_RECORDS } from '@gatehouse/contract'
import { exportStatus } from '@gatehouse/contract/enums'
import type { exportCalls, ExportFormat, ExportReason, ExportTask } from '@gatehouse/contract/exports/calls'
import { mayCall } from '@gatehouse/contract/policy'
import type { FileAnswer, Platform } from '../../platform/context.ts'
import { isWithinLimits, limitedSession } from '../../platform/session/device-limits.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import type { ExportKind } from '../../platform/export-kind.ts'
import { newId } from '../../platform/database/ids.ts'
import type { KeptFiles } from '../../platform/storage/kept-file.ts'
import { Conflict, InvalidRequest, NotFound, forbid, refuse } from '../../platform/http/refusal.ts'
import { seesWatchList, type Scope, type Session } from '../../platform/session/session.ts'
import * as data from './data.ts'
import { CONTENT_TYPES } from './pack.ts'
import { keptFrom, type Run } from './run.ts'
import type { ExportTables } from './schema.ts'
import { openWish, sealWish } from './wish.ts'

/** Of the request that asks. */
interface Asking {
  language: Language
  ip: string
}

export interface ExportService {
  /** Answers the task's id. @throws InvalidRequest none or too many rows, and whatever the kind refuses */
  start(session: Session, kind: ExportKind, body: object, asking: Asking): Promise<string>
  list(session: Session, page: { page: number; size: number }): Promise<DataOf<typeof exportCalls.list>>
  /** @throws NotFound */
  progress(session: Session, id: string): Promise<ExportTask>
  /** @throws NotFound; Refusal 100508 where it does not wait */
  cancel(session: Session, id: string): Promise<void>
  /** @throws NotFound; Conflict where it neither waits nor is being made */
  stop(session: Session, id: string): Promise<void>
  /** @throws NotFound; Refusal 100509 where it has not failed, 100510 for whom might not ask for it now */
  retry(session: Session, id: string, asking: Asking): Promise<void>
  /** @throws NotFound until it is exported; Refusal 100510 for whom might not ask for it now */
  download(session: Session, id: string): Promise<FileAnswer>
  /** Removes what is old, in all parks; answers how many. */
  removeOld(): Promise<number>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<number>
}

const { waiting, exporting, exported, failed } = exportStatus

/** Pieces of a whole file among those of attempts that came to nothing. */
const whole = (removed: readonly data.RemovedTask[]): string[] =>
  removed.flatMap(({ status, fileIds }) => (status === exported ? fileIds : []))
const unfinished = (removed: readonly data.RemovedTask[]): string[] =>
  removed.flatMap(({ status, fileIds }) => (status === exported ? [] : fileIds))

export function createExportService(
  platform: Platform,
  kindNamed: (name: string) => ExportKind | undefined,
  files: KeptFiles,
  run: Run,
): ExportService {
  const db = platform.db as unknown as Database<ExportTables>
  const ownerOf = ({ userId }: Session): data.Owner => ({ userId, now: platform.clock.now() })

  const present = (row: data.ShownTask): ExportTask => ({
    ...row,
    format: row.format as ExportFormat,
    reason: row.reason as ExportReason | null,
    createdAt: row.createdAt as number,
    finishedAt: row.finishedAt as number | null,
    expiresAt: row.expiresAt as number,
  })

  /** Who no longer may see such rows, or no longer all of them, gets no file that was made when he did. */
  async function assertMay(session: Session, task: Pick<data.OwnTask, 'id' | 'kind' | 'wish'>, masked: boolean): Promise<void> {
    const kind = kindNamed(task.kind)
    if (kind === undefined || !mayCall(session, kind.call) || (session.masking && !masked)) forbid()
    const { scope } = await openWish(platform.crypto, session.scope.parkId, task)
    if (seesWatchList(scope) && !seesWatchList(session.scope)) forbid()
    if (!isWithinLimits(scope, limitedSession(session, kind.call).scope)) forbid()
  }

  /** A task of the caller's, held while it is changed. */
  async function changing<T>(
    session: Session,
    id: string,
    change: (tx: Tx<ExportTables>, task: NonNullable<Awaited<ReturnType<typeof data.holdTask>>>) => Promise<T>,
  ): Promise<T> {
    return platform.transaction(async (tx: Tx<ExportTables>) => {
      const task = await data.holdTask(session.scope, tx, ownerOf(session), id)
      if (task === undefined) throw new NotFound()
      return change(tx, task)
    })
  }

  const noteTouched = ({ id, fileName }: { id: string; fileName: string }): void =>
    platform.audit.note({ entity: 'exportTask', id, label: fileName })

  /** A task may wait while nobody works: the work ended in the very moment in which it was handed to it. */
  async function attended(tasks: readonly { status: number }[]): Promise<void> {
    if (tasks.some(({ status }) => status === waiting)) await run.goOn()
  }

  return {
    async start(session, kind, body, { language, ip }) {
      const { scope, userId, account, operator, kind: userKind, masking, park } = session
      const { format, ...filter } = body as { format: ExportFormat }
      const wish = await kind.wishOf(scope, filter)
      const total = await kind.count(scope, wish, SERVER_EXPORT_RECORDS + 1)
      if (total === 0) throw new InvalidRequest([{ path: '', rule: 'exportEmpty' }])
      if (total > SERVER_EXPORT_RECORDS)
        throw new InvalidRequest([{ path: '', rule: 'exportTooMany', params: { limit: SERVER_EXPORT_RECORDS } }])
      const now = platform.clock.now()
      const minute = new Date(now + offsetMinutes(now, park.zone) * 60_000).toISOString().slice(0, 16).replace('T', ' ').replace(':', '')
      const id = newId()
      const task: data.NewTask = {
        id,
        kind: kind.name,
        format,
        language,
        masked: masking,
        wish: await sealWish(platform.crypto, scope, id, wish as object),
        namesSomebody: kind.namesSomebody(wish),
        fileName: `${kind.title(language)} ${minute}.${format}`,
        total,
      }
      await platform.transaction(async (tx: Tx<ExportTables>) => {
        await data.insertTask(scope, tx, task, { userId, account, operator, userKind, ip }, keptFrom(now))
        await run.request(tx as OpenTransaction)
        platform.audit.note({ entity: 'exportTask', id, label: task.fileName, after: { file: task.fileName } })
      })
      return id
    },
    async list(session, page) {
      const { content, total } = await data.listTasks(session.scope, db, ownerOf(session), page)
      await attended(content)
      return { content: content.map(present), total, ...page }
    },
    async progress(session, id) {
      const task = await data.findTask(session.scope, db, ownerOf(session), id)
      if (task === undefined) throw new NotFound()
      await attended([task])
      const { masked: _masked, fileIds: _fileIds, wish: _wish, ...row } = task
      return present(row)
    },
    async cancel(session, id) {
      const { fileIds } = await changing(session, id, async (tx, task) => {
        if (task.status !== waiting) refuse(100508)
        await data.deleteTask(session.scope, tx, id)
        platform.audit.note({ entity: 'exportTask', id, label: task.fileName, before: { file: task.fileName } })
        return task
      })
      await files.discard(fileIds)
    },
    async stop(session, id) {
      const { fileIds } = await changing(session, id, async (tx, task) => {
        if (task.status !== waiting && task.status !== exporting) throw new Conflict(['status'])
        await data.failTask(session.scope, tx, id, 'stopped', keptFrom(platform.clock.now()))
        noteTouched(task)
        return task
      })
      // An attempt that is still at it notices and removes what it has written since.
      await files.discard(fileIds)
    },
    async retry(session, id, { language, ip }) {
      await changing(session, id, async (tx, task) => {
        if (task.status !== failed) refuse(100509)
        await assertMay(session, task, session.masking)
        await data.renewTask(session.scope, tx, id, { language, masked: session.masking, ip }, keptFrom(platform.clock.now()).expiresAt)
        await run.request(tx as OpenTransaction)
        noteTouched(task)
      })
    },
    async download(session, id) {
      const task = await data.findTask(session.scope, db, ownerOf(session), id)
      if (task?.status !== exported) throw new NotFound()
      await assertMay(session, task, task.masked)
      return {
        bytes: files.open(session.scope, { fileIds: task.fileIds, size: task.size! }),
        contentType: CONTENT_TYPES[task.format as ExportFormat],
        filename: task.fileName,
      }
    },
    async removeOld() {
      const old = await data.findExpiredUnscoped(db, platform.clock.now())
      for (const [parkId, tasks] of Map.groupBy(old, (task) => task.parkId)) {
        const scope: Scope = { parkId }
        const removed = await platform.transaction(async (tx: Tx<ExportTables>) => {
          const gone = await data.deleteTasks(
            scope,
            tx,
            tasks.map(({ id }) => id),
          )
          await platform.storage.release(tx as OpenTransaction, scope, whole(gone))
          return gone
        })
        await platform.storage.erase(whole(removed))
        await files.discard(unfinished(removed))
      }
      return old.length
    },
    async erasePark(open, scope) {
      const gone = await data.deleteTasks(scope, open as unknown as Tx<ExportTables>, 'all')
      await platform.storage.release(open, scope, whole(gone))
      return gone.length
    },
  }
}
