/** Printers of a park, and jobs on their way to paper. */
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { printerCalls, type PrintJob } from '@gatehouse/contract/printers/calls'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { until } from '../../../../../tests/support/until.ts'
import { createReception, type Reception } from '../visitors/testing/reception.ts'
import { cupsMissing, startCups } from './testing/cups.ts'
import { startIppServer, type IppServer } from './testing/ipp-server.ts'
import { linesOfPdf, picturesOfPdf, sizeOfPdf } from '../../platform/documents/testing/pdf.ts'

let world: World
let desk: Reception
let site: Site
/** Milliseconds that the clock is ahead: attempts that are hours away need not be waited for. */
let aheadMs = 0
const servers: IppServer[] = []
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + aheadMs } })
  desk = await createReception(world, { name: 'Harbour park' })
  site = desk.site
})
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})
afterAll(() => world?.stop())

let names = 0
async function printServer(options?: { port: number }): Promise<IppServer> {
  const server = await startIppServer(options)
  servers.push(server)
  return server
}
async function networkPrinter(address: string, media: 'badge' | 'slip' = 'badge', at: Site = site): Promise<string> {
  return (await at.call(printerCalls.create, { body: { name: `Printer ${++names}`, kind: 'ipp', address, media } })).id
}
const jobOf = async (id: string, at: Site = site): Promise<PrintJob> =>
  (await at.call(printerCalls.jobs, { query: { size: 100 } })).content.find((job) => job.id === id)!
const reached = (id: string, state: PrintJob['state'], at: Site = site): Promise<PrintJob> =>
  until(`the job to be ${state}`, async () => {
    const job = await jobOf(id, at)
    return job.state === state ? job : null
  })
const print = async (printerId: string, visitId: string, more: object = {}) =>
  (await site.call(printerCalls.print, { body: { printerId, visitId, ...more } })).id
/** Let the pauses between attempts pass. */
const wait = (minutes: number): void => void (aheadMs += minutes * 60_000)

describe('printers', () => {
  test('are added, listed, changed and deleted; two of a park do not share a name', async () => {
    const { id } = await site.call(printerCalls.create, {
      body: { name: 'Front desk', serialNumber: 'SN-1', kind: 'browser', media: 'slip' },
    })
    const taken = await site.ask(printerCalls.create, { body: { name: 'front DESK' } })
    expect(taken).toMatchObject({ code: 900004, data: { fields: [{ path: 'name' }] } })
    const elsewhere = await world.addPark()
    await elsewhere.call(printerCalls.create, { body: { name: 'Front desk' } })

    const row = await site.call(printerCalls.read, { query: { id } })
    expect(row).toMatchObject({ serialNumber: 'SN-1', address: null, can: { change: true, delete: true, test: false } })
    await site.call(printerCalls.change, { body: { id, kind: 'ipp', address: 'ipps://printer.example.org/ipp', version: row.version } })
    expect((await site.ask(printerCalls.change, { body: { id, name: 'Late', version: row.version } })).status).toBe(409)
    const { content } = await site.call(printerCalls.settings, { query: { name: 'front' } })
    expect(content).toMatchObject([{ id, address: 'ipps://printer.example.org/ipp', can: { test: true } }])
    // Those who print need no address.
    expect((await site.call(printerCalls.list, { query: {} })).content.find((one) => one.id === id)).toEqual({
      id,
      name: 'Front desk',
      serialNumber: 'SN-1',
      kind: 'ipp',
      media: 'slip',
    })
    await site.call(printerCalls.delete, { query: { id } })
    expect((await site.ask(printerCalls.read, { query: { id } })).status).toBe(404)
  })

  test.each([
    ['ftp://printer.example.org/'],
    ['ipp://user:secret@printer.example.org/ipp'],
    ['ipp://printer.example.org/ipp?to=1'],
    ['http://printer.example.org/#a'],
    ['ipp:///ipp'],
    ['printer.example.org'],
  ])('an address such as %s is refused', async (address) => {
    const answer = await site.ask(printerCalls.create, { body: { name: `Wrong ${++names}`, kind: 'ipp', address } })
    expect(answer).toMatchObject({ status: 400, data: { fields: [{ path: 'address', rule: 'printerAddress' }] } })
  })

  test('a network printer needs an address', async () => {
    const answer = await site.ask(printerCalls.create, { body: { name: 'Nowhere', kind: 'ipp' } })
    expect(answer).toMatchObject({ status: 400, data: { fields: [{ path: 'address', rule: 'required' }] } })
  })

  test('say how they are, and what is wrong with them', async () => {
    const server = await printServer()
    const id = await networkPrinter(server.address)
    const status = () => site.call(printerCalls.status, { query: { id } })
    expect(await status()).toEqual({ state: 'ready', reasons: [], model: 'Test Labeller 1' })
    server.behaviour.reasons = ['media-empty-error']
    server.behaviour.formats = ['image/urf']
    expect(await status()).toMatchObject({ state: 'stopped', reasons: ['noPdf', 'mediaEmpty'] })
    server.behaviour.wrong = 'redirect'
    expect(await status()).toEqual({ state: 'unreachable', reasons: ['wrongAnswer'], model: '' })
    expect(server.requests).toBe(3)
    const refused = await networkPrinter('http://169.254.169.254/latest/meta-data')
    expect(await site.call(printerCalls.status, { query: { id: refused } })).toMatchObject({ reasons: ['addressRefused'] })
  })
})

