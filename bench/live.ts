/**
 * Measures how soon after its commit a record is on live screens: at a STOMP client while 5,000 per second come in, and in the page of a
 * browser at 200 per second.
 * A record is committed when the server's `ingest` resolves, the moment from which it may be acknowledged. At the STOMP client it is seen
 * with the first frame that has room for it: the n-th record committed, counting rows shown and rows only counted (`more`) over all frames.
 * Every record must be counted exactly once, else the benchmark fails. In the browser it is seen when its own row is in the page; a record
 * without a row is never seen. All clocks are those of the machine.
 * LIVE_DEVICES (250) and LIVE_SECONDS (20): how many devices send for how long; LIVE_ONLY=stomp or browser omits the other half. Server,
 * devices and both readers share the machine.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { topics } from '@gatehouse/contract/realtime'
import { ADMIN, startWorld, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { recordId } from '@gatehouse/server/platform/database/ids'
import { startEmbeddedPostgres } from '@gatehouse/server/platform/postgres/embedded'
import { launchChromium } from '../tests/support/chromium.ts'
import type { LiveDevicesReport, LiveDevicesTask } from './live-devices.ts'
import type { Frame, ListenerMessage, ListenerTask } from './live-listener.ts'
import type { BenchResult } from './result.ts'
import { settings } from './settings.ts'

const PERSONS = 100
const STOMP = { perSecond: 5_000, perMessage: 10, goalMs: 500 }
const BROWSER = { perSecond: 200, perMessage: 1, goalMs: 250 }
const WARM_UP_SECONDS = 3
const PATIENCE_MS = 30_000

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: (message: string) => console.error(message) }
const percentile = (ascending: readonly number[], share: number): number => ascending[Math.ceil(ascending.length * share) - 1] ?? Number.NaN

interface Setting {
  world: World
  devices: MadeDevice[]
  personIds: string[]
  seconds: number
}

/** A message whose records were committed, and when. */
interface Commit {
  at: number
  deviceId: string
  epoch: string
  seqs: number[]
}

/** Record from now on when messages of devices are committed. */
function watchCommits({ server }: World): { commits: Commit[]; stop(): void } {
  const { records } = server.contexts
  const { ingest } = records
  const commits: Commit[] = []
  records.ingest = async (device, message) => {
    const acknowledged = await ingest(device, message)
    commits.push({ at: Date.now(), deviceId: device.deviceId, epoch: message.epoch, seqs: message.records.map(({ seq }) => seq) })
    return acknowledged
  }
  return {
    commits,
    stop() {
      records.ingest = ingest
    },
  }
}

async function sendSteadily(
  { world, devices, personIds }: Setting,
  epoch: string,
  pace: { perSecond: number; perMessage: number },
  seconds: number,
): Promise<LiveDevicesReport> {
  const workerData: LiveDevicesTask = { url: world.url, devices, personIds, epoch, ...pace, seconds }
  const worker = new Worker(new URL('live-devices.ts', import.meta.url), { workerData })
  try {
    const [report] = (await once(worker, 'message')) as [LiveDevicesReport]
    return report
  } finally {
    await worker.terminate()
  }
}

