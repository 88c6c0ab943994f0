/** No value in path and query causes a fault of the server (5xx). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { walkAddress } from '../support/bad-input/requests.ts'
import { ALL_CALLS, named } from '../support/all-calls.ts'
import { startBadInputWalk, type BadInputWalk } from '../support/bad-input/walk.ts'

const CALLS = ALL_CALLS.filter(({ params, query }) => params !== undefined || query !== undefined)

let walk: BadInputWalk
beforeAll(async () => {
  walk = await startBadInputWalk()
})
afterAll(() => walk?.world.stop())

test.each(named(CALLS))('%s takes no wrong parameter for a fault of its own', async (_, call) => {
  expect(await walk.faultsOf(call, walkAddress)).toEqual([])
})

test('no call is left out', () => {
  const { calls, tried, sent } = walk.counts
  console.log(`${calls} addresses walked, ${tried} requests held against the schemas, ${sent} let through and sent`)
  expect(calls).toBe(CALLS.length)
})
