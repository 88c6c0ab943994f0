/**
 * Measures surveillance: cameras capture faces at a steady pace, which the server stores, compares with everybody whom 20 tasks look out
 * for, and raises alarms of, as a ratio to the pace and the second that the issue asks for. First without pictures, then with them. The
 * templates are those of the cameras, so that no face engine is at work; persons are random directions. Every capture and every alarm
 * must be stored, else the benchmark fails.
 * An alarm is on the screen when a STOMP client has its frame; the time is from the moment of the capture, by the clock of this machine.
 * SURVEILLANCE_PERSONS (100,000), SURVEILLANCE_CAMERAS (50) and SURVEILLANCE_SECONDS (20) make it smaller. Server, database, cameras and
 * client share the machine. DATABASE_URL names another database than a built-in one that syncs its writes.
 */
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { deviceType } from '@gatehouse/contract/enums'
import { topics } from '@gatehouse/contract/realtime'
import { monitoringTaskCalls } from '@gatehouse/contract/surveillance/tasks'
import { seedCrowd } from '@gatehouse/dev-env/bulk-faces'
import { ALWAYS_OPEN } from '@gatehouse/dev-env/site'
import { startWorld, type Made, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { bytesOfEmbedding } from '@gatehouse/face-engine'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { startEmbeddedPostgres } from '@gatehouse/server/platform/postgres/embedded'
import pg from 'pg'
import sharp from 'sharp'
import type { Frame, ListenerMessage, ListenerTask } from './live-listener.ts'
import { direction, randomNumbers } from './random-directions.ts'
import type { BenchResult } from './result.ts'
import { settings } from './settings.ts'
import type { CamerasReport, CamerasTask } from './surveillance-cameras.ts'

const TASKS = 20
const WITHOUT_PICTURES = 300
const WITH_PICTURES = 150
/** Share of the captures that raise an alarm. */
const ALARMS = 0.02
const STRANGERS = 500
const WARM_UP_SECONDS = 4
const GOAL_MS = 1000
const PATIENCE_MS = 60_000
const DAY = 86_400_000

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: (message: string) => console.error(message) }
const percentile = (ascending: readonly number[], share: number): number => ascending[Math.ceil(ascending.length * share) - 1] ?? Number.NaN
const base64 = (numbers: Float32Array): string => Buffer.from(bytesOfEmbedding(numbers)).toString('base64')

interface Setting {
  world: World
  cameras: MadeDevice[]
  strangers: string[]
  /** Return persons who were not captured yet, with another photograph of each. */
  next(count: number): { id: string; template: string }[]
}

/** Make the crowd, a group of it for each task, and tasks that look out for them at all cameras. */
async function watch(world: World, cameras: readonly Made[]): Promise<Setting['next']> {
  const persons = settings.SURVEILLANCE_PERSONS
  const crowd = await seedCrowd(world, { prefix: 'Watched', persons, photographs: persons })
  const now = Date.now()
  for (let number = 0; number < TASKS; number++) {
    const group = await world.personGroup()
    const ids = crowd.personIds.filter((_, person) => person % TASKS === number)
    await queried(world, 'UPDATE person SET group_id = $1 WHERE id = ANY($2::uuid[])', [group.id, ids])
    await world.call(monitoringTaskCalls.add, {
      body: {
        name: `Task ${number + 1}`,
        startTime: now - DAY,
        endTime: now + DAY,
        periods: ALWAYS_OPEN,
        deviceIds: cameras.map(({ id }) => id),
        personGroupIds: [group.id],
        similarityThreshold: 60,
      },
    })
  }
  const random = randomOf('captured')
  let given = 0
  return (count) => {
    if (given + count > persons) throw new Error('there are fewer persons than alarms')
    return Array.from({ length: count }, () => {
      const person = given++
      return { id: crowd.personIds[person]!, template: base64(crowd.anotherOf(person, random)) }
    })
  }
}

