/** Badges of visitors who sign in at visitor machines. */
import type { Language } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import { NotFound, Refusal } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { PrintJobs } from './jobs.ts'
import { findNetworkPrinter } from './printers-data.ts'

export interface MachineBadge {
  visitId: string
  /** The same for each repetition. */
  key: string
  device: { id: string; name: string }
  language: Language
}

/** Return what prints a badge; nothing is printed where the park has no network printer, or the visit is over or deleted. */
export const createMachineBadges =
  ({ db }: Pick<Platform, 'db'>, jobs: Pick<PrintJobs, 'print'>) =>
  async (scope: Scope, { visitId, key, device, language }: MachineBadge): Promise<void> => {
    const printer = await findNetworkPrinter(scope, db)
    if (printer === undefined) return
    const session = { userId: device.id, operator: device.name, masking: false }
    await jobs.print(scope, { printerId: printer.id, visitId, key }, { session, language }).catch((error: unknown) => {
      if (!(error instanceof Refusal || error instanceof NotFound)) throw error
    })
  }
