/**
 * A visitor machine whose network is cut while fifty visitors come and most of them go, and which loses its power in between: the desk goes
 * on meanwhile. At the end the server knows of everybody, nobody twice, and the desk is shown what did not fit.
 */
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { visitorSignInSource, visitorSource, visitorStatus, visitReason } from '@gatehouse/contract/enums/visitors'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import { machineConflictCalls } from '@gatehouse/contract/visitors/machine-conflicts'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { startTerminal, type Terminal } from '@gatehouse/terminal'
import { query } from '../support/embedded-postgres.ts'
import { startCutNetwork } from '../support/cut-network.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { until } from '../support/until.ts'

const VISITORS = 50
/** Of the visitors: who stays, and of them whom the desk cancels, or signs in, during the cut. */
const STAYING = 10
const CANCELLED = [0, 1, 2]
const SIGNED_IN_AT_DESK = [3, 4]
const HOUR = 3_600_000
/** Where the terminal reaches the server: an address at which nothing but proxies listens. */
const MACHINE_HOST = '127.0.0.8'

let world: World
afterAll(() => world?.stop())

type Purpose = 'signIn' | 'signOff'

/** Do at the machine what a visitor with a code does; return the last step, or why it was refused. */
async function actAt(terminal: Terminal, text: string, purpose: Purpose): Promise<string> {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${terminal.url}visitor-machine/${path}`, { method: 'POST', body: JSON.stringify(body) })
    return (await response.json()) as { step: string; reason?: string; purpose?: Purpose; session?: string }
  }
  const found = await post('code', { text, purpose })
  return found.step === 'confirm' && found.purpose === purpose
    ? (await post('confirm', { session: found.session })).step
    : (found.reason ?? found.step)
}

test('fifty visitors at a machine without a network: none is lost, none is there twice, and the desk sees the conflicts', async () => {
  world = await startWorld()
  const device = await world.device({ name: 'Machine at the gate' })
  const rule = await world.strategy({ kind: 'visitor', devices: [device], methods: [accessMethod.qrCode] })
  await world.call(visitorConfigurationCalls.change, {
    body: { approvalSwitch: false, openSignOff: true, qrOneUse: false, visitorMachines: [device.id] },
  })
  const visitors: { id: string; name: string; text: string }[] = []
  for (let index = 0; index < VISITORS; index++) {
    const now = world.clock.now()
    const body = {
      source: visitorSource.invitation,
      name: `Visitor ${index}`,
      phone: `1391${String(index).padStart(7, '0')}`,
      reason: visitReason.business,
      visitTime: now,
      visitEndTime: now + HOUR,
      accessGroupIds: [rule.id],
      passMethods: [accessMethod.qrCode],
    }
    const { id } = await world.call(visitorCalls.create, { body })
    const { pass } = await world.call(visitorCalls.pass, { query: { id } })
    visitors.push({ id, name: body.name, text: pass!.text })
  }

  const network = await startCutNetwork(world, MACHINE_HOST)
  onTestFinished(network.stop)
  const dataDir = scratchFolder()
  const start = () =>
    startTerminal({
      server: network.url,
      code: device.code,
      secret: device.secret,
      dataDir,
      port: 0,
      visitsEvery: 200,
      retry: { first: 100, limit: 1_000 },
    })
  let terminal = await start()
  onTestFinished(() => terminal.stop())
  // Of those whom the machine keeps it knows that they have not come.
  const isKept = async (text: string) => (await actAt(terminal, text, 'signOff')) === 'notSignedIn'
  for (const { name, text } of visitors) await until(`the machine to keep ${name}`, () => isKept(text))

  network.cut()
  await until('the machine to be cut off', () => terminal.state().link.kind !== 'online')
  for (const [index, { text }] of visitors.entries()) {
    if (index === VISITORS / 2) {
      await terminal.stop()
      terminal = await start()
    }
    expect(await actAt(terminal, text, 'signIn')).toBe('done')
  }
  const leaving = visitors.slice(STAYING)
  for (const { text } of leaving) expect(await actAt(terminal, text, 'signOff')).toBe('done')

  const read = (id: string) => world.call(visitorCalls.read, { query: { id } })
  const visitsOf = (places: readonly number[]) => places.map((place) => ({ id: visitors[place]!.id, status: visitorStatus.notYetVisited }))
  await world.call(visitorCalls.revoke, { body: { visits: visitsOf(CANCELLED) } })
  for (const visit of visitsOf(SIGNED_IN_AT_DESK)) await world.call(visitorCalls.signIn, { body: { visit } })
  expect((await read(leaving[0]!.id)).status).toBe(visitorStatus.notYetVisited)
  const back = world.clock.now()
  network.restore()
  // The server is gone once more as soon as the first event has arrived.
  const events = () => query<{ id: string; kind: string }>(world.connectionString, 'select event_id as id, kind from visit_machine_event')
  await until('the first event', async () => (await events()).length > 0)
  await world.interrupted(async () => {})
  await until('all events', async () => (await events()).length === VISITORS + leaving.length)

  expect(new Set((await events()).map(({ id }) => id)).size).toBe(VISITORS + leaving.length)
  for (const [place, { id }] of visitors.entries()) {
    const { status, signInSource, entryTime } = await read(id)
    const isCancelled = CANCELLED.includes(place)
    const stays = isCancelled ? visitorStatus.cancelled : visitorStatus.checkedIn
    expect(status, `visitor ${place}`).toBe(place < STAYING ? stays : visitorStatus.signedOff)
    if (isCancelled) continue
    const byDesk = SIGNED_IN_AT_DESK.includes(place)
    expect(signInSource).toBe(byDesk ? visitorSignInSource.web : visitorSignInSource.visitorMachine)
    if (!byDesk) expect(entryTime).toBeLessThan(back)
  }
  const { content } = await world.call(machineConflictCalls.list, { query: {} })
  expect(content.map(({ visitorName, reason, deviceName }) => ({ visitorName, reason, deviceName }))).toEqual(
    expect.arrayContaining(CANCELLED.map((place) => ({ visitorName: `Visitor ${place}`, reason: 'status', deviceName: device.name }))),
  )
  expect(content).toHaveLength(CANCELLED.length)
})
