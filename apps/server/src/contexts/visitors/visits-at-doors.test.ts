/** Visits from the reservation to the sign-off, at a real terminal. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessMethod, passDirection } from '@gatehouse/contract/enums'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { questionCalls } from '@gatehouse/contract/questions/calls'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { until } from '../../../../../tests/support/until.ts'
import { createReception } from './testing/reception.ts'

let world: World
let guest: { file: Buffer; door: Buffer }
let companion: { file: Buffer; door: Buffer }
beforeAll(async () => {
  world = await startWorld()
  const [one, two] = world.photographs.people
  guest = { file: await one!.photo(1), door: await one!.photo(2) }
  companion = { file: await two!.photo(1), door: await two!.photo(2) }
})
afterAll(() => world?.stop())

test('a visitor passes once accepted, has arrived by passing, and passes no more once signed off [BEH-170, BEH-173]', async () => {
  const { site, door, host, photo, reservation, read } = await createReception(world)
  const terminal = await world.terminal(door)
  const { id, status } = await reservation({ facePhoto: await photo(guest.file) })
  expect(status).toBe(visitorStatus.pendingReview)
  await world.settled()
  expect(await terminal.show(guest.door)).toMatchObject({ verdict: 'rejected', personId: null })

  await site.call(visitorCalls.accept, { body: { visits: [{ id, status: visitorStatus.pendingReview }] } })
  const accepted = await read(id)
  expect(accepted).toMatchObject({
    status: visitorStatus.notYetVisited,
    permissionStatus: 1,
    auditStatus: 'passed',
    visiteeName: host.name,
  })
  await world.settled()
  expect(await terminal.show(guest.door)).toMatchObject({ verdict: 'allowed', personId: accepted.personId })
  const arrived = await until('the arrival', async () => {
    const now = await read(id)
    return now.status === visitorStatus.checkedIn ? now : null
  })
  expect(arrived.entryTime).toBeGreaterThan(arrived.appointmentTime)
  const record = await until(
    'the record',
    async () => (await site.call(recordCalls.find, { body: { personId: accepted.personId! } })).content[0],
  )
  expect(record.personName).toBe('Grace Hopper')

  await site.call(visitorCalls.signOff, {
    body: { visits: [{ id, status: visitorStatus.checkedIn }], cardReturned: true },
  })
  await world.settled()
  expect(await terminal.show(guest.door)).toMatchObject({ verdict: 'rejected', personId: null })
  expect(await read(id)).toMatchObject({ status: visitorStatus.signedOff, permissionStatus: 2, personId: null, forced: false })
  // The calls on persons have never known the visitor.
  expect((await site.call(peopleCalls.list, { query: { page: 1, size: 20 } })).content.map(({ name }) => name)).toEqual([host.name])
})

test('companions with a photo pass with their visitor, and no longer than they do', async () => {
  const { site, door, photo, visit, read } = await createReception(world)
  const terminal = await world.terminal(door)
  const peers = [
    { name: 'Jean Bartik', phone: '13700000001', facePhoto: await photo(companion.file) },
    { name: 'Kay McNulty', phone: '13700000002' },
  ]
  const { id } = await visit({ facePhoto: await photo(guest.file), peers })
  expect(await read(id)).toMatchObject({ visitorNumber: 3, peerCount: 2 })
  await world.settled()
  expect(await terminal.show(companion.door)).toMatchObject({ verdict: 'allowed' })
  await site.call(visitorCalls.signOff, { body: { visits: [{ id, status: visitorStatus.checkedIn }], forced: true } })
  await world.settled()
  for (const face of [guest.door, companion.door]) expect(await terminal.show(face)).toMatchObject({ verdict: 'rejected', personId: null })
  expect(await read(id)).toMatchObject({ forced: true })
})

test('who can pass, and where, is answered with the methods that the visit gives, of those of the access rule', async () => {
  const { site, door, rule, visit, read } = await createReception(world)
  const codes = await site.strategy({ kind: 'visitor', devices: [door], methods: [accessMethod.card, accessMethod.qrCode] })
  const one = await read((await visit({ passMethods: [accessMethod.card] })).id)
  const accessGroupIds = [codes.id]
  const other = await read((await visit({ name: 'Jean Bartik', accessGroupIds, passMethods: [accessMethod.qrCode] })).id)
  const who = await site.call(questionCalls.whoCanPass, { body: { deviceIds: [door.id] } })
  expect(who.content.toSorted((a, b) => a.name.localeCompare(b.name))).toMatchObject([
    { id: one.personId, ways: [{ strategy: { id: rule.id }, methods: [accessMethod.card] }] },
    { id: other.personId, ways: [{ strategy: { id: codes.id }, methods: [accessMethod.qrCode] }] },
  ])
  const where = async (personIds: string[]) => (await site.call(questionCalls.whereCanPass, { body: { personIds } })).content
  expect(await where([other.personId!])).toMatchObject([{ id: door.id, personCount: 1, ways: [{ methods: [accessMethod.qrCode] }] }])
  expect(await where([one.personId!, other.personId!])).toMatchObject([{ personCount: 2, ways: [{ count: 1 }, { count: 1 }] }])
})

test('a passage at a chosen device signs off; where nobody signs off, a passage outwards ends the visit [BEH-175]', async () => {
  const { site, rule, photo, visit, read, configure } = await createReception(world)
  const out = await site.device({ name: 'Exit', direction: passDirection.out })
  const leaving = await site.strategy({ kind: 'visitor', devices: [out] })
  const terminal = await world.terminal(out)
  const facePhoto = await photo(guest.file)
  const accessGroupIds = [rule.id, leaving.id]
  const first = await visit({ facePhoto, accessGroupIds })
  await world.settled()
  // Visitors are signed off by hand here: going out for a moment ends nothing.
  expect(await terminal.show(guest.door)).toMatchObject({ verdict: 'allowed' })
  await world.settled()
  expect(await read(first.id)).toMatchObject({ status: visitorStatus.checkedIn })

  await configure({ autoSignOffAtDevices: [out.id] })
  expect(await terminal.show(guest.door)).toMatchObject({ verdict: 'allowed' })
  await until('the sign-off', async () => (await read(first.id)).status === visitorStatus.signedOff)

  await configure({ autoSignOffAtDevices: [], openSignOff: false })
  const second = await visit({ facePhoto, accessGroupIds })
  await world.settled()
  expect(await terminal.show(guest.door)).toMatchObject({ verdict: 'allowed' })
  await until('the visitor to have left', async () => (await read(second.id)).status === visitorStatus.left)
  await world.settled()
  expect(await terminal.show(guest.door)).toMatchObject({ verdict: 'rejected', personId: null })
})