describe('a visit', () => {
  test('a visitor slip is printed on the configured printer, with what the visit says [BEH-179]', async () => {
    const server = await printServer()
    const printerId = await networkPrinter(server.address, 'slip')
    await desk.configure({ companyName: '港湾园区' })
    const file = await world.photographs.people[0]!.photo(1)
    const { id: visitId } = await desk.visit({ name: '欧阳震华', facePhoto: await desk.photo(file), visitorNumber: 3 })
    const job = await reached(await print(printerId, visitId), 'printed')
    expect(job).toMatchObject({ visitName: '欧阳震华', media: 'slip', attempts: 1, reason: null, can: { retry: false, cancel: false } })
    const [printed] = server.jobs
    // Every user of a printer sees the names of its jobs.
    expect(printed!.name).toBe(`Gatehouse ${job.id}`)
    const lines = linesOfPdf(printed!.document)
    expect(lines).toEqual(
      expect.arrayContaining(['港湾园区', 'Visitor', '欧阳震华', 'Host', desk.host.name, 'Number of people', '3', 'Valid until']),
    )
    expect([sizeOfPdf(printed!.document)[0], picturesOfPdf(printed!.document)]).toEqual([80, 1])
  })

  test('is printed as a badge where the request says so, once for each key', async () => {
    const server = await printServer()
    const printerId = await networkPrinter(server.address, 'slip')
    const { id: visitId } = await desk.visit()
    const ids = await Promise.all([1, 2, 3].map(() => print(printerId, visitId, { media: 'badge', key: 'press-1' })))
    expect(new Set(ids).size).toBe(1)
    await reached(ids[0]!, 'printed')
    expect(await print(printerId, visitId, { key: 'press-1' })).toBe(ids[0])
    expect(server.jobs.map(({ document }) => sizeOfPdf(document))).toEqual([[62, 100]])
  })

  test('opens in the browser where the printer is that of the print dialog, with masked names for those who see them masked', async () => {
    const { id: printerId } = await site.call(printerCalls.create, { body: { name: `Dialog ${++names}` } })
    const { id: visitId } = await desk.visit({ name: 'Grace Hopper' })
    const { id, state, kind } = await site.call(printerCalls.print, { body: { printerId, visitId } })
    expect([state, kind]).toEqual(['printed', 'browser'])
    const fileFor = async ({ credentials }: Client): Promise<Buffer> => {
      const { bearer } = credentials as { bearer: string }
      const answer = await fetch(`${world.url}${printerCalls.file.url}?id=${id}`, { headers: { authorization: `Bearer ${bearer}` } })
      expect(answer.headers.get('content-type')).toBe('application/pdf')
      return Buffer.from(await answer.arrayBuffer())
    }
    expect(linesOfPdf(await fileFor(site.client))).toContain('Grace Hopper')
    const masked = await world.session({ park: site.park, permissions: ['visitor.report'], masking: true })
    expect(linesOfPdf(await fileFor(masked))).toContain('G********r')
    expect((await site.ask(printerCalls.retry, { body: { id } })).status).toBe(409)
    expect((await site.ask(printerCalls.test, { body: { printerId } })).status).toBe(404)
  })

  test('that is not accepted, or over, is not printed', async () => {
    const server = await printServer()
    const printerId = await networkPrinter(server.address)
    const { id } = await desk.reservation()
    expect((await site.ask(printerCalls.print, { body: { printerId, visitId: id } })).code).toBe(200420)
    server.behaviour.busy = true
    const { id: visitId } = await desk.visit()
    const jobId = await print(printerId, visitId)
    await until('the first attempt', async () => (await jobOf(jobId)).reason === 'busy')
    await site.call(visitorCalls.signOff, { body: { visits: [{ id: visitId, status: visitorStatus.checkedIn }], forced: true } })
    server.behaviour.busy = false
    wait(1)
    expect(await reached(jobId, 'failed')).toMatchObject({ reason: 'visitOver' })
    expect(server.jobs).toEqual([])
  })
})

