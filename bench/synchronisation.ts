/**
 * Measures synchronisation to terminals: a million deliveries, one change at a thousand terminals, an edited rule, simulated drift, and the
 * cost of a hundred thousand persons at a thousand devices. Server and terminals share one process here, and the terminals do most of its
 * work.
 */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { addressOf } from '@gatehouse/contract'
import { timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { DIGEST_BUCKETS } from '@gatehouse/contract/device/protocol'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { Catalogue } from '@gatehouse/dev-env/simulator/catalogue'
import { startFleet, type Fleet } from '@gatehouse/dev-env/simulator/fleet'
import { seedDevices, seedPersons, type Crowd, type SeededDevice } from '@gatehouse/dev-env/simulator/seeder'
import { createSimulatedStore } from '@gatehouse/dev-env/simulator/store'
import { startWorld, type Made, type World } from '@gatehouse/dev-env/world'
import type { BenchResult } from './result.ts'

const PATIENCE_MS = 600_000
const CHANGES = 20
const POLL_MS = 20
/** Number of devices that cannot store some persons, and number of these persons. */
const UNABLE = 10
const FAILURES = 50

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!
/** Return the bytes in use after garbage collection. */
function used(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const seconds = (since: number): number => (performance.now() - since) / 1000

interface Setting {
  world: World
  crowd: Crowd
  devices: SeededDevice[]
  rule: Made
  /** Seconds from the strategy, which assigns all persons to every device, until the server knows what each should store. */
  assignedIn: number
}

async function withSetting<T>(persons: number, count: number, work: (setting: Setting) => Promise<T>): Promise<T> {
  const world = await startWorld({ checkAnswers: false })
  try {
    const crowd = await seedPersons(world, { prefix: 'Bench', count: persons })
    const { group, devices } = await seedDevices(world, { prefix: 'BENCH', count })
    const rule = await world.timeRule()
    const startedAt = performance.now()
    await world.strategy({ personGroups: [crowd.group], deviceGroups: [group], timeRules: [rule] })
    await world.settled()
    return await work({ world, crowd, devices, rule, assignedIn: seconds(startedAt) })
  } finally {
    await world.stop()
  }
}

const fleetAt = ({ world, devices }: Setting, onChange?: (code: string) => void): Promise<Fleet> =>
  startFleet({
    server: world.url,
    devices,
    modelId: world.server.contexts.faces.service.modelId,
    seed: 1,
    startsPerSecond: 1_000,
    onChange,
  })

async function settle(fleet: Fleet): Promise<void> {
  if (!(await fleet.settled(PATIENCE_MS))) throw new Error(`the fleet did not come to rest: ${JSON.stringify(fleet.figures())}`)
}

const delivered = (fleet: Fleet): number => fleet.devices.reduce((total, { store }) => total + store.disk.holdings.deliveries(), 0)

/** Measure persons × terminals deliveries, beside the same bytes as files. */
async function million(persons: number, count: number): Promise<BenchResult[]> {
  return withSetting(persons, count, async (setting) => {
    const startedAt = performance.now()
    const fleet = await fleetAt(setting)
    await settle(fleet)
    const took = seconds(startedAt)
    const deliveries = delivered(fleet)
    if (deliveries !== persons * count) throw new Error(`${deliveries} deliveries instead of ${persons * count}`)
    await fleet.stop()
    const files = await shelvesOf(setting)
    const bare = await servedAsFiles(files, count)
    const name = `${persons} persons to ${count} terminals`
    return [
      { name, value: took, unit: 's', goal: 100 },
      { name: `${name}: deliveries`, value: deliveries / took, unit: '1/s' },
      { name: `${name}: the same bytes as files to as many clients`, value: bare, unit: 's' },
      { name: `${name}: beside files`, value: took, unit: 's', ratioTo: 'files', ratio: took / bare },
    ]
  })
}

/** Return the gzip bytes a terminal fetches: all shelves, as one of the devices receives them. */
async function shelvesOf({ world, crowd, devices }: Setting): Promise<Buffer[]> {
  const { authorization, audience } = await presented(world, devices[0]!)
  let size = DIGEST_BUCKETS
  while (size > 1 && (crowd.personIds.length * size) / DIGEST_BUCKETS > 400) size /= 2
  const shelves: Buffer[] = []
  for (let first = 0; first < DIGEST_BUCKETS; first += size) {
    const path = addressOf(deviceProtocolCalls.shelf, { audience, first: String(first), count: String(size) })
    shelves.push(await rawBytes(`${world.url}${path}?modelId=${world.server.contexts.faces.service.modelId}`, authorization))
  }
  return shelves
}

/** Return the credentials of a device, and its audience. */
async function presented(world: World, { code, secret }: SeededDevice): Promise<{ authorization: string; audience: string }> {
  const authorization = `Basic ${Buffer.from(`${code}:${secret}`).toString('base64')}`
  const manifest = await (await fetch(world.url + deviceProtocolCalls.manifest.url, { headers: { authorization } })).json()
  return { authorization, audience: (manifest as { data: { audience: string } }).data.audience }
}

/** Return the bytes as they are sent, still compressed. */
async function rawBytes(url: string, authorization: string): Promise<Buffer> {
  const incoming = request(url, { headers: { authorization, 'accept-encoding': 'gzip' } })
  incoming.end()
  const [answer] = (await once(incoming, 'response')) as [Parameters<typeof buffer>[0] & { statusCode: number }]
  if (answer.statusCode !== 200) throw new Error(`a shelf answers ${answer.statusCode}`)
  return buffer(answer)
}

/** Serve files from a bare server to clients that read and discard them all. @returns seconds */
async function servedAsFiles(files: readonly Buffer[], clients: number): Promise<number> {
  const server = createServer((incoming, reply) => {
    const file = files[Number(incoming.url!.slice(1))]!
    reply.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip', 'content-length': file.length }).end(file)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (const place of files.keys()) await (await fetch(`${url}/${place}`)).arrayBuffer()
    }),
  )
  const took = seconds(startedAt)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  return took
}

/** Measure changes at many terminals that are online. */
async function changes(persons: number, count: number): Promise<BenchResult[]> {
  return withSetting(persons, count, async (setting) => {
    const { world, crowd, rule } = setting
    const pool = new pg.Pool({ connectionString: world.connectionString, max: 2 })
    const storedAt = new Map<string, { state: string; at: number }>()
    let stateOf: (code: string) => string = () => ''
    const fleet = await fleetAt(setting, (code) => {
      const state = stateOf(code)
      if (state !== storedAt.get(code)?.state) storedAt.set(code, { state, at: performance.now() })
    })
    const byCode = new Map(fleet.devices.map((device) => [device.code, device]))
    try {
      await settle(fleet)
      stateOf = (code) => {
        const stored = byCode.get(code)?.state()?.held
        return `${stored?.revision} ${stored?.digest}`
      }

      /** Make a change and wait until each terminal has it and the server knows that. */
      async function timed(make: () => Promise<unknown>): Promise<{ device: number[]; server: number[] }> {
        storedAt.clear()
        const startedAt = performance.now()
        const clockBefore = Date.now()
        await make()
        const sizes = new Map<string, number>()
        while (sizes.size < count) {
          await delay(POLL_MS)
          const { rows } = await pool.query<{ device_id: string }>('select device_id from sync_device where held_at >= $1', [
            new Date(clockBefore),
          ])
          for (const { device_id: id } of rows) if (!sizes.has(id)) sizes.set(id, performance.now() - startedAt)
          if (performance.now() - startedAt > PATIENCE_MS)
            throw new Error(`only ${sizes.size} of ${count} terminals said that they have the change`)
        }
        return { device: [...storedAt.values()].map(({ at }) => at - startedAt), server: [...sizes.values()] }
      }

      const times = { device: [] as number[], server: [] as number[] }
      for (let change = 0; change < CHANGES; change++) {
        const id = crowd.personIds[change]!
        const person = await world.call(peopleCalls.read, { query: { id } })
        const { name, workNumber, gender, groupId, facePhotos } = person
        const body = { id, name: `${name} ${change}`, workNumber, gender: gender as 1 | 2 | 3, groupId, facePhotos }
        const { device, server } = await timed(() => world.call(peopleCalls.change, { body }))
        times.device.push(...device)
        times.server.push(...server)
      }

      const before = delivered(fleet)
      const { id, periods, ...others } = await world.call(timeRuleCalls.read, { params: { id: rule.id } })
      const edited = await timed(() => world.call(timeRuleCalls.change, { body: { ...others, id, periods: periods.slice(0, 5) } }))
      const delivery = delivered(fleet) - before
      await settle(fleet)
      const healed = await drift(setting, fleet)

      const name = `one change at ${count} terminals`
      return [
        { name: `${name}: at the terminal, p50`, value: percentile(times.device, 0.5), unit: 'ms' },
        { name: `${name}: at the terminal, p95`, value: percentile(times.device, 0.95), unit: 'ms', goal: 5_000 },
        { name: `${name}: known to the server, p50`, value: percentile(times.server, 0.5), unit: 'ms' },
        { name: `${name}: known to the server, p95`, value: percentile(times.server, 0.95), unit: 'ms', goal: 5_000 },
        { name: `one edited rule for ${persons} persons: persons sent`, value: delivery, unit: '', goal: 0 },
        { name: `one edited rule: in force at all ${count} terminals`, value: Math.max(...edited.device), unit: 'ms', goal: 5_000 },
        ...healed,
      ]
    } finally {
      await fleet.stop()
      await pool.end()
    }
  })
}

/** Measure persons missing, superfluous and in a wrong version at one terminal, changed while it was without power. */
async function drift({ world, crowd, devices }: Setting, fleet: Fleet): Promise<BenchResult[]> {
  const planted = {
    missing: crowd.personIds.slice(0, 5),
    extra: [crypto.randomUUID(), crypto.randomUUID()],
    wrong: crowd.personIds.slice(10, 13),
  }
  await fleet.stop()
  const again = await startFleet({
    server: world.url,
    devices: devices.slice(0, 1),
    modelId: world.server.contexts.faces.service.modelId,
    seed: 2,
  })
  try {
    await settle(again)
    const [device] = again.devices as [(typeof again.devices)[number]]
    await device.stop()
    const hold = [...planted.extra, ...planted.wrong].map((id) => ({ id, version: 'deadbeefdeadbeef' }))
    device.store.disk.holdings.tamper({ drop: planted.missing, hold })
    const before = delivered(again)
    const startedAt = performance.now()
    device.powerOn()
    await settle(again)
    const took = seconds(startedAt)
    const transferred = delivered(again) - before
    return [
      {
        name:
          `drift of ${planted.missing.length} missing, ${planted.extra.length} extra, ${planted.wrong.length} wrong ` +
          `among ${crowd.personIds.length}: persons sent`,
        value: transferred,
        unit: '',
        goal: planted.missing.length + planted.wrong.length,
      },
      { name: 'drift healed after the start', value: took, unit: 's' },
    ]
  } finally {
    await again.stop()
  }
}

/** Report persons that a device cannot store. */
async function failAt(world: World, device: SeededDevice, personIds: readonly string[]): Promise<void> {
  const { authorization, audience } = await presented(world, device)
  const exceptions = personIds.map((personId) => ({ personId, version: '0'.repeat(16), reason: 'noRoom' }))
  const headers = { authorization, 'content-type': 'application/json' }
  const { status } = await fetch(world.url + deviceProtocolCalls.exceptions.url, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ audience, cursor: 0, exceptions }),
  })
  if (status !== 200) throw new Error(`exceptions are answered with ${status}`)
}

