/** What is asked of a printer (RFC 8011): to print, how a job is, how it is itself, to cancel a job. */
import type { PrintReason, PrinterStatus } from '@gatehouse/contract/printers/calls'
import { PrinterFault } from './fault.ts'
import {
  decodeMessage,
  encodeMessage,
  groupTag,
  MalformedMessage,
  type ReadMessage,
  type ReadValue,
  type SentAttribute,
  type SentMessage,
} from './message.ts'
import { printerUriOf, type SendToPrinter } from './transport.ts'

/** Operations (RFC 8011, section 5.4.15). */
export const operation = { printJob: 0x0002, cancelJob: 0x0008, getJobAttributes: 0x0009, getPrinterAttributes: 0x000b } as const
export const DOCUMENT_FORMAT = 'application/pdf'

const STATUS_NOT_FOUND = 0x0406
const STATUS_NO_FORMAT = 0x040a
/** Statuses that end by themselves: busy, unavailable, temporarily at fault, accepting no jobs now, deactivated. */
const BUSY: ReadonlySet<number> = new Set([0x0502, 0x0505, 0x0506, 0x0507, 0x050a])
const isSuccess = (status: number): boolean => status < 0x0100

/** Keywords of `printer-state-reasons` in words of ours, without their suffixes. */
const REASONS: Readonly<Record<string, PrintReason>> = {
  'media-empty': 'mediaEmpty',
  'media-needed': 'mediaEmpty',
  'media-jam': 'mediaJam',
  'cover-open': 'coverOpen',
  'door-open': 'coverOpen',
  'interlock-open': 'coverOpen',
  'toner-empty': 'supplyEmpty',
  'marker-supply-empty': 'supplyEmpty',
  paused: 'paused',
  'moving-to-paused': 'paused',
  offline: 'offline',
  shutdown: 'offline',
  'connecting-to-device': 'offline',
  'timed-out': 'offline',
}

/** Return why a printer does not go on. A keyword that is only a report or a warning is left out unless it has a word here. */
export function reasonsOf(keywords: readonly ReadValue[]): PrintReason[] {
  const reasons = keywords.flatMap((keyword) => {
    const [, name = '', suffix = ''] = /^(.*?)(?:-(error|warning|report))?$/.exec(String(keyword)) ?? []
    if (suffix === 'report') return []
    return REASONS[name] ?? (suffix === 'error' ? ('attention' as const) : [])
  })
  return [...new Set(reasons)]
}

/** State of a job at the printer. `reasons`: why the printer does not go on with it. */
export type JobProgress = { state: 'open'; reasons: PrintReason[] } | { state: 'completed' } | { state: 'aborted' } | { state: 'cancelled' }

/** Values of `printer-state` and `job-state`. */
const PRINTER_STATES: Readonly<Record<number, PrinterStatus['state']>> = { 3: 'ready', 4: 'printing', 5: 'stopped' }
const JOB_STATES: Readonly<Record<number, JobProgress['state']>> = {
  3: 'open',
  4: 'open',
  5: 'open',
  6: 'open',
  7: 'cancelled',
  8: 'aborted',
  9: 'completed',
}

export interface DocumentToPrint {
  /** Name of the job in the printer's own list; without personal data, since every user of the printer can read it. */
  name: string
  pdf: Buffer
}

export interface IppPrinter {
  /** Send a document; return the printer's number of the job. @throws PrinterFault */
  print(address: string, document: DocumentToPrint, signal: AbortSignal): Promise<number>
  /** Return how a job is; `completed` where the printer does not know it any more. @throws PrinterFault */
  progress(address: string, jobNumber: number, signal: AbortSignal): Promise<JobProgress>
  /** Return how the printer is, and whether it takes PDF. @throws PrinterFault */
  status(address: string, signal: AbortSignal): Promise<PrinterStatus & { takesPdf: boolean }>
  /** @throws PrinterFault, also where the job is over */
  cancel(address: string, jobNumber: number, signal: AbortSignal): Promise<void>
}

const REQUESTING_USER = 'Gatehouse'
const REQUEST_ID_MAX = 2 ** 31 - 1

