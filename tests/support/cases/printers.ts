import { printerCalls } from '@gatehouse/contract/printers/calls'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { visitReason, visitorSource } from '@gatehouse/contract/enums/visitors'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import type { CallCase, Ground } from './case.ts'

let samples = 0
/** No printer answers at this address. */
const ADDRESS = 'ipp://127.0.0.1:9/ipp/print'
const HOUR = 3_600_000

const networkPrinter = ({ site }: Ground): Promise<{ id: string }> =>
  site.call(printerCalls.create, { body: { name: `Networked ${++samples}`, kind: 'ipp', address: ADDRESS } })
const dialogPrinter = ({ site }: Ground): Promise<{ id: string }> =>
  site.call(printerCalls.create, { body: { name: `Dialog ${++samples}` } })

/** Create a visitor who stands at the desk. */
async function visitId({ site, world }: Ground): Promise<string> {
  const now = world.clock.now()
  const phone = `137${String(++samples).padStart(8, '0')}`
  const rule = await site.strategy({ kind: 'visitor', devices: [await site.device()] })
  const rights = { accessGroupIds: [rule.id], passMethods: [accessMethod.card] }
  const body = { ...rights, source: visitorSource.temporary, name: 'Kay McNulty', phone, reason: visitReason.business, cardNumber: phone }
  return (await site.call(visitorCalls.create, { body: { ...body, visitTime: now, visitEndTime: now + HOUR } })).id
}
const test = async (ground: Ground): Promise<{ id: string }> => {
  const { id } = await ground.site.call(printerCalls.test, { body: { printerId: (await networkPrinter(ground)).id } })
  return { id }
}
async function cancelled(ground: Ground): Promise<{ id: string }> {
  const job = await test(ground)
  await ground.site.call(printerCalls.cancel, { body: job })
  return job
}
async function opened(ground: Ground): Promise<{ id: string }> {
  const body = { printerId: (await dialogPrinter(ground)).id, visitId: await visitId(ground) }
  return { id: (await ground.site.call(printerCalls.print, { body })).id }
}

export const cases: readonly CallCase[] = [
  { call: printerCalls.create, needs: { address: ADDRESS } },
  { call: printerCalls.read, given: networkPrinter },
  { call: printerCalls.change, given: networkPrinter, needs: { address: ADDRESS } },
  { call: printerCalls.delete, given: networkPrinter },
  { call: printerCalls.status, given: networkPrinter },
  { call: printerCalls.test, given: async (ground) => ({ printerId: (await networkPrinter(ground)).id }) },
  { call: printerCalls.print, given: async (ground) => ({ printerId: (await dialogPrinter(ground)).id, visitId: await visitId(ground) }) },
  { call: printerCalls.jobs, given: async (ground) => ({ printerId: (await networkPrinter(ground)).id }) },
  { call: printerCalls.file, given: opened },
  { call: printerCalls.retry, given: cancelled },
  { call: printerCalls.cancel, given: test },
]

export const listed = [printerCalls.settings, printerCalls.test]
