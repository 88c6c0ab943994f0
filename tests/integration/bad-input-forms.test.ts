/** Malformed requests, which no schema sees, and uploads of all kinds cause no fault of the server (5xx), and no growth of its memory. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '@gatehouse/contract'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import {
  JSON_TYPE,
  badAddressForms,
  badBodyForms,
  badHeaders,
  badUploads,
  kindOfRoute,
  type BadRequest,
} from '../support/bad-input/requests.ts'
import { sendAll } from '../support/bad-input/send.ts'
import { ALL_CALLS, named } from '../support/all-calls.ts'
import { startBadInputWalk, type BadInputWalk } from '../support/bad-input/walk.ts'
import { drawnFace } from '../support/fixtures.ts'
import type { Given } from '../support/requests.ts'

const MEBIBYTE = 1_048_576

let walk: BadInputWalk
beforeAll(async () => {
  walk = await startBadInputWalk()
})
afterAll(() => walk?.world.stop())

type Forms = (call: Call, given: Given) => Iterable<BadRequest>

async function expectNoFault(call: Call, forms: Forms, mayBeKnown = true): Promise<void> {
  const { world, things, given } = await walk.groundOf(call)
  const { admitted, faults } = await sendAll(world, call, things, forms(call, given))
  expect(faults).toEqual([])
  if (mayBeKnown) expect(admitted).toBeGreaterThan(0)
}

/** One call for each kind of route: what is evaluated before a call's own schemas is the same for all of a kind. */
const KINDS = [...Map.groupBy(ALL_CALLS, kindOfRoute)].map(([kind, [call]]): [string, Call] => [kind, call!])

describe('a route', () => {
  test.each(KINDS.filter(([, { method }]) => method !== 'GET'))('%s takes no bad body for a fault of its own', (_, call) =>
    expectNoFault(call, badBodyForms),
  )
  test.each(KINDS)('%s takes no bad address for a fault of its own', (_, call) => expectNoFault(call, badAddressForms))
  test.each(KINDS)('%s takes no bad header for a fault of its own', (_, call) => expectNoFault(call, badHeaders, false))

  test('of every call is of a kind that was tried', () => {
    console.log(`${ALL_CALLS.length} calls on ${KINDS.length} kinds of route`)
    const tried = new Set(KINDS.map(([kind]) => kind))
    expect(ALL_CALLS.filter((call) => !tried.has(kindOfRoute(call)))).toEqual([])
  })
})

describe('memory', () => {
  /** Return the maximum growth of this process, including server and face engine, during some work, in MiB. */
  async function peakGrowth(work: () => Promise<unknown>): Promise<number> {
    const before = process.memoryUsage.rss()
    let peak = before
    const look = () => (peak = Math.max(peak, process.memoryUsage.rss()))
    const timer = setInterval(look, 20)
    await work()
    clearInterval(timer)
    look()
    return Math.round((peak - before) / MEBIBYTE)
  }

  test.each(named(ALL_CALLS.filter(({ consumes }) => consumes === 'multipart')))(
    '%s refuses every bad upload within bounds',
    { tags: 'extended' },
    async (name, call) => {
      const face = await drawnFace()
      // Run once before the measurement for what is loaded at first use and stays.
      const once = () => expectNoFault(call, (one, given) => badUploads(one, given, face))
      await once()
      const growth = await peakGrowth(once)
      console.log(`${name}: ${growth} MiB at most`)
      // One decoded picture of 144 megapixels would take 412.
      expect(growth).toBeLessThan(300)
    },
  )

  test('bodies that are too large do not pile up', async () => {
    const call = peopleCalls.create
    const huge = JSON.stringify({ name: 'x'.repeat(4 * MEBIBYTE) })
    const requests = Array.from({ length: 100 }, (_, index): BadRequest => ({
      why: `body ${index}`,
      address: call.url,
      body: huge,
      headers: JSON_TYPE,
    }))
    const growth = await peakGrowth(() => expectNoFault(call, () => requests))
    console.log(`100 bodies of 4 MiB: ${growth} MiB at most`)
    expect(growth).toBeLessThan(300)
  })
})
