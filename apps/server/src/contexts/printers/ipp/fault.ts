/** Why a printer could not be asked, or did not do what it was asked for. */
import type { PrintReason } from '@gatehouse/contract/printers/calls'

export class PrinterFault extends Error {
  override readonly name = 'PrinterFault'
  readonly reason: PrintReason
  /** Whether another attempt cannot succeed before somebody changes something. */
  readonly isFinal: boolean
  constructor(reason: PrintReason, detail: string, isFinal = false) {
    super(detail)
    this.reason = reason
    this.isFinal = isFinal
  }
}
