/** No value in the fields of a body causes a fault of the server (5xx). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { walkBody } from '../support/bad-input/requests.ts'
import { ALL_CALLS, named } from '../support/all-calls.ts'
import { startBadInputWalk, type BadInputWalk } from '../support/bad-input/walk.ts'

const CALLS = ALL_CALLS.filter(({ method, body }) => method !== 'GET' && body !== undefined)

let walk: BadInputWalk
beforeAll(async () => {
  walk = await startBadInputWalk()
})
afterAll(() => walk?.world.stop())

test.each(named(CALLS))('%s takes no wrong field for a fault of its own', async (_, call) => {
  expect(await walk.faultsOf(call, walkBody)).toEqual([])
})

test('no call is left out', () => {
  const { calls, tried, sent } = walk.counts
  console.log(`${calls} bodies walked, ${tried} requests held against the schemas, ${sent} let through and sent`)
  expect(calls).toBe(CALLS.length)
})
