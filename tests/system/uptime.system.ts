/**
 * Checks that memory does not grow with the time a server is up: a real one under logins, lists, writes and live connections, measured
 * repeatedly.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { addressOf, type Call } from '@gatehouse/contract'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { customerCalls } from '@gatehouse/contract/people/customers'
import { REALTIME_ENDPOINT, topics } from '@gatehouse/contract/realtime'
import { createClient, logIn, type Client } from '@gatehouse/dev-env/client'
import { createSite, type Site } from '@gatehouse/dev-env/site'
import { scratchDatabase } from '@gatehouse/server/platform/postgres/scratch'
import { killProgram, startProgram, type Program } from '../support/program.ts'
import { ADMIN } from '../support/server-process.ts'
import { depth } from './depth.ts'

const WARM_UP_ROUNDS = depth({ usual: 3, soak: 5 })
const ROUNDS = depth({ usual: 5, soak: 8 })
/** Maximum number of further rounds while the last ones still show growth: on a busy machine the server warms up later. */
const FURTHER_ROUNDS = depth({ usual: 8, soak: 0 })
/** Requests of a round that only read, and the numbers of its other actions. */
const READS = 1_200
const LOGINS = 12
const FAILED_LOGINS = 8
const WRITES = 25
const CONNECTIONS = 40
/** Bytes by which retained memory may grow from one round to the next: a tenth of a kilobyte for each action. */
const GROWTH_MAX = 150_000

let database: Awaited<ReturnType<typeof scratchDatabase>>
let program: Program<{ port: number; mqttPort: number }>
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-uptime-'))
const agent = new Agent({ keepAlive: true, maxSockets: 8 })

