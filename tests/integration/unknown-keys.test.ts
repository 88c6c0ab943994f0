/** No call ignores an unknown key of a body: the key is named in the refusal, and nothing is done. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '@gatehouse/contract'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { ALL_CALLS, credentialsFor, named, sessionFor } from '../support/all-calls.ts'
import { drawnFace, createFixtures, type Fixtures } from '../support/fixtures.ts'
import { requestFor } from '../support/requests.ts'
import { givenFor } from '../support/cases/all.ts'

/** Messages of devices and the token call accept unknown keys: later versions send more, and RFC 6749 requires it. */
const isOpen = ({ service, consumes }: Call): boolean => service === 'device' || consumes === 'form'
const CALLS = ALL_CALLS.filter((call) => call.method !== 'GET' && !isOpen(call))

let world: World
let things: Fixtures
/** One session for all calls that require the same permissions. */
const sessions = new Map<string, Promise<Client>>()
function clientFor(call: Call): Promise<Client> {
  const options = sessionFor(world, call)
  const key = JSON.stringify(options)
  const known = sessions.get(key) ?? world.session(options)
  sessions.set(key, known)
  return known
}
beforeAll(async () => {
  world = await startWorld()
  things = await createFixtures(world, world, { face: false })
})
afterAll(() => world.stop())

test.each(named(CALLS))('%s names a key it does not know', async (_, call) => {
  const given = await givenFor(call, things, world)
  const { params, query, body } = requestFor(call, given)
  const client = createClient(world.url, credentialsFor(call, things, await clientFor(call)))
  const { status, data } = await client.ask(
    { ...call, body: call.body ?? {} } as Call,
    {
      params,
      query,
      body: { ...(body as object | undefined), unheardOf: true },
      ...(call.consumes === 'multipart' && { file: await drawnFace() }),
      ...(call.linkToken === true && { linkToken: given['linkToken'] }),
    } as never,
  )
  expect({ status, fields: (data as { fields?: object[] } | undefined)?.fields }).toEqual({
    status: 400,
    fields: [{ path: 'unheardOf', rule: 'unknownField', params: { keys: 'unheardOf' } }],
  })
})

test('calls that stay open are those of devices and the token call', () => {
  const open = ALL_CALLS.filter((call) => call.method !== 'GET' && call.service !== 'device' && isOpen(call))
  expect(open.map(({ path }) => path)).toEqual(['/auth/token'])
  expect(CALLS.length).toBeGreaterThan(150)
})
