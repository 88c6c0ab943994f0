/** Exports as their owners see them: their own, in their current park. */
import { offsetMinutes } from '@gatehouse/access-rules'
import { SERVER_EXPORT_RECORDS } from '@gatehouse/contract'
import { exportStatus } from '@gatehouse/contract/enums'
import type { ExportFormat } from '@gatehouse/contract/exports/calls'
import type { Platform } from '../../platform/context.ts'
import type { ExportKind } from '../../platform/export-kind.ts'
import { newId } from '../../platform/database/ids.ts'
import type { KeptFiles } from '../../platform/storage/kept-file.ts'
import { InvalidRequest, NotFound, forbid } from '../../platform/http/refusal.ts'
import { storedActor, type Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import { CONTENT_TYPES } from './pack.ts'
import { keptFrom, type Run } from './run.ts'
import { createTaskAnswers } from './task-answers.ts'
import { createTaskChanges, ownerOf } from './task-changes.ts'
import { sealOptions } from './stored-options.ts'
import type { ExportService } from './service-types.ts'

const { waiting, exported } = exportStatus

/** Return the pieces of complete files, without those of interrupted attempts. */
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
  const db = platform.db

  const { present, mayReceive } = createTaskAnswers(platform, kindNamed)

  /** Restart the work if tasks wait: it may have ended at the very moment in which a task was handed to it. */
  async function attended(scope: Scope, tasks: readonly { status: number }[]): Promise<void> {
    if (tasks.some(({ status }) => status === waiting)) await run.goOn(scope)
  }

  return {
    ...createTaskChanges(platform, files, run, { mayReceive }),
    async start(session, kind, body, { language, ip }) {
      const { scope, masking, park } = session
      const { format, ...filter } = body as { format: ExportFormat }
      const options = await kind.optionsOf(scope, filter)
      const total = await kind.count(scope, options, SERVER_EXPORT_RECORDS + 1)
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
        wish: await sealOptions(platform.crypto, scope, id, options as object),
        namesSomebody: kind.namesSomebody(options),
        fileName: `${kind.title(language)} ${minute}.${format}`,
        total,
      }
      await platform.transaction(async (tx) => {
        await data.insertTask(scope, tx, task, { ...storedActor(session), ip }, keptFrom(now))
        await run.request(tx, scope)
        platform.audit.note({ entity: 'exportTask', id, label: task.fileName, after: { file: task.fileName } })
      })
      return id
    },
    async list(session, page) {
      const { content, total } = await data.listTasks(session.scope, db, ownerOf(platform, session), page)
      await attended(session.scope, content)
      return { content: await Promise.all(content.map((task) => present(session, task))), total, ...page }
    },
    async progress(session, id) {
      const task = await data.findTask(session.scope, db, ownerOf(platform, session), id)
      if (task === undefined) throw new NotFound()
      await attended(session.scope, [task])
      return present(session, task)
    },
    async download(session, id) {
      const task = await data.findTask(session.scope, db, ownerOf(platform, session), id)
      if (task?.status !== exported) throw new NotFound()
      if (!(await mayReceive(session, task, task.masked))) forbid()
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
        const removed = await platform.transaction(async (tx) => {
          const deleted = await data.deleteTasks(
            scope,
            tx,
            tasks.map(({ id }) => id),
          )
          await platform.storage.release(tx, scope, whole(deleted))
          return deleted
        })
        await platform.storage.erase(whole(removed))
        await files.discard(unfinished(removed))
      }
      return old.length
    },
    async erasePark(open, scope) {
      const deleted = await data.deleteTasks(scope, open, 'all')
      await platform.storage.release(open, scope, whole(deleted))
      return deleted.length
    },
  }
}