beforeAll(async () => {
  database = await scratchDatabase()
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    MQTT_PORT: '0',
    DATA_DIR: join(folder, 'data'),
    ADMIN_PASSWORD: ADMIN.password,
    LOG_LEVEL: 'error',
    SEED: 'none',
    MODEL_DIR: '',
    CAPTCHA: 'off',
  }
  program = await startProgram('measured-server', { args: [database.connectionString], env, log: join(folder, 'server.log'), ipc: true })
})
afterAll(async () => {
  agent.destroy()
  if (program !== undefined) await killProgram(program.child)
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

interface Memory {
  /** Heap and external buffers, in bytes, after garbage collection. */
  usedBytes: number
  rss: number
}
async function measured(): Promise<Memory> {
  program.child.send('measure')
  return ((await once(program.child, 'message')) as [Memory])[0]
}

/** Send a request over a connection that stays open; return the status. */
async function get(url: string, bearer: string | null, path: string): Promise<number> {
  const asked = request(url + path, { agent, headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` } }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  await buffer(response)
  return response.statusCode!
}

/** Perform an action this many times, some at once. */
async function many(count: number, atOnce: number, work: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) await work(next++)
    }),
  )
}

/** Connect, subscribe to a topic, and leave: in order, by cutting the connection, or before the answer. */
async function liveConnection(url: string, bearer: string, areaCode: string, number: number): Promise<void> {
  const socket = new WebSocket(url.replace(/^http/, 'ws') + REALTIME_ENDPOINT, 'v12.stomp')
  socket.on('error', () => {})
  const frame = (command: string, headers: Record<string, string>) =>
    socket.send(
      `${command}\n${Object.entries(headers)
        .map(([name, value]) => `${name}:${value}\n`)
        .join('')}\n\0`,
    )
  await once(socket, 'open')
  frame('CONNECT', { 'accept-version': '1.2', Authorization: `Bearer ${bearer}` })
  if (number % 4 === 0) return socket.terminate()
  await once(socket, 'message')
  frame('SUBSCRIBE', {
    id: `list ${number}`,
    destination: topics.accessRecord.destination.replace('{areaCode}', areaCode),
    receipt: 'listens',
  })
  await once(socket, 'message')
  if (number % 2 === 0) socket.terminate()
  else {
    socket.close()
    await once(socket, 'close')
  }
}

let made = 0

/** Perform the actions of a small day at a reception. */
async function round(client: Client, site: Site, areaCode: string): Promise<void> {
  const { url } = client
  const { bearer } = client.credentials as { bearer: string }
  const paths = (number: number): [string, string | null] => {
    const other = `${made}-${number}`
    const list = (call: Call, query: string): [string, string] => [`${call.url}?${query}`, bearer]
    const kinds: [string, string | null][] = [
      list(peopleCalls.list, `name=${other}&page=${1 + (number % 5)}`),
      list(peopleCalls.list, `size=${1 + (number % 100)}&sort=name`),
      list(deviceCalls.list, `code=${other}`),
      list(timeRuleCalls.list, `name=${other}`),
      list(organisationCalls.parkInfo, ''),
      list(identityCalls.profile, ''),
      list(customerCalls.checkExpired, ''),
      list(statisticsCalls.today, ''),
      [addressOf(recordCalls.read, { id: other }), bearer],
      [`/nothing/${other}`, bearer],
      [peopleCalls.list.url, null],
      [peopleCalls.list.url, `unknown-${other}`],
    ]
    return kinds[number % kinds.length]!
  }
  await many(READS, 8, (number) => {
    const [path, token] = paths(number)
    return get(url, token, path)
  })
  await many(LOGINS, 2, async (number) => {
    const { access_token: token, refresh_token } = await logIn(createClient(url), ADMIN)
    const session = createClient(url, { bearer: token })
    await session.call(identityCalls.profile, {})
    // Some log out, some refresh, some never send another request.
    if (number % 3 === 0) await session.call(identityCalls.revoke, {})
    if (number % 3 === 1)
      await createClient(url, { basic: ['console', ''] }).call(identityCalls.token, {
        body: { grant_type: 'refresh_token', refresh_token },
      })
  })
  await many(FAILED_LOGINS, 2, (number) =>
    logIn(createClient(url), { account: `nobody-${made}-${number}`, password: 'Wrong-password-1' }).catch(() => {}),
  )
  await many(WRITES, 4, async () => {
    const number = ++made
    const group = await site.personGroup({ name: `Group_${number}` })
    const person = await site.person({ name: `Person ${number}`, groupId: group.id })
    await client.call(peopleCalls.change, {
      body: { id: person.id, name: `Renamed ${number}`, workNumber: person.workNumber, groupId: group.id },
    })
    await client.ask(peopleCalls.create, { body: { name: `Person ${number}`, groupId: group.id, workNumber: person.workNumber } })
    await client.call(peopleCalls.delete, { query: { ids: [person.id] } })
    await client.call(peopleCalls.deleteGroup, { query: { id: group.id } })
  })
  await many(CONNECTIONS, 8, (number) => liveConnection(url, bearer, areaCode, number))
}

/** Return the growth from one sample to the next: the median of the slopes between all pairs, which single outliers do not affect. */
function slopeOf(values: readonly number[]): number {
  const slopes = values.flatMap((value, at) => values.slice(at + 1).map((later, further) => (later - value) / (further + 1)))
  return slopes.toSorted((one, other) => one - other)[Math.floor(slopes.length / 2)]!
}

test('what a server holds does not grow with the time it is up [FIELD-18]', async () => {
  const url = `http://127.0.0.1:${program.answer.port}`
  const { access_token: bearer } = await logIn(createClient(url), ADMIN)
  const client = createClient(url, { bearer })
  const { areaCode } = await client.call(identityCalls.profile, {})
  let number = 0
  const site = createSite({ url, bearer, park: { areaCode } as never, next: () => ++number })
  const samples: Memory[] = []
  const growth = () => slopeOf(samples.slice(-ROUNDS).map(({ usedBytes }) => usedBytes))
  for (let count = 0; count < WARM_UP_ROUNDS; count++) await round(client, site, areaCode)
  while (samples.length < ROUNDS || (samples.length < ROUNDS + FURTHER_ROUNDS && growth() >= GROWTH_MAX)) {
    await round(client, site, areaCode)
    samples.push(await measured())
  }
  const figures = samples.map(({ usedBytes, rss }) => `${(usedBytes / 1e6).toFixed(2)}/${(rss / 1e6).toFixed(0)}`).join(' ')
  console.log(`Held and resident memory after each round in MB: ${figures}`)
  expect(growth(), `held/rss in MB: ${figures}`).toBeLessThan(GROWTH_MAX)
  // The process as a whole settles later and in steps: it must not have grown by a quarter.
  expect(samples.at(-1)!.rss, figures).toBeLessThan(Math.max(samples[0]!.rss, samples[1]!.rss) * 1.25)
})
