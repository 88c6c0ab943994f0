/** Tasks as they are answered, and whether a session may receive their rows. */
import { exportStatus } from '@gatehouse/contract/enums'
import type { ExportFormat, ExportReason, ExportTask } from '@gatehouse/contract/exports/calls'
import type { Platform } from '../../platform/context.ts'
import type { ExportKind } from '../../platform/export-kind.ts'
import type { Session } from '../../platform/session/session.ts'
import type * as data from './data.ts'
import { canReceive, exportAbilities } from './policy.ts'
import { openOptions } from './stored-options.ts'

const { exported, failed } = exportStatus

export interface TaskAnswers {
  present(session: Session, task: data.OwnTask): Promise<ExportTask>
  /** Whether a session may receive rows as a task has them: a file is closed to its owner once they may no longer see all of it. */
  mayReceive(session: Session, task: Pick<data.OwnTask, 'id' | 'kind' | 'wish'>, masked: boolean): Promise<boolean>
}

export function createTaskAnswers(platform: Platform, kindNamed: (name: string) => ExportKind | undefined): TaskAnswers {
  async function present(session: Session, task: data.OwnTask): Promise<ExportTask> {
    const { masked, fileIds: _fileIds, wish: _options, ...row } = task
    const isAllowed =
      (row.status === exported && (await mayReceive(session, task, masked))) ||
      (row.status === failed && (await mayReceive(session, task, session.masking)))
    return {
      ...row,
      format: row.format as ExportFormat,
      reason: row.reason as ExportReason | null,
      can: exportAbilities(row, isAllowed),
    }
  }

  async function mayReceive(session: Session, task: Pick<data.OwnTask, 'id' | 'kind' | 'wish'>, masked: boolean): Promise<boolean> {
    const kind = kindNamed(task.kind)
    if (kind === undefined) return false
    const { scope } = await openOptions(platform.crypto, session.scope.parkId, task)
    return canReceive(session, kind, { scope, masked })
  }

  return { present, mayReceive }
}