describe('a job', () => {
  test('waits for a printer that is away, and is printed once it is back', async () => {
    const server = await printServer()
    const { port, address } = server
    const printerId = await networkPrinter(address)
    await server.stop()
    const { id: visitId } = await desk.visit()
    const id = await print(printerId, visitId)
    await until('the first attempt', async () => (await jobOf(id)).attempts === 1)
    expect(await jobOf(id)).toMatchObject({ state: 'waiting', reason: 'unreachable', can: { cancel: true, retry: false } })
    const back = await printServer({ port })
    wait(1)
    expect(await reached(id, 'printed')).toMatchObject({ attempts: 2, reason: null })
    expect(back.jobs).toHaveLength(1)
  })

  test('fails after its last attempt, and is tried again where a user wants that', async () => {
    const server = await printServer()
    const printerId = await networkPrinter(server.address)
    server.behaviour.busy = true
    const { id: visitId } = await desk.visit({ visitEndTime: world.clock.now() + 5 * 3_600_000 })
    const id = await print(printerId, visitId)
    for (let attempts = 1; attempts < 10; attempts++) {
      await until(`attempt ${attempts}`, async () => (await jobOf(id)).attempts === attempts)
      wait(6)
    }
    expect(await reached(id, 'failed')).toMatchObject({ reason: 'busy', attempts: 10, can: { retry: true } })
    server.behaviour.busy = false
    await site.call(printerCalls.retry, { body: { id } })
    expect(await reached(id, 'printed')).toMatchObject({ attempts: 1 })
  })

  test('outlives a restart of the server, whether it waits or the printer has it, and is not printed twice', async () => {
    const server = await printServer()
    const printerId = await networkPrinter(server.address)
    server.behaviour.job = 'processing'
    const { id: visitId } = await desk.visit()
    const sent = await print(printerId, visitId)
    await reached(sent, 'printing')
    const away = await printServer()
    const { port } = away
    const other = await networkPrinter(away.address)
    await away.stop()
    const waiting = await print(other, visitId)
    await until('the first attempt', async () => (await jobOf(waiting)).attempts === 1)
    await world.interrupted(async () => {
      server.behaviour.job = 'completed'
      await printServer({ port })
      wait(1)
    })
    await Promise.all([reached(sent, 'printed'), reached(waiting, 'printed')])
    expect([server.jobs.length, servers.at(-1)!.jobs.length]).toEqual([1, 1])
  })

  test('says why the printer does not go on, and ends as the printer says', async () => {
    const server = await printServer()
    const printerId = await networkPrinter(server.address)
    server.behaviour.job = 'stopped'
    server.behaviour.reasons = ['media-empty-error']
    const { id: visitId } = await desk.visit()
    const id = await print(printerId, visitId)
    await until('the reason', async () => (await jobOf(id)).reason === 'mediaEmpty')
    server.behaviour.job = 'aborted'
    expect(await reached(id, 'failed')).toMatchObject({ reason: 'aborted' })
  })

  test('is cancelled while it waits, and at the printer once that has it', async () => {
    const server = await printServer()
    const printerId = await networkPrinter(server.address)
    server.behaviour.job = 'processing'
    const { id: visitId } = await desk.visit()
    const sent = await print(printerId, visitId)
    await reached(sent, 'printing')
    await site.call(printerCalls.cancel, { body: { id: sent } })
    await until('the printer to know', () => server.jobs[0]!.state === 7)
    expect(await jobOf(sent)).toMatchObject({ state: 'cancelled', can: { retry: true, cancel: false } })
    server.behaviour.busy = true
    const waiting = await print(printerId, visitId)
    await site.call(printerCalls.cancel, { body: { id: waiting } })
    expect(await jobOf(waiting)).toMatchObject({ state: 'cancelled' })
    expect((await site.ask(printerCalls.cancel, { body: { id: waiting } })).status).toBe(409)
    expect(server.jobs).toHaveLength(1)
  })

  test.each(['html', 'garbage', 'foreignRequest', 'redirect', 'endless'] as const)(
    'is tried again after a wrong answer: %s',
    async (wrong) => {
      const server = await printServer()
      server.behaviour.wrong = wrong
      const printerId = await networkPrinter(server.address)
      const { id } = await site.call(printerCalls.test, { body: { printerId } })
      await until('the first attempt', async () => (await jobOf(id)).reason === 'wrongAnswer')
      server.behaviour.wrong = 'none'
      wait(1)
      expect(await reached(id, 'printed')).toMatchObject({ visitId: null, visitName: '' })
      expect(linesOfPdf(server.jobs[0]!.document)).toEqual(expect.arrayContaining(['Test page', server.address, site.park.name]))
    },
  )

  test.each([
    ['noPdf', { formats: ['image/urf'] }],
    ['refused', { wrong: 'unauthorised' }],
  ] as const)('fails at once where another attempt would not help: %s', async (reason, behaviour) => {
    const server = await printServer()
    Object.assign(server.behaviour, behaviour)
    const { id } = await site.call(printerCalls.test, { body: { printerId: await networkPrinter(server.address) } })
    expect(await reached(id, 'failed')).toMatchObject({ reason, attempts: 1 })
  })
})