/** Run a statement beside the server; return its rows. */
async function queried<Row extends pg.QueryResultRow>(world: World, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(world.connectionString)
  await client.connect()
  try {
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end()
  }
}

interface Counts {
  captures: number
  matches: number
  alarms: number
  pictures: number
}

/** Return how much of surveillance is stored. */
async function stored(world: World): Promise<Counts> {
  const [counts] = await queried<Counts>(
    world,
    `SELECT (SELECT count(*)::int FROM capture) AS captures, (SELECT count(*)::int FROM capture_match) AS matches,
      (SELECT count(*)::int FROM face_alarm) AS alarms, (SELECT count(*)::int FROM capture WHERE file_id IS NOT NULL) AS pictures`,
  )
  return counts!
}

/** Let the cameras capture; return their report, what share of the time the thread of the server was busy, and processor seconds. */
async function capture(
  { world, cameras, strangers, next }: Setting,
  epoch: string,
  pace: Pick<CamerasTask, 'perSecond' | 'seconds' | 'picture'>,
): Promise<CamerasReport & { busy: number; processor: number }> {
  const workerData: CamerasTask = {
    url: world.url,
    cameras,
    epoch,
    modelId: world.server.contexts.faces.service.modelId,
    strangers,
    persons: next(Math.ceil(pace.perSecond * pace.seconds * ALARMS)),
    ...pace,
  }
  const before = { loop: performance.eventLoopUtilization(), processor: process.cpuUsage() }
  const worker = new Worker(new URL('surveillance-cameras.ts', import.meta.url), { workerData })
  try {
    const [report] = (await once(worker, 'message')) as [CamerasReport]
    const { user, system } = process.cpuUsage(before.processor)
    return { ...report, busy: performance.eventLoopUtilization(before.loop).utilization, processor: (user + system) / 1e6 }
  } finally {
    await worker.terminate()
  }
}

/** Collect frames of alarms until stopped. */
async function listenToAlarms(world: World): Promise<{ frames: Frame[]; stop(): Promise<unknown> }> {
  const { credentials } = world.client
  if (credentials === null || !('bearer' in credentials)) throw new Error('nobody has logged in')
  const workerData: ListenerTask = {
    url: world.url,
    bearer: credentials.bearer,
    destination: topics.faceAlarms.destination.replace('{areaCode}', world.park.areaCode),
    key: 'personId',
  }
  const listener = new Worker(new URL('live-listener.ts', import.meta.url), { workerData })
  const frames: Frame[] = []
  const ready = Promise.withResolvers<void>()
  listener.once('error', ready.reject)
  listener.on('message', (message: ListenerMessage) => (message === 'ready' ? ready.resolve() : frames.push(message)))
  await ready.promise
  return { frames, stop: () => listener.terminate() }
}

/** Return when each person was first shown. */
function shownAt(frames: readonly Frame[]): Map<string, number> {
  const first = new Map<string, number>()
  for (const { at, ids } of frames) for (const id of ids) if (!first.has(id)) first.set(id, at)
  return first
}

