/** Visitor machines: what they keep of visits, and what they say of visitors who signed in and off at them. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { MACHINE_VISITS_PER_PAGE, visitorMachineCalls, type MachineVisit } from '@gatehouse/contract/device/visitor-machine'
import { readPass } from '@gatehouse/contract/device/visitor-pass'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { visitorSignInSource, visitorStatus } from '@gatehouse/contract/enums/visitors'
import { printerCalls } from '@gatehouse/contract/printers/calls'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import { machineConflictCalls } from '@gatehouse/contract/visitors/machine-conflicts'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { until } from '../../../../../tests/support/until.ts'
import { wireClient } from '../../../../../tests/support/wire-device.ts'
import { createReception, newPhone, type Reception } from './testing/reception.ts'
import { machineOf, type VisitorMachine } from './testing/visitor-machine.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const { notYetVisited, checkedIn, signedOff, expired, cancelled, awaitingVerification } = visitorStatus

let world: World
/** Milliseconds by which the clock of the server is ahead. */
let ahead = 0
/** Do something so much later; sessions have ended by then, devices have not. */
async function later<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  ahead += milliseconds
  return work().finally(() => (ahead -= milliseconds))
}
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + ahead } })
})
afterAll(() => world?.stop())

/** A park with a visitor machine. @param skew of its clock */
async function park(configuration: Parameters<Reception['configure']>[0] = {}, skew = 0) {
  const reception = await createReception(world)
  const device = await reception.site.device({ name: 'Kiosk' })
  await reception.configure({ approvalSwitch: false, visitorMachines: [device.id], ...configuration })
  const expected = async (change: Parameters<Reception['visit']>[0] = {}) =>
    (await reception.reservation({ cardNumber: null, ...change })).id
  const conflicts = () => reception.site.call(machineConflictCalls.list, { query: {} })
  const setStatus = (call: 'accept' | 'revoke', id: string, status: 0 | 1 | 2 | 5) =>
    reception.site.call(visitorCalls[call], { body: { visits: [{ id, status }] } })
  return { ...reception, device, expected, conflicts, setStatus, ...machineOf(world, device, skew) }
}

/** Match a time that a clock comparison over the network leaves uncertain: half a minute and more is another time. */
const near = (time: number): number => expect.closeTo(time, -5) as number
const pairsOf = (visits: readonly MachineVisit[]) => visits.map(({ id, version }) => [id, version] as const)
const runJob = (job: string) => world.server.contexts.visitors.jobs!.find(({ name }) => name === job)!.run()
const runEnding = () => runJob('visitors.endVisits')

