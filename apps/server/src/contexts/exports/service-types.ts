/** What exports offer to those who asked for them. */
import type { DataOf, Language } from '@gatehouse/contract'
import type { Actor, Scope, Session } from '../../platform/session/session.ts'
import type { ExportKind } from '../../platform/export-kind.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { FileAnswer } from '../../platform/context.ts'
import type { ExportTask, exportCalls } from '@gatehouse/contract/exports/calls'

/** Of the request that asks. */
export interface Asking {
  language: Language
  ip: string
}
export interface ExportService {
  /** Start an export; return the task's id. @throws InvalidRequest for none or too many rows, and whatever the kind refuses */
  start(session: Session, kind: ExportKind, body: object, asking: Asking): Promise<string>
  list(session: Session, page: { page: number; size: number }): Promise<DataOf<typeof exportCalls.list>>
  /** @throws NotFound */
  progress(session: Session, id: string): Promise<ExportTask>
  /** @throws NotFound; Refusal 100508 if it does not wait */
  cancel(scope: Scope, actor: Actor, id: string): Promise<void>
  /** @throws NotFound; Conflict if it neither waits nor is being made */
  stop(scope: Scope, actor: Actor, id: string): Promise<void>
  /** @throws NotFound; Refusal 100509 if it has not failed, 100510 if the session may not request it now */
  retry(session: Session, id: string, asking: Asking): Promise<void>
  /** @throws NotFound until it is exported; Refusal 100510 if the session may not request it now */
  download(session: Session, id: string): Promise<FileAnswer>
  /** Delete old tasks in all parks; return how many. */
  removeOld(): Promise<number>
  erasePark(tx: Transaction, scope: Scope): Promise<number>
}
