/** Every transition of a visit, through the calls, doors and jobs that make it (AMBIGUITIES 6). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { passDirection } from '@gatehouse/contract/enums'
import { visitorSource, visitorStatus as status } from '@gatehouse/contract/enums/visitors'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { statusAfter, VISIT_TRANSITIONS, type VisitorStatus } from '@gatehouse/contract/visitors/transitions'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { clockAhead, type ClockAhead } from '../../../../../tests/support/clock-ahead.ts'
import { refusalOf } from '../../../../../tests/support/refusal.ts'
import { passAt } from './testing/passage.ts'
import { createReception, type Reception } from './testing/reception.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const CERTIFICATE = { type: 'passport', number: 'X1234567' } as const

let world: World
let time: ClockAhead
let reception: Reception
beforeAll(async () => {
  time = clockAhead()
  world = await startWorld({ clock: time.clock, jobsAsleep: true })
  reception = await createReception(world)
})
afterAll(() => world?.stop())

const call = () => reception.site.call
const named = (id: string, is: VisitorStatus) => ({ visits: [{ id, status: is }] })
const statusOf = async (id: string): Promise<number> => (await reception.read(id)).status
const personOf = async (id: string): Promise<string | null> => (await reception.read(id)).personId

/** Run the job that ends visits so much later. */
const ended = (after: number) =>
  time.after(after, () => world.server.contexts.visitors.jobs!.find(({ name }) => name === 'visitors.endVisits')!.run())

const accept = (id: string, from: VisitorStatus) => call()(visitorCalls.accept, { body: named(id, from) })
const signOff = (id: string, from: VisitorStatus = status.checkedIn) =>
  call()(visitorCalls.signOff, { body: { ...named(id, from), cardReturned: true } })

/** The configuration that each test begins with. */
const USUAL = {
  approvalSwitch: true,
  hostConfirms: false,
  certificateRequired: false,
  openSignOff: true,
  expiredAutoSignOffTime: 'nextDay' as const,
  autoSignOffAtDevices: [],
}

/** Make a visit in a status, each time another one. */
async function visitIn(wanted: VisitorStatus): Promise<string> {
  if (wanted === status.pendingReview) {
    await reception.configure(USUAL)
    return (await reception.reservation()).id
  }
  if (wanted === status.toConfirm) {
    await reception.configure({ ...USUAL, approvalSwitch: false, hostConfirms: true })
    return (await reception.reservation()).id
  }
  if (wanted === status.notYetVisited || wanted === status.awaitingVerification) {
    await reception.configure({ ...USUAL, certificateRequired: wanted === status.awaitingVerification })
    const { id } = await reception.visit({ source: visitorSource.invitation })
    if (wanted === status.awaitingVerification) await call()(visitorCalls.signIn, { body: { visit: { id, status: status.notYetVisited } } })
    return id
  }
  await reception.configure(USUAL)
  return (await reception.visit()).id
}