async function measured(setting: Setting, perSecond: number, picture: Uint8Array | null): Promise<BenchResult[]> {
  const { world } = setting
  const seconds = settings.SURVEILLANCE_SECONDS
  const kind = picture === null ? 'without pictures' : `with pictures of ${picture.length.toLocaleString('en')} bytes`
  await capture(setting, `warm-up ${kind}`, { perSecond, picture, seconds: WARM_UP_SECONDS })
  await world.settled()
  const before = await stored(world)
  const alarms = await listenToAlarms(world)
  try {
    const { captured, acknowledged, pictured, backlog, personsAt, late, busy, processor } = await capture(setting, kind, {
      perSecond,
      picture,
      seconds,
    })
    await world.settled()
    const persons = Object.keys(personsAt)
    const end = Date.now() + PATIENCE_MS
    while (persons.some((id) => !shownAt(alarms.frames).has(id)) && Date.now() < end) await delay(50)
    const after = await stored(world)
    const gained = (what: keyof Counts) => after[what] - before[what]
    const expected = { captures: captured, matches: captured * TASKS, alarms: persons.length, pictures: picture === null ? 0 : captured }
    for (const [what, count] of Object.entries(expected))
      if (gained(what as keyof Counts) !== count) throw new Error(`${gained(what as keyof Counts)} ${what} were stored of ${count}`)
    const shown = shownAt(alarms.frames)
    const waits = persons.map((id) => (shown.get(id) ?? Infinity) - personsAt[id]!).toSorted((one, other) => one - other)
    process.stderr.write(
      `${kind}: ${late} captures late in their own thread; load ${loadavg()
        .map((load) => load.toFixed(1))
        .join(' ')}\n`,
    )
    const name = `${perSecond}/s ${kind} for ${seconds} s`
    const pace = (count: number) => ({ value: count / seconds, unit: '1/s', ratioTo: 'the pace', ratio: captured / count, goal: 1.05 })
    const inTime = (value: number) => ({ value, unit: 'ms', ratioTo: 'a second', ratio: value / GOAL_MS })
    return [
      { name: `${name}: stored and matched while they came`, ...pace(acknowledged) },
      ...(picture === null ? [] : [{ name: `${name}: pictures stored while they came`, ...pace(pictured) }]),
      {
        name: `${name}: most that waited to be stored`,
        value: backlog.most,
        unit: 'captures',
        ratioTo: 'what comes in a second',
        ratio: backlog.most / perSecond,
        goal: 1,
      },
      {
        name: `${name}: waiting on average, second half`,
        value: backlog.lastHalf,
        unit: 'captures',
        ratioTo: 'the first half',
        ratio: backlog.lastHalf / Math.max(1, backlog.firstHalf),
      },
      { name: `${name}: ${waits.length} alarms, capture to live frame, p50`, ...inTime(percentile(waits, 0.5)) },
      { name: `${name}: ${waits.length} alarms, capture to live frame, p99`, ...inTime(percentile(waits, 0.99)), goal: 1 },
      {
        name: `${name}: processor of server, search, cameras and client for one, without the database`,
        value: (1000 * processor) / captured,
        unit: 'ms',
        ratioTo: 'two cores at this pace',
        ratio: processor / captured / (2 / perSecond),
        goal: 1,
      },
      { name: `${name}: share of the time that the thread of the server is busy`, value: busy, unit: '' },
    ]
  } finally {
    await alarms.stop()
  }
}

/** Return a picture as the program of a camera sends them, which the server stores as it is. */
const cameraPicture = (): Promise<Buffer> =>
  sharp({ create: { width: 240, height: 240, channels: 3, background: 'grey', noise: { type: 'gaussian', mean: 128, sigma: 12 } } })
    .webp({ quality: 82 })
    .toBuffer()

export async function run(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  // The unprivileged account that the database runs under has to enter it.
  chmodSync(folder, 0o711)
  const given = process.env.DATABASE_URL
  const database = given === undefined ? await startEmbeddedPostgres({ dataDir: folder, log: quiet }) : null
  if (database !== null) process.env.DATABASE_URL = database.administratorConnectionString
  const world = await startWorld({ checkAnswers: false })
  try {
    const cameras: MadeDevice[] = []
    while (cameras.length < settings.SURVEILLANCE_CAMERAS) cameras.push(await world.device({ type: deviceType.captureCamera, model: 1 }))
    const next = await watch(world, cameras)
    // The search is filled at the start of a server; faces that are written into the tables are not announced.
    await world.interrupted(async () => {})
    const random = randomNumbers(5)
    const { dimensions } = world.server.contexts.faces.service.description
    const strangers = Array.from({ length: STRANGERS }, () => base64(direction(dimensions, random)))
    const setting = { world, cameras, strangers, next }
    return [...(await measured(setting, WITHOUT_PICTURES, null)), ...(await measured(setting, WITH_PICTURES, await cameraPicture()))]
  } finally {
    await world.stop()
    if (given === undefined) delete process.env.DATABASE_URL
    await database?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
