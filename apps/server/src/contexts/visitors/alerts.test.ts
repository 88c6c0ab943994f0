/** Alerts of visits on live screens: who is sent which, and when. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { visitAlertType } from '@gatehouse/contract/enums/alarms'
import { visitorSignInSource, visitorSource, visitorStatus } from '@gatehouse/contract/enums/visitors'
import { topics } from '@gatehouse/contract/realtime'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import type { Client } from '@gatehouse/dev-env/client'
import { listen } from '@gatehouse/dev-env/live'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { createReception, type Reception } from './testing/reception.ts'

type AlertTopic = typeof topics.visitorCheckAlert | typeof topics.visitorArriveAlert

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

/** Listen until the end of the test. @param as who listens; by default a user who may do all in that park */
async function listening({ site }: Pick<Reception, 'site'>, topic: AlertTopic, as?: Client) {
  const live =
    as === undefined
      ? await site.listen(topic)
      : await listen({ url: as.url, bearer: (as.credentials as { bearer: string }).bearer, areaCode: site.park.areaCode }, topic)
  onTestFinished(() => live.stop())
  return live
}
const accept = ({ site }: Reception, id: string) =>
  site.call(visitorCalls.accept, { body: { visits: [{ id, status: visitorStatus.pendingReview }] } })
const signIn = ({ site }: Reception, id: string) =>
  site.call(visitorCalls.signIn, { body: { visit: { id, status: visitorStatus.notYetVisited } } })

test('a reservation that waits is a check; one that waits for nobody is none [BEH-111, BEH-122, BEH-123]', async () => {
  const reception = await createReception(world)
  const { host, photo, reservation, configure } = reception
  const [checks, arrivals] = [await listening(reception, topics.visitorCheckAlert), await listening(reception, topics.visitorArriveAlert)]
  const visitTime = world.clock.now() + 60_000
  const facePhoto = await photo(await world.photographs.people[0]!.photo(1))
  const first = await reservation({ facePhoto, visitTime, remark: 'Brings a compiler' })
  const row = await checks.row('the check', ({ id }) => id === first.id)
  expect(row).toEqual({
    id: first.id,
    bubbleType: 'visit',
    type: visitAlertType.check,
    visitorName: 'Grace Hopper',
    visiteeName: host.name,
    visitTime,
    content: 'business',
    remark: 'Brings a compiler',
    faceUrl: expect.stringMatching(/^\//),
    visitUrl: '/visitorCurrent?status=5',
    passType: null,
  })
  expect((await fetch(new URL(row.faceUrl, world.url))).status).toBe(200)

  await configure({ approvalSwitch: false, hostConfirms: true })
  const second = await reservation()
  expect(second.status).toBe(visitorStatus.toConfirm)
  expect(await checks.row('the second', ({ id }) => id === second.id)).toMatchObject({ type: visitAlertType.check, faceUrl: '' })

  await configure({ hostConfirms: false })
  await reservation()
  await reception.visit({ source: visitorSource.invitation })
  await world.settled()
  expect(checks.rows.map(({ id }) => id)).toEqual([first.id, second.id])
  expect(arrivals.rows).toEqual([])
})

test('a sign-in at the desk is an arrival, once, also where the certificate is checked afterwards [BEH-111, BEH-122]', async () => {
  const reception = await createReception(world)
  const { site, read, reservation, visit, configure } = reception
  const arrivals = await listening(reception, topics.visitorArriveAlert)
  const reserved = await reservation()
  await accept(reception, reserved.id)
  await signIn(reception, reserved.id)
  const { entryTime } = await read(reserved.id)
  expect(await arrivals.row('the arrival', ({ id }) => id === reserved.id)).toMatchObject({
    type: visitAlertType.arrival,
    visitTime: entryTime,
    visitUrl: `/visitorCurrent?visit=${reserved.id}`,
    passType: visitorSignInSource.web,
  })

  const atDesk = await visit()
  await arrivals.row('the visitor without a reservation', ({ id }) => id === atDesk.id)

  await configure({ certificateRequired: true })
  const invited = await visit({ source: visitorSource.invitation })
  expect(await signIn(reception, invited.id)).toMatchObject({ status: visitorStatus.awaitingVerification })
  await arrivals.row('the visitor whose certificate is to be checked', ({ id }) => id === invited.id)
  await site.call(visitorCalls.signIn, {
    body: {
      visit: { id: invited.id, status: visitorStatus.awaitingVerification },
      certificateInfo: { type: 'idCard', number: 'X1234567' },
    },
  })
  await site.call(visitorCalls.signOff, { body: { visits: [{ id: invited.id, status: visitorStatus.checkedIn }], forced: true } })
  await world.settled()
  expect(arrivals.rows.map(({ id }) => id)).toEqual([reserved.id, atDesk.id, invited.id])
})

test('the first door a visitor passes is an arrival; further doors are none [BEH-111, BEH-122]', async () => {
  const reception = await createReception(world)
  const { door, photo, reservation } = reception
  const person = world.photographs.people[0]!
  const arrivals = await listening(reception, topics.visitorArriveAlert)
  const terminal = await world.terminal(door)
  onTestFinished(() => terminal.stop())
  const { id } = await reservation({ facePhoto: await photo(await person.photo(1)) })
  await accept(reception, id)
  await world.settled()
  for (let times = 0; times < 2; times++) {
    expect(await terminal.show(await person.photo(2))).toMatchObject({ verdict: 'allowed' })
    await world.settled()
  }
  expect(await arrivals.row('the arrival', () => true)).toMatchObject({ id, type: visitAlertType.arrival, passType: null })
  expect(arrivals.rows).toHaveLength(1)
})

test('without the permission, and from another park, nobody listens; each park hears of its own visits [BEH-126]', async () => {
  const [here, there] = [await createReception(world), await createReception(world)]
  const [without, foreign] = await Promise.all([
    world.session({ park: here.site.park, permissions: ['person.list', 'device.list', 'access.record'] }),
    world.session({ park: there.site.park, permissions: ['visitor.report'] }),
  ])
  for (const topic of [topics.visitorCheckAlert, topics.visitorArriveAlert])
    for (const client of [without, foreign]) await expect(listening(here, topic, client)).rejects.toThrow('100510')

  const own = await listening(there, topics.visitorCheckAlert, foreign)
  await here.reservation()
  const mine = await there.reservation()
  await own.row('the own one', ({ id }) => id === mine.id)
  expect(own.rows.map(({ id }) => id)).toEqual([mine.id])
})

test('names in alerts are masked for users who see them masked, and for no others', async () => {
  const reception = await createReception(world)
  const { site, host, reservation } = reception
  const [masking, plain] = await Promise.all(
    [true, false].map((masks) => world.session({ park: site.park, permissions: ['visitor.report'], masking: masks })),
  )
  const [masked, full] = [
    await listening(reception, topics.visitorCheckAlert, masking),
    await listening(reception, topics.visitorCheckAlert, plain),
  ]
  const { id } = await reservation()
  const names = async (live: typeof full) => {
    const { visitorName, visiteeName } = await live.row('the check', (row) => row.id === id)
    return [visitorName, visiteeName]
  }
  expect(await names(full)).toEqual(['Grace Hopper', host.name])
  for (const name of await names(masked)) {
    expect(name).toContain('*')
    expect(['Grace Hopper', host.name]).not.toContain(name)
  }
})