/** Each transition: how it comes about, and what comes of it. */
const MADE: Record<string, () => Promise<string>> = {
  'VST-01': () => visitIn(status.pendingReview),
  'VST-02': () => visitIn(status.toConfirm),
  async 'VST-03'() {
    await reception.configure({ ...USUAL, approvalSwitch: false })
    return (await reception.reservation()).id
  },
  'VST-04': () => visitIn(status.notYetVisited),
  'VST-05': () => visitIn(status.checkedIn),
  async 'VST-06'() {
    const id = await visitIn(status.pendingReview)
    await accept(id, status.pendingReview)
    return id
  },
  async 'VST-07'() {
    const id = await visitIn(status.pendingReview)
    await call()(visitorCalls.refuse, { body: { ...named(id, status.pendingReview), rejectReason: 'Nobody is here' } })
    return id
  },
  async 'VST-08'() {
    const id = await visitIn(status.pendingReview)
    await call()(visitorCalls.revoke, { body: named(id, status.pendingReview) })
    return id
  },
  async 'VST-09'() {
    const id = await visitIn(status.toConfirm)
    await accept(id, status.toConfirm)
    return id
  },
  async 'VST-10'() {
    const id = await visitIn(status.toConfirm)
    await call()(visitorCalls.refuse, { body: { ...named(id, status.toConfirm), rejectReason: 'Nobody is here' } })
    return id
  },
  async 'VST-11'() {
    const id = await visitIn(status.toConfirm)
    await call()(visitorCalls.revoke, { body: named(id, status.toConfirm) })
    return id
  },
  async 'VST-12'() {
    const id = await visitIn(status.pendingReview)
    await ended(2 * HOUR)
    return id
  },
  async 'VST-13'() {
    const id = await visitIn(status.toConfirm)
    await ended(2 * HOUR)
    return id
  },
  async 'VST-14'() {
    const id = await visitIn(status.notYetVisited)
    await ended(2 * DAY)
    return id
  },
  async 'VST-15'() {
    const id = await visitIn(status.notYetVisited)
    await call()(visitorCalls.revoke, { body: named(id, status.notYetVisited) })
    return id
  },
  'VST-16': () => visitIn(status.awaitingVerification),
  async 'VST-17'() {
    const id = await visitIn(status.awaitingVerification)
    await call()(visitorCalls.signIn, { body: { visit: { id, status: status.awaitingVerification }, certificateInfo: CERTIFICATE } })
    return id
  },
  async 'VST-18'() {
    const id = await visitIn(status.awaitingVerification)
    await ended(2 * DAY)
    return id
  },
  async 'VST-19'() {
    const id = await visitIn(status.notYetVisited)
    await call()(visitorCalls.signIn, { body: { visit: { id, status: status.notYetVisited } } })
    return id
  },
  async 'VST-20'() {
    const id = await visitIn(status.checkedIn)
    await signOff(id)
    return id
  },
  async 'VST-21'() {
    const id = await visitIn(status.checkedIn)
    await ended(2 * DAY)
    return id
  },
  async 'VST-22'() {
    const id = await visitIn(status.checkedIn)
    await reception.configure({ autoSignOffAtDevices: [reception.door.id] })
    await passes(id, passDirection.in)
    return id
  },
  async 'VST-23'() {
    const id = await visitIn(status.checkedIn)
    await reception.configure({ openSignOff: false })
    await passes(id, passDirection.out)
    return id
  },
  async 'VST-24'() {
    const id = await visitIn(status.checkedIn)
    await reception.configure({ expiredAutoSignOffTime: '' })
    await ended(2 * DAY)
    return id
  },
  async 'VST-25'() {
    const id = await visitIn(status.notYetVisited)
    await passes(id, passDirection.in)
    return id
  },
  async 'VST-26'() {
    const id = await visitIn(status.awaitingVerification)
    await call()(visitorCalls.revoke, { body: named(id, status.awaitingVerification) })
    return id
  },
}

const passes = async (id: string, direction: number): Promise<void> =>
  passAt(world, reception.site.park.id, { deviceId: reception.door.id, personId: (await personOf(id))!, direction })