describe('what a machine keeps', () => {
  test('is the accepted and present visits of the park that are not over, the soonest first; what changed, and what is gone', async () => {
    const { site, take, expected, visit, host } = await park()
    const now = world.clock.now()
    const last = await expected({ visitTime: now + 2 * HOUR, visitEndTime: now + 3 * HOUR, name: 'Later' })
    const soon = await expected({ visitTime: now + HOUR, visitEndTime: now + 2 * HOUR, name: 'Soon' })
    const present = (await visit({ name: 'Present' })).id
    const first = await take()
    expect(first).toMatchObject({ gone: [], more: false })
    expect(first.visits.map(({ id }) => id)).toEqual([present, soon, last])
    expect(first.visits[1]).toMatchObject({
      name: 'Soon',
      status: notYetVisited,
      hostName: host.name,
      template: null,
      visitTime: now + HOUR,
    })
    const known = pairsOf(first.visits)
    expect(await take(known)).toEqual({ visits: [], gone: [], more: false })

    await site.call(visitorCalls.change, { body: { id: soon, name: 'Sooner' } })
    await site.call(visitorCalls.revoke, { body: { visits: [{ id: last, status: notYetVisited }] } })
    const second = await take([...known, ['never-there', 1]])
    expect(second.visits.map(({ name }) => name)).toEqual(['Sooner'])
    expect(second.gone.toSorted()).toEqual([last, 'never-there'].toSorted())
    // A blocked visitor is not signed in anywhere.
    await site.call(visitorCalls.block, { body: { ids: [soon], status: 0 } })
    expect((await take(pairsOf([...first.visits, ...second.visits]))).gone).toContain(soon)
    // With another model the templates are others.
    expect((await take([[present, first.visits[0]!.version]], 'another')).visits.map(({ id }) => id)).toEqual([present])
  })

  test('has the photo of the appointment as a template of the requested model, whether the visitor may pass by face or not', async () => {
    const { take, expected, photo, configure } = await park()
    const { modelId } = world.server.contexts.faces.service
    const facePhoto = await photo(await world.photographs.people[0]!.photo(1))
    const byFace = await expected({ facePhoto, faceConsent: true })
    await configure({ needAuthorisation: false })
    const met = await expected({ facePhoto, faceConsent: true })
    const { visits } = await take([], modelId)
    const templateOf = (id: string) => visits.find((one) => one.id === id)!.template
    expect(Buffer.from(templateOf(byFace)!, 'base64').length % 4).toBe(0)
    expect(templateOf(met)!.length).toBe(templateOf(byFace)!.length)
    expect((await take([], 'unknown')).visits.map(({ template }) => template)).toEqual([null, null])
  })

  test('has the pass that was issued last, also once it was used, and is another one when that is renewed', async () => {
    const { site, take, expected, door } = await park({ qrOneUse: true })
    const rule = await site.strategy({ kind: 'visitor', devices: [door], methods: [accessMethod.qrCode] })
    const id = await expected({ accessGroupIds: [rule.id], passMethods: [accessMethod.qrCode] })
    const first = await take()
    const passId = async () => readPass((await site.call(visitorCalls.pass, { query: { id } })).pass!.text)!.pass.id
    expect(first.visits).toMatchObject([{ id, passId: await passId() }])
    await site.call(visitorCalls.renewPass, { body: { id } })
    const second = await take(pairsOf(first.visits))
    expect(second.visits).toMatchObject([{ id, passId: await passId() }])
    expect(second.visits[0]!.passId).not.toBe(first.visits[0]!.passId)
  })

  test('comes in pages', async () => {
    const { take, expected } = await park({ needAuthorisation: false })
    const count = MACHINE_VISITS_PER_PAGE + 1
    for (let made = 0; made < count; made += 20)
      await Promise.all(Array.from({ length: Math.min(20, count - made) }, () => expected({ accessGroupIds: [], passMethods: [] })))
    const first = await take()
    expect([first.visits.length, first.more]).toEqual([MACHINE_VISITS_PER_PAGE, true])
    const second = await take(pairsOf(first.visits))
    expect([second.visits.length, second.more]).toEqual([1, false])
  })

  test('is asked for and told by machines of the park alone; to all other devices there are no such calls', async () => {
    const { door, expected, configure, device, send, event, take } = await park()
    const visitId = await expected()
    const other = machineOf(world, door)
    const abroad = await park()
    const refused = async (machine: VisitorMachine) => [
      (await machine.client.ask(visitorMachineCalls.visits, { body: { modelId: '', known: [] } })).status,
      (await machine.client.ask(visitorMachineCalls.events, { body: { sentAt: machine.now(), events: [machine.event(visitId)] } })).status,
    ]
    expect(await refused(other)).toEqual([404, 404])
    expect((await abroad.take()).visits).toEqual([])
    // A machine of another park learns nothing of the visit, not even that there is one.
    const [result] = await abroad.send(abroad.event(visitId))
    expect(result).toMatchObject({ outcome: 'conflict', status: null })
    expect((await abroad.conflicts()).content).toMatchObject([{ reason: 'deleted', visitId: null, visitorName: '' }])
    expect((await send(event('no-visit')))[0]).toMatchObject({ outcome: 'conflict', status: null })
    expect((await take()).visits[0]).toMatchObject({ id: visitId, status: notYetVisited })
    await configure({ visitorMachines: [] })
    expect(await refused(machineOf(world, device))).toEqual([404, 404])
  })
})

