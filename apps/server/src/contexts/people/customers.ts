/** Customers whose validity has ended or is about to: whether there are any, and their list as a file. */
import type { Language } from '@gatehouse/contract'
import { expiredCustomersStatus, type ValueOf } from '@gatehouse/contract/enums'
import { EXPIRY_REMINDER } from '@gatehouse/contract/limits'
import { customerCalls, expiringCustomer, type ExpiringCustomer } from '@gatehouse/contract/people/customers'
import { handler, type FileAnswer, type MountedCall, type Platform } from '../../platform/context.ts'
import { maskerOf } from '../../platform/session/masking.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import { fileTexts } from '../../platform/texts.ts'
import { XLSX_TYPE, xlsxOf, type SheetColumn } from '../../platform/documents/xlsx.ts'
import { parkClock } from '../organisation/index.ts'
import * as data from './customers-data.ts'

const DAY = 86_400_000
/** Rows read, and noted as read, at a time. */
const PAGE = 1_000

const maskRow = maskerOf(expiringCustomer)!

function columnsOf(language: Language, now: number): SheetColumn<ExpiringCustomer>[] {
  const { columns, state } = fileTexts(language).expiredCustomers
  return [
    { heading: columns.name, kind: 'text', width: 20, value: (row) => row.name },
    { heading: columns.workNumber, kind: 'text', width: 16, value: (row) => row.workNumber },
    { heading: columns.phone, kind: 'text', width: 18, value: (row) => row.phone },
    { heading: columns.groupName, kind: 'text', width: 20, value: (row) => row.groupName },
    { heading: columns.validFrom, kind: 'moment', width: 18, value: (row) => row.validFrom },
    { heading: columns.validTo, kind: 'moment', width: 18, value: (row) => row.validTo },
    { heading: columns.state, kind: 'text', width: 14, value: (row) => (row.validTo < now ? state.ended : state.ending) },
    { heading: columns.remark, kind: 'text', width: 40, value: (row) => row.remark },
  ]
}

export function customerHandlers(platform: Platform): MountedCall[] {
  const db = platform.db
  const reminded = () => platform.clock.now() + EXPIRY_REMINDER * DAY

  async function statusOf(scope: Scope): Promise<ValueOf<typeof expiredCustomersStatus>> {
    if (await data.hasCustomersEnding(scope, db, reminded())) return expiredCustomersStatus.hasFile
    return (await data.hasCustomers(scope, db)) ? expiredCustomersStatus.ok : expiredCustomersStatus.none
  }

  /** Page by page, each noted in the log of reads as it is handed out. */
  async function* rowsFor(session: Session, ip: string): AsyncGenerator<ExpiringCustomer> {
    const before = reminded()
    let after: ExpiringCustomer | null = null
    for (;;) {
      const rows: ExpiringCustomer[] = await data.findCustomersEnding(session.scope, { db, crypto: platform.crypto }, before, after, PAGE)
      if (rows.length > 0)
        platform.audit.read(
          customerCalls.expired,
          session,
          ip,
          rows.map(({ id }) => id),
        )
      for (const row of rows) yield session.masking ? (maskRow(row) as ExpiringCustomer) : row
      if (rows.length < PAGE) return
      after = rows.at(-1)!
    }
  }

  function file(session: Session, language: Language, ip: string): FileAnswer {
    const now = platform.clock.now()
    const { title } = fileTexts(language).expiredCustomers
    const clock = parkClock(session.park.zone, now)
    const sheet = {
      name: title,
      columns: columnsOf(language, now),
      rows: rowsFor(session, ip),
      clock,
    }
    const day = new Date(now + clock.offsetOf(now) * 60_000).toISOString().slice(0, 10)
    return { bytes: xlsxOf(sheet, now), contentType: XLSX_TYPE, filename: `${title} ${day}.xlsx` }
  }

  return [
    handler(customerCalls.checkExpired, async ({ scope }) => ({ status: await statusOf(scope) })),
    handler(customerCalls.expired, async ({ session, language, ip }) => file(session, language, ip)),
  ]
}
