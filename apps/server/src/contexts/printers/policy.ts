/** What may be done with a printer or a job in its state, besides what the permission of a call says. */
import type { Printer, PrintJob, PrintJobState } from '@gatehouse/contract/printers/calls'
import type { JobRow } from './jobs-data.ts'
import type { PrinterRow } from './printers-data.ts'

/** States in which a job can be cancelled, and those in which it can be tried again. */
export const OPEN_STATES: readonly PrintJobState[] = ['waiting', 'printing']
export const RETRIED_STATES: readonly PrintJobState[] = ['failed', 'cancelled']

export const printerAbilities = ({ kind }: Pick<PrinterRow, 'kind'>): Printer['can'] => ({
  change: true,
  delete: true,
  test: kind === 'ipp',
})

export const jobAbilities = ({ kind, state, visitId }: Pick<JobRow, 'kind' | 'state' | 'visitId'>): PrintJob['can'] => ({
  retry: kind === 'ipp' && RETRIED_STATES.includes(state),
  cancel: OPEN_STATES.includes(state),
  open: kind === 'browser' && visitId !== null,
})