async function waitFor(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited ${PATIENCE_MS / 1000} s for ${what}`)
    await delay(50)
  }
}

/** Send for this long. Return the commits, once everything is committed and the server has sent it to live screens. */
async function committed(
  setting: Setting,
  epoch: string,
  pace: { perSecond: number; perMessage: number },
): Promise<{ commits: Commit[]; late: number }> {
  await sendSteadily(setting, `${epoch}-warm-up`, pace, WARM_UP_SECONDS)
  await setting.world.settled()
  const watched = watchCommits(setting.world)
  const { sent, late } = await sendSteadily(setting, epoch, pace, setting.seconds)
  const count = () => watched.commits.reduce((sum, { seqs }) => sum + seqs.length, 0)
  await waitFor(`${sent} records to be committed`, () => count() >= sent)
  watched.stop()
  return { commits: watched.commits, late }
}

/** Return the milliseconds from the n-th commit to the frame with the n-th place, ascending. */
function waitsByCount(commits: readonly Commit[], frames: readonly Frame[]): number[] {
  const waits: number[] = []
  const places = frames.flatMap(({ at, ids, more }) => Array.from({ length: ids.length + more }, () => at))
  for (const { at, seqs } of commits) for (const _ of seqs) waits.push(places[waits.length]! - at)
  return waits.sort((one, other) => one - other)
}

/** Return the maximum number of frames in a second. */
function frameRate(frames: readonly Frame[]): number {
  let [first, most] = [0, 0]
  for (const [index, { at }] of frames.entries()) {
    while (frames[first]!.at <= at - 1000) first++
    most = Math.max(most, index - first + 1)
  }
  return most
}

const committedAt = (commits: readonly Commit[]): Map<string, number> =>
  new Map(commits.flatMap(({ at, deviceId, epoch, seqs }) => seqs.map((seq) => [recordId(deviceId, epoch, seq), at] as const)))

function rowsOf(name: string, waits: readonly number[], goalMs: number): BenchResult[] {
  return [
    { name: `${name}, p50`, value: percentile(waits, 0.5), unit: 'ms' },
    { name: `${name}, p99`, value: percentile(waits, 0.99), unit: 'ms', goal: goalMs },
    { name: `${name}, longest`, value: percentile(waits, 1), unit: 'ms' },
  ]
}

async function atStompClient(setting: Setting): Promise<BenchResult[]> {
  const { world, devices, seconds } = setting
  const { credentials } = world.client
  if (credentials === null || !('bearer' in credentials)) throw new Error('nobody has logged in')
  const workerData: ListenerTask = {
    url: world.url,
    bearer: credentials.bearer,
    destination: topics.accessRecord.destination.replace('{areaCode}', world.park.areaCode),
  }
  const listener = new Worker(new URL('live-listener.ts', import.meta.url), { workerData })
  let frames: Frame[] = []
  try {
    const ready = Promise.withResolvers<void>()
    listener.once('error', ready.reject)
    listener.on('message', (message: ListenerMessage) => (message === 'ready' ? ready.resolve() : frames.push(message)))
    await ready.promise
    const before = Date.now()
    const { commits, late } = await committed(setting, 'stomp', STOMP)
    const ids = committedAt(commits)
    const count = () => frames.reduce((sum, { ids: shown, more }) => sum + shown.length + more, 0)
    const warmUp = STOMP.perSecond * WARM_UP_SECONDS
    await waitFor('every record to be seen', () => count() >= ids.size + warmUp)
    if (count() !== ids.size + warmUp) throw new Error(`${count()} records were seen of ${ids.size + warmUp}`)
    frames = afterFirst(frames, warmUp)
    const shown = frames.flatMap(({ at, ids: rows }) => rows.map((id) => at - ids.get(id)!)).toSorted((one, other) => one - other)
    const name = `${STOMP.perSecond}/s of ${devices.length} devices for ${seconds} s, commit to STOMP client`
    note(`stomp: ${ids.size} records in ${frames.length} frames, ${late} sent late, took ${Date.now() - before} ms`)
    return [
      ...rowsOf(name, waitsByCount(commits, frames), STOMP.goalMs),
      { name: 'rows shown, by id, p99', value: percentile(shown, 0.99), unit: 'ms' },
      { name: 'share of records shown rather than counted', value: shown.length / ids.size, unit: '' },
      { name: 'frames in the fullest second', value: frameRate(frames), unit: '', goal: 10 },
      { name: 'largest frame', value: Math.max(...frames.map(({ bytes }) => bytes)), unit: 'bytes', goal: 16_384 },
    ]
  } finally {
    await listener.terminate()
  }
}

/** Return the frames after those that counted this many records between them. */
function afterFirst(frames: readonly Frame[], records: number): Frame[] {
  let seen = 0
  const from = frames.findIndex(({ ids, more }) => (seen += ids.length + more) > records)
  if (seen - frames[from]!.ids.length - frames[from]!.more !== records)
    throw new Error('a frame holds records of the warm-up and of the measurement')
  return frames.slice(from)
}

/** In the page: the first moment each row was in it. */
const WATCH_ROWS = `
  window.rowsSeen = new Map()
  const see = (row) => { if (!rowsSeen.has(row.dataset.rowKey)) rowsSeen.set(row.dataset.rowKey, Date.now()) }
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) {
      if (node.nodeType !== 1) continue
      if (node.matches('tr[data-row-key]')) see(node)
      for (const row of node.querySelectorAll('tr[data-row-key]')) see(row)
    }
  }).observe(document.body, { childList: true, subtree: true })`

async function inBrowser(setting: Setting): Promise<BenchResult[]> {
  const { world, devices, seconds } = setting
  const browser = await launchChromium()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.addInitScript(`localStorage.setItem('language', '"en"')`)
    await page.goto(`${world.url}/#/login`)
    await page.locator('input[autocomplete="username"]').fill(ADMIN.account)
    await page.locator('input[type="password"]').fill(ADMIN.password)
    await page.keyboard.press('Enter')
    await page.waitForURL(({ hash }) => hash.startsWith('#/home'))
    await page.goto(`${world.url}/#/staffCurrent`)
    await page.getByRole('heading', { name: 'Access records' }).waitFor()
    await page.evaluate(WATCH_ROWS)
    const { commits, late } = await committed(setting, 'browser', BROWSER)
    await delay(2_000)
    const seen = new Map(await page.evaluate<[string, number][]>('[...rowsSeen]'))
    const waits = [...committedAt(commits)].map(([id, at]) => (seen.get(id) ?? Infinity) - at).sort((one, other) => one - other)
    const shown = waits.filter(Number.isFinite).length
    note(`browser: ${shown} of ${waits.length} records came to stand in the page, ${late} sent late`)
    return [
      ...rowsOf(`${BROWSER.perSecond}/s of ${devices.length} devices for ${seconds} s, commit to row in Chromium`, waits, BROWSER.goalMs),
      { name: 'share of records that never stood in the page', value: 1 - shown / waits.length, unit: '', goal: 0.01 },
    ]
  } finally {
    await browser.close()
  }
}

/** Print beside the figures what else the machine did. */
function note(words: string): void {
  process.stderr.write(
    `${words}; load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}\n`,
  )
}

export async function run(): Promise<BenchResult[]> {
  const only = settings.LIVE_ONLY
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  // The unprivileged account that the database runs under has to enter it.
  chmodSync(folder, 0o711)
  const given = process.env.DATABASE_URL
  const database = given === undefined ? await startEmbeddedPostgres({ dataDir: folder, log: quiet }) : null
  if (database !== null) process.env.DATABASE_URL = database.administratorConnectionString
  if (only !== 'stomp') await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../scripts/run.mjs'), 'console'])
  const world = await startWorld({ checkAnswers: false, console: only !== 'stomp' })
  try {
    const personIds: string[] = []
    while (personIds.length < PERSONS) personIds.push((await world.person()).id)
    const devices: MadeDevice[] = []
    while (devices.length < settings.LIVE_DEVICES) devices.push(await world.device())
    await world.settled()
    const setting = { world, devices, personIds, seconds: settings.LIVE_SECONDS }
    return [...(only === 'browser' ? [] : await atStompClient(setting)), ...(only === 'stomp' ? [] : await inBrowser(setting))]
  } finally {
    await world.stop()
    if (given === undefined) delete process.env.DATABASE_URL
    await database?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