describe('the transitions of a visit', () => {
  test('each has a test', () => expect(Object.keys(MADE).toSorted()).toEqual(VISIT_TRANSITIONS.map(({ id }) => id).toSorted()))

  test.each(VISIT_TRANSITIONS.map((transition) => [transition.id, transition] as const))('%s', async (id, { to }) => {
    const visitId = await MADE[id]!()
    const visit = await reception.read(visitId)
    expect(visit.status).toBe(to)
    // The visitor may pass exactly from the acceptance, or the check of the certificate, until the visit is over.
    const may = to === status.checkedIn || to === status.notYetVisited
    expect(visit.personId !== null).toBe(may)
    expect((visit.permissionStatus === 1) === may).toBe(true)
    if (to === status.signedOff) expect(visit.signOffTime).not.toBeNull()
    if (to === status.checkedIn) expect(visit.entryTime).not.toBeNull()
  })

  test(
    'they are those of the specification [' +
      'STATE:visitor:*>5, STATE:visitor:*>0, STATE:visitor:*>1, STATE:visitor:*>2, STATE:visitor:5>1, STATE:visitor:5>6, ' +
      'STATE:visitor:5>7, STATE:visitor:0>1, STATE:visitor:0>6, STATE:visitor:0>7, STATE:visitor:5>4, STATE:visitor:0>4, ' +
      'STATE:visitor:1>4, STATE:visitor:1>7, STATE:visitor:1>9, STATE:visitor:9>2, STATE:visitor:9>4, STATE:visitor:1>2, ' +
      'STATE:visitor:2>3, STATE:visitor:2>8, STATE:visitor:2>4, ' +
      'STATE:visitorAudit:pending>passed, STATE:visitorAudit:pending>rejected, BEH-172]',
    () => {
      const made = new Set(VISIT_TRANSITIONS.map(({ from, to }) => `${from ?? '*'}>${to}`))
      const specified = '*>5 *>0 *>1 *>2 5>1 5>6 5>7 0>1 0>6 0>7 5>4 0>4 1>4 1>7 1>9 9>2 9>4 1>2 2>3 2>8 2>4'.split(' ')
      expect(specified.filter((pair) => !made.has(pair))).toEqual([])
      // Two are ours: see the table.
      expect([...made].filter((pair) => !specified.includes(pair))).toEqual(['9>7'])
    },
  )

  test('what the table does not have is refused with 200420, a second sign-off with 200424 [VAL-096]', async () => {
    const every = Object.values(status.values)
    const attempts = {
      accepted: (id: string, is: VisitorStatus) => accept(id, is),
      refused: (id: string, is: VisitorStatus) => call()(visitorCalls.refuse, { body: { ...named(id, is), rejectReason: 'No' } }),
      revoked: (id: string, is: VisitorStatus) => call()(visitorCalls.revoke, { body: named(id, is) }),
      signedIn: (id: string, is: VisitorStatus) => call()(visitorCalls.signIn, { body: { visit: { id, status: is } } }),
      signedOff: (id: string, is: VisitorStatus) => signOff(id, is),
    }
    const byStatus = new Map<VisitorStatus, string>()
    // Those first in which a job ends visits: it ends every visit whose time is over.
    for (const { id, to } of VISIT_TRANSITIONS.toSorted((one, other) => Number(other.on === 'ended') - Number(one.on === 'ended')))
      if (!byStatus.has(to)) byStatus.set(to, await MADE[id]!())
    await reception.configure(USUAL)
    expect([...byStatus.keys()].toSorted()).toEqual(every.toSorted())
    const circumstances = { approvalSwitch: true, hostConfirms: false, certificateRequired: false, openSignOff: true, autoSignOff: true }
    let refused = 0
    for (const [is, id] of byStatus)
      for (const [on, attempt] of Object.entries(attempts)) {
        const isVerification = on === 'signedIn' && is === status.awaitingVerification
        if (isVerification || statusAfter(is, on as keyof typeof attempts, circumstances) !== null) continue
        const expected = on === 'signedOff' && is === status.signedOff ? 200424 : 200420
        expect((await refusalOf(attempt(id, is))).code, `${on} in ${is}`).toBe(expected)
        expect(await statusOf(id)).toBe(is)
        refused++
      }
    expect(refused).toBeGreaterThan(35)
  })

  test('a visit whose status was read before another change is refused with 200420 [VAL-097]', async () => {
    const id = await visitIn(status.pendingReview)
    await accept(id, status.pendingReview)
    expect((await refusalOf(accept(id, status.pendingReview))).code).toBe(200420)
    const [first, second] = await Promise.allSettled([signIn(id), call()(visitorCalls.revoke, { body: named(id, status.notYetVisited) })])
    expect([first.status, second.status].toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

const signIn = (id: string) => call()(visitorCalls.signIn, { body: { visit: { id, status: status.notYetVisited } } })
