/**
 * Two hundred visitors are accepted, and signed off at the desk or by leaving through one of twenty doors, while the server is killed three
 * times: at the end every terminal holds those who are still there, and nobody who left.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { accessMethod, passDirection } from '@gatehouse/contract/enums'
import { visitorSource, visitorStatus, visitReason } from '@gatehouse/contract/enums/visitors'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import { passRuleCalls } from '@gatehouse/contract/visitors/pass-rules'
import { createClient, logIn } from '@gatehouse/dev-env/client'
import { Catalogue } from '@gatehouse/dev-env/simulator/catalogue'
import { startSimulatedDevice, type SimulatedDevice } from '@gatehouse/dev-env/simulator/simulated-device'
import { createSite, type MadeDevice, type Site } from '@gatehouse/dev-env/site'
import { startPostgresCluster } from '../support/postgres-cluster.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ADMIN, startServerProcess } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const DOORS = 20
const VISITORS = 200
/** Visitors who stay. */
const STAYING = 40
/** Visits that change at the same time. */
const AT_ONCE = 6
const HOUR = 3_600_000
/** The server is killed when this share of the visitors was accepted, and of those who leave was signed off. */
const KILLED_AT = { accepting: [0.5], leaving: [0.3, 0.7] }

interface Visitor {
  visitId: string
  personId: string
}

/** Do work on each item, some at once; `reached` is told how many are done. */
async function each<Item>(items: readonly Item[], work: (item: Item, index: number) => Promise<void>, reached: (done: number) => void) {
  const queue = items.entries()
  let done = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, item] of queue) {
        await work(item, index)
        reached(++done)
      }
    }),
  )
}

test('no terminal holds anyone who left, although the server was killed three times', async () => {
  const folder = scratchFolder()
  mkdirSync(join(folder, 'logs'), { recursive: true })
  const database = await startPostgresCluster(join(folder, 'database'))
  onTestFinished(() => database.kill())
  const { connectionString } = database
  const server = await startServerProcess({ connectionString, dataDir: join(folder, 'server'), log: join(folder, 'logs', 'server.log') })
  onTestFinished(() => server.kill())
  const { access_token: bearer } = await logIn(createClient(server.url), ADMIN)
  let number = 0
  const site = createSite({ url: server.url, bearer, park: { areaCode: '' } as never, next: () => ++number })

  const made: MadeDevice[] = []
  for (let index = 0; index < DOORS; index++)
    made.push(await site.device({ direction: index % 2 === 0 ? passDirection.in : passDirection.out }))
  const exits = made.filter((_, index) => index % 2 === 1)
  await receive(site, made, exits)
  const doors = await Promise.all(made.map((device) => simulated(server.url, device)))
  onTestFinished(async () => void (await Promise.all(doors.map((door) => door.stop()))))

  let kills = 0
  let killing: Promise<void> = Promise.resolve()
  const killAt = (total: number, shares: readonly number[]) => (done: number) => {
    if (!shares.some((share) => done === Math.round(total * share))) return
    kills++
    killing = killing.then(async () => {
      await server.kill()
      await server.start()
    })
  }
  const statusOf = async (id: string) => (await site.call(visitorCalls.read, { query: { id } })).status
  /** Repeat a change until the visit says that it has happened, as a user does whose answer was lost. */
  const bring = (id: string, status: number, act: () => Promise<unknown>) =>
    until(`visit ${id} to be ${status}`, async () => (await statusOf(id)) === status || (await act(), false))

  const visitors: Visitor[] = []
  await each(
    Array.from({ length: VISITORS }, (_, index) => 70_000 + index),
    async (cardNumber) => {
      const id = await reserve(site, cardNumber)
      await bring(id, visitorStatus.notYetVisited, () =>
        site.call(visitorCalls.accept, { body: { visits: [{ id, status: visitorStatus.pendingReview }] } }),
      )
      const { personId } = await until('the visit', () => site.call(visitorCalls.read, { query: { id } }))
      visitors.push({ visitId: id, personId: personId! })
    },
    killAt(VISITORS, KILLED_AT.accepting),
  )
  await killing
  const known = (door: SimulatedDevice) => new Set([...door.store.disk.holdings.versions()].map(([id]) => id))
  await until('every terminal to know everybody', () => doors.every((door) => visitors.every(({ personId }) => known(door).has(personId))))

  const leaving = visitors.slice(STAYING)
  await each(
    leaving,
    async ({ visitId, personId }, index) => {
      await bring(visitId, visitorStatus.checkedIn, () =>
        site.call(visitorCalls.signIn, { body: { visit: { id: visitId, status: visitorStatus.notYetVisited } } }),
      )
      // Every other one leaves by an exit, which signs them off whether or not the server is there at that moment.
      const exit = doors[made.indexOf(exits[index % exits.length]!)]!
      if (index % 2 === 0) expect(await exit.pass({ personId, score: 99, moment: exit.clock.now() })).not.toBeNull()
      await bring(visitId, visitorStatus.signedOff, async () => {
        if (index % 2 === 0) return
        await site.call(visitorCalls.signOff, {
          body: { visits: [{ id: visitId, status: visitorStatus.checkedIn }], cardReturned: true },
        })
      })
    },
    killAt(leaving.length, KILLED_AT.leaving),
  )
  await killing
  expect(kills).toBe(KILLED_AT.accepting.length + KILLED_AT.leaving.length)

  const there = visitors.slice(0, STAYING).map(({ personId }) => personId)
  await until('every terminal to hold those who are there alone', () =>
    doors.every((door) => known(door).size === there.length && there.every((id) => known(door).has(id))),
  )
})

/** Let visitors pass all doors by face or card, and be signed off by leaving through an exit. */
async function receive(site: Site, doors: readonly MadeDevice[], exits: readonly MadeDevice[]): Promise<void> {
  const rule = await site.strategy({ kind: 'visitor', devices: doors })
  await site.call(passRuleCalls.create, {
    body: { name: 'All visitors', accessGroupIds: [rule.id], passMethods: [accessMethod.face, accessMethod.card] },
  })
  await site.call(visitorConfigurationCalls.change, {
    body: { approvalSwitch: true, openSignOff: true, autoSignOffAtDevices: exits.map(({ id }) => id) },
  })
}

/** Reserve a visit of today; return its id. A lost answer makes a second attempt, of which the first is found. */
async function reserve(site: Site, cardNumber: number): Promise<string> {
  const name = `Visitor ${cardNumber}`
  return until('the reservation', async () => {
    const found = (await site.call(visitorCalls.list, { query: { keyword: name } })).content[0]
    if (found !== undefined) return found.id
    const now = Date.now()
    const body = {
      source: visitorSource.reservation,
      name,
      phone: `1390${String(cardNumber).padStart(7, '0')}`,
      cardNumber: String(cardNumber),
      reason: visitReason.business,
      visitTime: now,
      visitEndTime: now + HOUR,
    }
    return (await site.call(visitorCalls.create, { body })).id
  })
}

const simulated = (server: string, { code, secret }: MadeDevice): Promise<SimulatedDevice> =>
  startSimulatedDevice({
    server,
    code,
    secret,
    modelId: 'none',
    store: { catalogue: new Catalogue() },
    retry: { first: 100, limit: 1_000 },
    resendAfter: 500,
  })