test('who may print may not set printers up, and the other way round; a foreign park has neither', async () => {
  const server = await printServer()
  const printerId = await networkPrinter(server.address)
  const { id: visitId } = await desk.visit()
  const id = await print(printerId, visitId)
  const guard = await world.session({ park: site.park, permissions: ['visitor.report'] })
  const administrator = await world.session({ park: site.park, permissions: ['system.base'] })
  const address = 'ipp://printer.example.org/ipp'
  expect((await guard.ask(printerCalls.create, { body: { name: 'Mine', kind: 'ipp', address } })).status).toBe(403)
  expect((await guard.ask(printerCalls.status, { query: { id: printerId } })).status).toBe(403)
  expect((await administrator.ask(printerCalls.print, { body: { printerId, visitId } })).status).toBe(403)
  expect((await administrator.ask(printerCalls.jobs, { query: {} })).status).toBe(403)

  const elsewhere = await world.addPark()
  expect((await elsewhere.ask(printerCalls.print, { body: { printerId, visitId } })).status).toBe(404)
  expect((await elsewhere.ask(printerCalls.cancel, { body: { id } })).status).toBe(404)
  expect((await elsewhere.ask(printerCalls.file, { query: { id } })).status).toBe(404)
  const own = await networkPrinter(server.address, 'badge', elsewhere)
  expect((await elsewhere.ask(printerCalls.print, { body: { printerId: own, visitId } })).code).toBe(200401)
})

const whySkipped = cupsMissing === null ? '' : ` (skipped: ${cupsMissing})`
describe.skipIf(cupsMissing !== null)(`CUPS${whySkipped}`, () => {
  test('prints badges, and is asked for its state', async () => {
    const printer = await startCups()
    onTestFinished(() => printer.stop())
    const printerId = await networkPrinter(printer.address)
    expect(await site.call(printerCalls.status, { query: { id: printerId } })).toMatchObject({ state: 'ready' })
    for (const name of ['李龍飛', '王小明']) {
      const { id: visitId } = await desk.visit({ name })
      await reached(await print(printerId, visitId), 'printed')
    }
    expect(printer.printed().map(linesOfPdf)).toEqual([expect.arrayContaining(['李龍飛']), expect.arrayContaining(['王小明'])])
  })
})