export function createIppPrinter(send: SendToPrinter): IppPrinter {
  let requests = 0

  async function ask(
    address: string,
    { attributes, ...message }: Pick<SentMessage, 'operation' | 'document'> & { attributes: readonly SentAttribute[] },
    signal: AbortSignal,
  ): Promise<ReadMessage> {
    const requestId = (requests++ % REQUEST_ID_MAX) + 1
    // The first two attributes have their places, and each operation on a printer names it third.
    const operationAttributes: SentAttribute[] = [
      ['charset', 'attributes-charset', 'utf-8'],
      ['language', 'attributes-natural-language', 'en'],
      ['uri', 'printer-uri', printerUriOf(address)],
      ...attributes,
    ]
    const bytes = encodeMessage({ ...message, requestId, groups: [{ tag: groupTag.operation, attributes: operationAttributes }] })
    const answer = await send(address, bytes, signal)
    try {
      const read = decodeMessage(answer)
      if (read.requestId !== requestId) throw new MalformedMessage('it answers another request')
      return read
    } catch (error) {
      if (error instanceof MalformedMessage) throw new PrinterFault('wrongAnswer', error.message)
      throw error
    }
  }

  const valuesOf = (message: ReadMessage, group: number, name: string): readonly ReadValue[] =>
    message.attributes.get(group)?.get(name) ?? []

  function checkStatus({ status: code }: ReadMessage): void {
    if (isSuccess(code)) return
    const detail = `status 0x${code.toString(16).padStart(4, '0')}`
    if (code === STATUS_NO_FORMAT) throw new PrinterFault('noPdf', detail, true)
    if (BUSY.has(code)) throw new PrinterFault('busy', detail)
    throw new PrinterFault('refused', detail, true)
  }

  /** Return the first value of an attribute, which must be a number. @throws PrinterFault */
  function numberOf(message: ReadMessage, group: number, name: string): number {
    const [value] = valuesOf(message, group, name)
    if (typeof value !== 'number') throw new PrinterFault('wrongAnswer', `${name} is missing`)
    return value
  }

  async function status(address: string, signal: AbortSignal): Promise<PrinterStatus & { takesPdf: boolean }> {
    const names = ['printer-state', 'printer-state-reasons', 'printer-make-and-model', 'document-format-supported']
    const answer = await ask(
      address,
      { operation: operation.getPrinterAttributes, attributes: [['keyword', 'requested-attributes', ...names]] },
      signal,
    )
    checkStatus(answer)
    const state = PRINTER_STATES[numberOf(answer, groupTag.printer, 'printer-state')]
    if (state === undefined) throw new PrinterFault('wrongAnswer', 'printer-state has no such value')
    const [model = ''] = valuesOf(answer, groupTag.printer, 'printer-make-and-model')
    const formats = valuesOf(answer, groupTag.printer, 'document-format-supported')
    return {
      state,
      reasons: reasonsOf(valuesOf(answer, groupTag.printer, 'printer-state-reasons')),
      model: String(model).slice(0, 127),
      // A printer that does not say takes whatever it can recognise.
      takesPdf: formats.length === 0 || formats.includes(DOCUMENT_FORMAT),
    }
  }

  return {
    status,
    async print(address, { name, pdf }, signal) {
      const attributes: SentAttribute[] = [
        ['name', 'requesting-user-name', REQUESTING_USER],
        ['name', 'job-name', name],
        ['mime', 'document-format', DOCUMENT_FORMAT],
      ]
      const answer = await ask(address, { operation: operation.printJob, attributes, document: pdf }, signal)
      checkStatus(answer)
      return numberOf(answer, groupTag.job, 'job-id')
    },
    async progress(address, jobNumber, signal) {
      const attributes: SentAttribute[] = [
        ['integer', 'job-id', jobNumber],
        ['name', 'requesting-user-name', REQUESTING_USER],
        ['keyword', 'requested-attributes', 'job-state', 'job-state-reasons'],
      ]
      const answer = await ask(address, { operation: operation.getJobAttributes, attributes }, signal)
      // A printer may forget a job as soon as it is printed.
      if (answer.status === STATUS_NOT_FOUND) return { state: 'completed' }
      checkStatus(answer)
      const state = JOB_STATES[numberOf(answer, groupTag.job, 'job-state')]
      if (state === undefined) throw new PrinterFault('wrongAnswer', 'job-state has no such value')
      if (state !== 'open') return { state }
      return { state, reasons: (await status(address, signal)).reasons }
    },
    async cancel(address, jobNumber, signal) {
      const attributes: SentAttribute[] = [
        ['integer', 'job-id', jobNumber],
        ['name', 'requesting-user-name', REQUESTING_USER],
      ]
      checkStatus(await ask(address, { operation: operation.cancelJob, attributes }, signal))
    },
  }
}
