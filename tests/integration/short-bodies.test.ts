/** Bodies that are shorter than announced: every call refuses them or closes the connection, and stores nothing of them. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PERMISSION_CODES, addressOf, type Call } from '@gatehouse/contract'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { ALL_CALLS, credentialsFor, named } from '../support/all-calls.ts'
import { changedTables, contentsOf } from '../support/contents.ts'
import { drawnFace, createFixtures, type Fixtures } from '../support/fixtures.ts'
import { formBytes, manualSeconds, openRequest, type OpenRequest } from '../support/open-requests.ts'
import { requestFor } from '../support/requests.ts'
import { linkTokenFor, nameOf } from '../support/cases/all.ts'
import { until } from '../support/until.ts'

/** Tables that requests themselves write to, and what is counted, or printed, in the background. */
const LOGS = ['operation_log', 'read_log', 'outbox', 'outbox_head', 'event_consumer']
const TRACES = [...LOGS, 'passage_pending', 'passage_hour', 'passage_group_hour', 'passage_group_day', 'print_job']
const WITH_BODY = ALL_CALLS.filter(({ method }) => method !== 'GET')

const seconds = manualSeconds()
let world: World
let things: Fixtures
let administrator: Client
let linkTokens: Map<string, string>
let before: Map<string, string>
beforeAll(async () => {
  world = await startWorld({ ticks: seconds.ticks, jobsAsleep: true })
  things = await createFixtures(world, world, { face: false, report: false })
  const { id: organisationId } = world.server.contexts.organisation.service.root()
  // None of its calls gets as far as to change anything, so one session is enough for all.
  administrator = await world.session({ permissions: PERMISSION_CODES, roleSign: 'admin', organisationId })
  linkTokens = new Map()
  for (const call of WITH_BODY.filter((one) => one.linkToken === true))
    linkTokens.set(nameOf(call), await linkTokenFor(call, { world, site: world }))
  await world.settled()
  before = await contentsOf(world, TRACES)
}, 120_000)
afterAll(() => world?.stop())

/** Return a body the call accepts, as it is sent. */
async function bodyOf(call: Call): Promise<{ type: string; bytes: Buffer }> {
  if (call.consumes === 'multipart') return formBytes(await drawnFace())
  const { body } = requestFor(call)
  if (call.consumes === 'form')
    return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(new URLSearchParams(body as Record<string, string>).toString()) }
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify(body ?? { x: 1 })) }
}

/** Send a request with half of its body. */
async function half(call: Call): Promise<OpenRequest> {
  const { type, bytes } = await bodyOf(call)
  const { params } = requestFor(call)
  const request = await openRequest(world.url, {
    method: call.method,
    address: addressOf(call, params as Record<string, string>),
    credentials: credentialsFor(call, things, administrator),
    ...(call.linkToken === true && { linkToken: linkTokens.get(nameOf(call))! }),
    type,
    length: bytes.length,
  })
  await request.send(bytes.subarray(0, Math.ceil(bytes.length / 2)))
  return request
}

/** Upload a photo of a user, the picture of a terminal's record, and an import. */
async function expectUploadsToWork(): Promise<void> {
  const terminal = createClient(world.url, { basic: [things.device.code, things.device.secret] })
  const { id } = await world.call(importCalls.create, { body: { groupId: things.group.id } })
  const file = await drawnFace()
  const answers = await Promise.all([
    world.ask(faceCalls.cache, { body: {}, file }),
    terminal.ask(deviceProtocolCalls.picture, { params: { id: things.recordId }, file }),
    world.ask(importCalls.addPhotos, { params: { id }, file }),
  ])
  expect(answers.map(({ status, code }) => [status, code])).toEqual([
    [200, 0],
    [200, 0],
    [200, 0],
  ])
  await world.call(importCalls.delete, { params: { id } })
}

const refused = (status: number | null): boolean => status === null || (status >= 400 && status < 500)

test.each(named(WITH_BODY))('%s does not go on when its body ends early', async (_, call) => {
  const request = await half(call)
  request.end()
  await request.closed()
  expect(refused(request.status()), `status ${request.status()}`).toBe(true)
})

test('nothing was changed by them', async () => {
  await world.settled()
  expect(changedTables(before, await contentsOf(world, TRACES))).toEqual([])
})

test('every call gives a body up that does not go on, keeps nothing of it, and other uploads work meanwhile', async () => {
  const requests = await Promise.all(WITH_BODY.map(async (call) => [call, await half(call)] as const))
  await expectUploadsToWork()
  await world.settled()
  const meanwhile = await contentsOf(world, TRACES)
  await seconds.pass(11)
  // A request that was read a moment later has more seconds left.
  await until('an answer to each', async () => {
    await seconds.pass(1)
    return requests.every(([, request]) => request.status() !== null || request.isClosed())
  })
  expect(
    requests.flatMap(([call, request]) => (request.status() === 408 ? [] : [`${call.method} ${call.url} ${request.status()}`])),
  ).toEqual([])
  await Promise.all(requests.map(([, request]) => request.closed()))
  await until('the files to be gone', () => readdirSync(join(world.dataDir, 'received')).length === 0)
  await world.settled()
  expect(changedTables(meanwhile, await contentsOf(world, TRACES))).toEqual([])
  await expectUploadsToWork()
})
