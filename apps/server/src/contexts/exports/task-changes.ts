/** Tasks ended and tried again by those who asked for them. */
import { exportStatus } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { Conflict, NotFound, forbid, refuse } from '../../platform/http/refusal.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import type { KeptFiles } from '../../platform/storage/kept-file.ts'
import * as data from './data.ts'
import { exportAbilities } from './policy.ts'
import { keptFrom, type Run } from './run.ts'
import type { ExportService } from './service-types.ts'
import type { TaskAnswers } from './task-answers.ts'

const { failed } = exportStatus

export const ownerOf = (platform: Platform, { userId }: Actor): data.Owner => ({ userId, now: platform.clock.now() })

/** Change a task of the caller's, locked meanwhile. @throws NotFound */
async function changing<T>(
  platform: Platform,
  scope: Scope,
  actor: Actor,
  id: string,
  change: (tx: Transaction, task: NonNullable<Awaited<ReturnType<typeof data.holdTask>>>) => Promise<T>,
): Promise<T> {
  return platform.transaction(async (tx) => {
    const task = await data.holdTask(scope, tx, ownerOf(platform, actor), id)
    if (task === undefined) throw new NotFound()
    return change(tx, task)
  })
}

type TaskChanges = Pick<ExportService, 'cancel' | 'stop' | 'retry'>

export function createTaskChanges(
  platform: Platform,
  files: KeptFiles,
  run: Run,
  { mayReceive }: Pick<TaskAnswers, 'mayReceive'>,
): TaskChanges {
  const noteTouched = ({ id, fileName }: { id: string; fileName: string }): void =>
    platform.audit.note({ entity: 'exportTask', id, label: fileName })

  return {
    async cancel(scope, actor, id) {
      const { fileIds } = await changing(platform, scope, actor, id, async (tx, task) => {
        if (!exportAbilities(task, false).cancel) refuse(100508)
        await data.deleteTask(scope, tx, id)
        platform.audit.note({ entity: 'exportTask', id, label: task.fileName, before: { file: task.fileName } })
        return task
      })
      await files.discard(fileIds)
    },
    async stop(scope, actor, id) {
      const { fileIds } = await changing(platform, scope, actor, id, async (tx, task) => {
        if (!exportAbilities(task, false).stop) throw new Conflict(['status'])
        await data.failTask(scope, tx, id, 'stopped', keptFrom(platform.clock.now()))
        noteTouched(task)
        return task
      })
      // An attempt that is still at it notices and removes what it has written since.
      await files.discard(fileIds)
    },
    async retry(session, id, { language, ip }) {
      await changing(platform, session.scope, session, id, async (tx, task) => {
        if (task.status !== failed) refuse(100509)
        if (!(await mayReceive(session, task, session.masking))) forbid()
        await data.renewTask(session.scope, tx, id, { language, masked: session.masking, ip }, keptFrom(platform.clock.now()).expiresAt)
        await run.request(tx, session.scope)
        noteTouched(task)
      })
    },
  }
}