describe('what the device is sent', () => {
  test('are the settings of a visitor machine while the configuration names it, within a change of it', async () => {
    const { client, configure, door } = await park({ companyName: 'Acme' })
    const settingsOf = async (of: typeof client) => (await of.call(deviceProtocolCalls.manifest, {})).settings.visitorMachine
    await world.settled()
    expect(await settingsOf(client)).toMatchObject({ companyName: 'Acme', openSignOff: true, printsBadge: false, signInLeadMinutes: 30 })
    expect(await settingsOf(wireClient(world.url, door))).toBeUndefined()
    await configure({ visitorMachinesPrint: true, certificateRequired: true })
    await world.settled()
    expect(await settingsOf(client)).toMatchObject({ printsBadge: true, certificateRequired: true })
    await configure({ visitorMachines: [] })
    await world.settled()
    expect(await settingsOf(client)).toBeUndefined()
  })

  test('a device that is not there cannot be made a machine', async () => {
    const { site } = await park()
    const refused = await site.ask(visitorConfigurationCalls.change, { body: { visitorMachines: [randomUUID()] } })
    expect(refused.status).toBe(400)
  })
})

describe('what happened at a machine', () => {
  test('signs in and off once, however often and in how many calls it is told', async () => {
    const { send, event, expected, read, conflicts, site, scope, device } = await park()
    const id = await expected()
    const arrival = event(id)
    const [one, other] = await Promise.all([send(arrival), send(arrival)])
    expect([one, other]).toEqual([
      [{ id: arrival.id, outcome: 'stored', status: checkedIn }],
      [{ id: arrival.id, outcome: 'stored', status: checkedIn }],
    ])
    const visit = await read(id)
    expect(visit).toMatchObject({ status: checkedIn, signInSource: visitorSignInSource.visitorMachine })
    const leaving = event(id, 'signedOff')
    expect(await send(arrival, leaving, leaving)).toMatchObject([{ outcome: 'stored' }, { status: signedOff }, { status: signedOff }])
    expect(await read(id)).toMatchObject({ status: signedOff, entryTime: visit.entryTime, version: visit.version + 1 })
    expect((await conflicts()).total).toBe(0)
    const { db } = world.server.platform
    const stored = await db.selectFrom('visitMachineEvent').select(['eventId', 'deviceId']).where('parkId', '=', scope.parkId).execute()
    expect(stored.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1))).toEqual(
      [arrival, leaving].map(({ id: eventId }) => ({ eventId, deviceId: device.id })).toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1)),
    )
    // The operation log names the machine.
    const { content } = await site.call(auditCalls.operations, { query: {} })
    expect(content.filter(({ operator }) => operator === 'Kiosk')).toHaveLength(2)
  })

  test('counts by the time at which it happened, whatever the clock of the machine says', async () => {
    const { send, event, expected, read, now } = await park({}, -7 * HOUR)
    const id = await expected()
    const before = world.clock.now()
    await send(event(id, 'signedIn', { occurredAt: now() - 2 * MINUTE }))
    expect(Math.abs((await read(id)).entryTime! - (before - 2 * MINUTE))).toBeLessThan(MINUTE)
    // A clock that was set back between the two says nothing of the future.
    const other = await expected()
    await send(event(other, 'signedIn', { occurredAt: now() + HOUR }))
    expect((await read(other)).entryTime!).toBeLessThanOrEqual(world.clock.now())
  })

  test('fifty visitors during a cut are signed in once each, two machines and the desk at the same time', async () => {
    const { send, event, expected, read, site, device, configure, visit, conflicts } = await park({ needAuthorisation: false })
    const second = await site.device({ name: 'Second kiosk' })
    await configure({ visitorMachines: [device.id, second.id] })
    const other = machineOf(world, second)
    const ids = await Promise.all(Array.from({ length: 50 }, () => expected({ accessGroupIds: [], passMethods: [] })))
    const events = ids.map((id) => event(id))
    const atDesk = ids.slice(0, 10)
    const [mine, theirs] = await Promise.all([
      send(...events),
      other.send(...ids.slice(20, 30).map((id) => other.event(id))),
      ...atDesk.map((id) => site.ask(visitorCalls.signIn, { body: { visit: { id, status: notYetVisited } } })),
    ])
    expect([...mine, ...theirs].filter(({ outcome }) => outcome !== 'stored')).toEqual([])
    expect(await send(...events)).toEqual(mine)
    const after50 = await Promise.all(ids.map(read))
    expect(after50.every(({ status }) => status === checkedIn)).toBe(true)
    expect((await conflicts()).total).toBe(0)
    expect((await visit({ accessGroupIds: [], passMethods: [] })).status).toBe(checkedIn)
  })

  test('a certificate that was shown at once passes both statuses; without it the visitor waits for the desk', async () => {
    const { send, event, expected, read, conflicts } = await park({ certificateRequired: true })
    const [shown, missing] = [await expected(), await expected()]
    const certificateInfo = { type: 'idCard' as const, number: '110101199003070011' }
    expect(await send(event(shown, 'signedIn', { certificateInfo }), event(missing))).toMatchObject([
      { outcome: 'stored', status: checkedIn },
      { outcome: 'stored', status: awaitingVerification },
    ])
    expect((await read(shown)).certificateInfo).toMatchObject({ number: certificateInfo.number })
    const verified = event(missing, 'signedIn', { status: awaitingVerification, certificateInfo })
    expect(await send(event(missing, 'signedIn', { status: awaitingVerification }), verified)).toMatchObject([
      { outcome: 'conflict', status: awaitingVerification },
      { outcome: 'stored', status: checkedIn },
    ])
    expect((await conflicts()).content.map(({ reason }) => reason)).toEqual(['certificate'])
  })

  test('a visit that expired before the machine reached the server is taken as it was, and ends like any other', async () => {
    const { send, event, expected, read, now, conflicts } = await park()
    const [stays, leaves, late] = [await expected(), await expected(), await expected()]
    const at = now()
    const times = { occurredAt: at + MINUTE }
    const events = [
      event(stays, 'signedIn', times),
      event(leaves, 'signedIn', times),
      event(leaves, 'signedOff', { occurredAt: at + 2 * MINUTE }),
      event(late, 'signedIn', { occurredAt: at + 3 * DAY }),
    ]
    await later(4 * DAY, runEnding)
    expect((await read(stays)).status).toBe(expired)
    expect(await later(4 * DAY, () => send(...events))).toMatchObject([
      { outcome: 'stored', status: checkedIn },
      { outcome: 'stored', status: checkedIn },
      { outcome: 'stored', status: signedOff },
      { outcome: 'conflict', status: expired },
    ])
    expect(await read(leaves)).toMatchObject({
      status: signedOff,
      entryTime: near(at + MINUTE),
      signOffTime: near(at + 2 * MINUTE),
      permissionStatus: 2,
    })
    expect((await read(stays)).permissionStatus).toBe(2)
    await later(4 * DAY, runEnding)
    expect(await read(stays)).toMatchObject({ status: signedOff, entryTime: near(at + MINUTE) })
    expect((await conflicts()).content).toMatchObject([{ visitId: late, reason: 'over', status: expired }])
    expect(await send(...events)).toMatchObject([
      { outcome: 'stored' },
      { outcome: 'stored' },
      { outcome: 'stored' },
      { outcome: 'conflict' },
    ])
    expect((await read(stays)).status).toBe(signedOff)
  })

  test('what the visit does not allow is a conflict with its reason, stored once, shown until somebody has seen to it', async () => {
    const { send, event, expected, visit, site, now, conflicts, setStatus, device, read, configure } = await park()
    const [revoked, blocked, card, early, cardless] = [
      await expected(),
      await expected(),
      await visit(),
      await expected(),
      await expected(),
    ]
    const tomorrow = await expected({ visitTime: now() + DAY, visitEndTime: now() + DAY + HOUR })
    await setStatus('revoke', revoked, notYetVisited)
    await site.call(visitorCalls.block, { body: { ids: [blocked], status: 0 } })
    const phone = newPhone()
    const twice = [await expected({ phone }), await expected({ phone })] as const
    const events = [
      event(revoked),
      event(blocked),
      event(randomUUID()),
      event(tomorrow),
      event(card.id, 'signedOff'),
      event(early, 'signedOff', { status: notYetVisited }),
      event(twice[0]),
      event(twice[1]),
    ]
    const results = await send(...events)
    expect(results.map(({ outcome, status }) => [outcome, status])).toEqual([
      ['conflict', cancelled],
      ['conflict', notYetVisited],
      ['conflict', null],
      ['conflict', notYetVisited],
      ['conflict', checkedIn],
      ['conflict', notYetVisited],
      ['stored', checkedIn],
      ['conflict', notYetVisited],
    ])
    await configure({ forcedCardIssue: true })
    await send(event(cardless))
    expect(await send(...events)).toEqual(results)
    const { content, total } = await conflicts()
    expect(total).toBe(8)
    expect(content.map(({ reason }) => reason).toSorted()).toEqual(
      ['blocked', 'card', 'card', 'deleted', 'present', 'status', 'status', 'tooEarly'].toSorted(),
    )
    expect(content.find(({ visitId }) => visitId === revoked)).toMatchObject({
      visitorName: 'Grace Hopper',
      deviceId: device.id,
      deviceName: 'Kiosk',
      kind: 'signedIn',
      reason: 'status',
      status: cancelled,
    })
    expect((await read(card.id)).status).toBe(checkedIn)

    const viewer = await world.session({ permissions: ['visitor.report'], park: site.park })
    const ids = content.map(({ id }) => id)
    expect((await viewer.ask(machineConflictCalls.settle, { body: { ids } })).status).toBe(403)
    expect((await site.ask(machineConflictCalls.settle, { body: { ids: [...ids, randomUUID()] } })).status).toBe(404)
    expect(await site.call(machineConflictCalls.settle, { body: { ids: ids.slice(0, 2) } })).toEqual({ settled: 2 })
    expect(await site.call(machineConflictCalls.settle, { body: { ids } })).toEqual({ settled: 6 })
    expect((await conflicts()).total).toBe(0)
    expect(await send(...events)).toEqual(results)
  })

  test('at a visit that is over already is stored without a second change', async () => {
    const { send, event, expected, read, now, site, conflicts } = await park()
    const id = await expected()
    const at = now()
    await site.call(visitorCalls.signIn, { body: { visit: { id, status: notYetVisited } } })
    await site.call(visitorCalls.signOff, { body: { visits: [{ id, status: checkedIn }] } })
    const { version } = await read(id)
    const same = await send(event(id, 'signedIn', { occurredAt: at }), event(id, 'signedOff'))
    expect(same).toMatchObject([
      { outcome: 'stored', status: signedOff },
      { outcome: 'stored', status: signedOff },
    ])
    expect((await read(id)).version).toBe(version)
    // Who comes once more after that is no longer expected.
    const again = () => send(event(id))
    expect(await later(MINUTE, again)).toMatchObject([{ outcome: 'conflict', status: signedOff }])
    expect((await conflicts()).total).toBe(1)
  })

  test('goes with the visit: a conflict of a deleted visit is over, what is left of it names nobody and is forgotten', async () => {
    const { send, event, expected, setStatus, conflicts, site, scope } = await park()
    const id = await expected()
    await setStatus('revoke', id, notYetVisited)
    const arrival = event(id)
    await send(arrival)
    expect((await conflicts()).total).toBe(1)
    await site.call(visitorCalls.delete, { query: { ids: [id] } })
    expect((await conflicts()).total).toBe(0)
    expect(await send(arrival)).toMatchObject([{ outcome: 'conflict', status: cancelled }])
    const rows = () => world.server.platform.db.selectFrom('visitMachineEvent').selectAll().where('parkId', '=', scope.parkId).execute()
    expect(await rows()).toMatchObject([{ eventId: arrival.id, visitId: null }])
    await later(31 * DAY, () => runJob('visitors.forgetMachineEvents'))
    expect(await rows()).toEqual([])
  })
})

test('the badge of who signs in is printed once on the network printer of a park that wants it, unless that was long ago', async () => {
  const { send, event, expected, site, now } = await park({ visitorMachinesPrint: true })
  await site.call(printerCalls.create, { body: { name: 'Dialog', kind: 'browser' } })
  await site.call(printerCalls.create, { body: { name: 'Labels', kind: 'ipp', address: 'ipp://127.0.0.1:9/ipp/print' } })
  const [here, before] = [await expected(), await expected({ visitTime: now() - HOUR })]
  const arrival = event(here)
  await send(event(before, 'signedIn', { occurredAt: now() - 10 * MINUTE }), arrival)
  await send(arrival)
  const jobs = async () => (await site.call(printerCalls.jobs, { query: {} })).content
  await until('the badge', async () => (await jobs()).length > 0)
  await world.settled()
  expect(await jobs()).toMatchObject([{ visitId: here, printerName: 'Labels', requestedBy: 'Kiosk' }])
})
