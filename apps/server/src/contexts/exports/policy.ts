/** What may be done with exports, and who may be given a file of rows, besides what the call's permission says. */
import { exportStatus } from '@gatehouse/contract/enums'
import type { ExportTask } from '@gatehouse/contract/exports/calls'
import { mayCall } from '@gatehouse/contract/policy'
import type { ExportKind } from '../../platform/export-kind.ts'
import { isWithinLimits, limitedSession } from '../../platform/session/device-limits.ts'
import { seesWatchList, type Scope, type Session } from '../../platform/session/session.ts'

/**
 * Return whether the session may be given rows of a kind as somebody was shown them: it may still ask for the kind, and sees no less.
 * @param file.scope whom and which devices the rows were read for
 * @param file.masked whether personal data are masked in it
 */
export const canReceive = (session: Session, { call }: Pick<ExportKind, 'call'>, file: { scope: Scope; masked: boolean }): boolean =>
  mayCall(session, call) &&
  (file.masked || !session.masking) &&
  (seesWatchList(session.scope) || !seesWatchList(file.scope)) &&
  isWithinLimits(file.scope, limitedSession(session, call).scope)

const { waiting, exporting, exported, failed } = exportStatus

/** Return what may be done with a task of one's own as it stands. @param isAllowed whether its file may be received */
export const exportAbilities = ({ status }: Pick<ExportTask, 'status'>, isAllowed: boolean): ExportTask['can'] => ({
  download: status === exported && isAllowed,
  retry: status === failed && isAllowed,
  cancel: status === waiting,
  stop: status === waiting || status === exporting,
})