/** Measure what the assignment of all persons to every device takes up in tables and in memory. */
async function assignment(persons: number, count: number): Promise<BenchResult[]> {
  const without = await withSetting(1, 1, async () => ({ used: used(), rss: process.memoryUsage().rss }))
  return withSetting(persons, count, async ({ world, crowd, devices, assignedIn }) => {
    const scope = { parkId: world.park.id }
    const synchronisation = world.server.contexts.synchronisation.service
    const startedAt = performance.now()
    synchronisation.mark(scope, { everything: true })
    await synchronisation.settled()
    const built = seconds(startedAt)
    const memory = { used: used(), rss: process.memoryUsage().rss }
    await Promise.all(devices.slice(0, UNABLE).map((device) => failAt(world, device, crowd.personIds.slice(0, FAILURES))))
    const pool = new pg.Pool({ connectionString: world.connectionString, max: 1 })
    const rows: BenchResult[] = []
    for (const table of ['sync_audience', 'sync_change', 'sync_device', 'sync_exception', 'settings_part']) {
      const { rows: counted } = await pool.query<{ count: string }>(`select count(*) from ${table}`)
      rows.push({
        name: `rows of ${table}, ${persons} persons × ${count} devices`,
        value: Number(counted[0]!.count),
        unit: 'rows',
        goal: table === 'sync_exception' ? UNABLE * FAILURES : count + 10,
      })
    }
    await pool.end()
    return [
      { name: `${persons} persons assigned to ${count} devices`, value: assignedIn, unit: 's' },
      { name: 'the register of it built from the tables', value: built, unit: 's' },
      { name: 'bitsets and sums of the register', value: synchronisation.size(scope).bytes / 1e6, unit: 'MB' },
      {
        name: 'memory in use beyond that with one person and one device',
        value: (memory.used - without.used) / 1e6,
        unit: 'MB',
        goal: 100,
      },
      {
        name: 'memory in use in all',
        value: memory.used / 1e6,
        unit: 'MB',
        ratioTo: 'one person and device',
        ratio: memory.used / without.used,
      },
      { name: 'resident memory with one person and one device', value: without.rss / 1e6, unit: 'MB' },
      { name: 'resident memory with all of it, after the seeding', value: memory.rss / 1e6, unit: 'MB' },
      ...rows,
    ]
  })
}

