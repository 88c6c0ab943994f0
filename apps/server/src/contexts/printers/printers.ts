/** The printers of a park. */
import type { DataOf, OutputOf } from '@gatehouse/contract'
import { ADDRESS_REQUIRED, type Printer, type printerCalls, type PrinterStatus } from '@gatehouse/contract/printers/calls'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Paging } from '../../platform/database/page.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { PrinterFault } from './ipp/fault.ts'
import type { IppPrinter } from './ipp/printer.ts'
import { printerAbilities } from './policy.ts'
import * as data from './printers-data.ts'

type Calls = typeof printerCalls
type NewPrinter = OutputOf<Calls['create']['body']>
type PrinterChange = OutputOf<Calls['change']['body']>

export interface Printers {
  list(scope: Scope, query: Paging & { name?: string | undefined }): Promise<DataOf<Calls['settings']>>
  choices(scope: Scope, query: Paging): Promise<DataOf<Calls['list']>>
  /** @throws NotFound */
  read(scope: Scope, id: string): Promise<Printer>
  /** @throws Refusal 900004 */
  create(scope: Scope, fields: NewPrinter): Promise<string>
  /** @throws NotFound; Conflict; Refusal 900004; InvalidRequest for a network printer without an address */
  change(scope: Scope, change: PrinterChange): Promise<void>
  /** @throws NotFound */
  delete(scope: Scope, id: string): Promise<void>
  /** Ask a network printer for its state. @throws NotFound, for a printer of the browser too */
  status(scope: Scope, id: string, signal: AbortSignal): Promise<PrinterStatus>
}

const valuesOf = ({ name, serialNumber, kind, address, media }: data.PrinterValues): data.PrinterValues => ({
  name,
  serialNumber,
  kind,
  // A printer of the browser has no address, whatever a form still holds.
  address: kind === 'ipp' ? address : null,
  media,
})
const shown = (row: data.PrinterRow): Printer => ({ ...row, can: printerAbilities(row) })

function refuseTaken(error: unknown): never {
  if (violatedConstraint(error) === 'printer_name') refuse(900004, 'name')
  throw error
}

export function createPrinters(platform: Platform, printer: IppPrinter): Printers {
  const { db, clock, audit } = platform
  async function existing(scope: Scope, id: string): Promise<data.PrinterRow> {
    const row = await data.findPrinter(scope, db, id)
    if (row === undefined) throw new NotFound()
    return row
  }
  return {
    async list(scope, query) {
      const { content, total } = await data.listPrinters(scope, db, query)
      return { total, content: content.map(shown), page: query.page, size: query.size }
    },
    async choices(scope, { page, size }) {
      const { content, total } = await data.listPrinters(scope, db, { page, size })
      const choices = content.map(({ id, name, serialNumber, kind, media }) => ({ id, name, serialNumber, kind, media }))
      return { total, content: choices, page, size }
    },
    read: async (scope, id) => shown(await existing(scope, id)),
    async create(scope, fields) {
      const id = newId()
      const values = valuesOf(fields)
      await platform
        .transaction(async (tx) => {
          await data.insertPrinter(scope, tx, id, values, clock.now())
          audit.note({ entity: 'printer', id, label: values.name, after: { ...values } })
        })
        .catch(refuseTaken)
      return id
    },
    async change(scope, { id, version, ...change }) {
      const row = await existing(scope, id)
      const { name, serialNumber, kind, address, media } = row
      const before = { name, serialNumber, kind, address, media }
      const values = valuesOf(leftAsItWas<data.PrinterValues>(before, change))
      if (values.kind === 'ipp' && values.address === null)
        throw new InvalidRequest([{ path: ADDRESS_REQUIRED.path[0]!, rule: 'required' }])
      await platform
        .transaction(async (tx) => {
          if (!(await data.updatePrinter(scope, tx, { id, version: version ?? row.version }, values, clock.now())))
            throw new Conflict(['version'])
          audit.note({ entity: 'printer', id, label: values.name, before, after: { ...values } })
        })
        .catch(refuseTaken)
    },
    async delete(scope, id) {
      const row = await existing(scope, id)
      await platform.transaction(async (tx) => {
        if (!(await data.deletePrinter(scope, tx, id))) throw new NotFound()
        audit.note({ entity: 'printer', id, label: row.name, before: { name: row.name, address: row.address } })
      })
    },
    async status(scope, id, signal) {
      const { address } = await existing(scope, id)
      if (address === null) throw new NotFound()
      try {
        const { state, reasons, model, takesPdf } = await printer.status(address, signal)
        return { state, reasons: takesPdf ? reasons : ['noPdf', ...reasons], model }
      } catch (error) {
        if (error instanceof PrinterFault) return { state: 'unreachable', reasons: [error.reason], model: '' }
        throw error
      }
    },
  }
}