/** Measure the cost of a stored person in the simulator itself. */
function simulated(persons: number, count: number): BenchResult[] {
  const catalogue = new Catalogue()
  const template = Buffer.alloc(512).toString('base64')
  const taken = Array.from({ length: persons }, (_, number) => {
    const id = `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
    return {
      id,
      version: number.toString(16).padStart(16, '0'),
      name: `Person ${number}`,
      workNumber: `W${number}`,
      enabled: true,
      validFrom: null,
      validTo: null,
      strategyIds: [],
      faceThreshold: null,
      lookAlikes: [],
      faces: [{ faceId: id, template }],
    }
  })
  const before = used()
  const stores = Array.from({ length: count }, () => createSimulatedStore({ catalogue }))
  for (const { disk } of stores) disk.holdings.take({ persons: taken, exceptions: [], removed: [], position: null })
  const perPerson = (used() - before) / (stores.length * persons)
  return [{ name: `a person held in the simulator, of ${persons} at ${count} devices`, value: perPerson, unit: 'bytes', goal: 32 }]
}

export async function run(): Promise<BenchResult[]> {
  // Memory is measured first, before the other measurements use any.
  const memory = [...(await assignment(100_000, 1_000)), ...simulated(10_000, 1_000)]
  return [...(await million(10_000, 100)), ...(await changes(2_000, 1_000)), ...memory]
}
