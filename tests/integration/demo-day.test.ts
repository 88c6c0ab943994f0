/**
 * The day of the demo campus goes on while it runs, makes up for what was missed, and ends with the demo or its devices.
 * @module-tag extended
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { accessResult } from '@gatehouse/contract/enums'
import { faceReportCalls } from '@gatehouse/contract/faces/report'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { SEED, SIMULATED } from '@gatehouse/dev-env/demo/campus'
import { demoCampusOf, startDemo, type Demo } from '@gatehouse/dev-env/demo/demo'
import { approachesFrom, approachesTo, type Approach } from '@gatehouse/dev-env/demo/passages'
import { rosterOf } from '@gatehouse/dev-env/demo/roster'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { portraitVariant } from '@gatehouse/dev-env/portraits'
import { DISTINCT_PORTRAITS } from '@gatehouse/face-engine'
import { until } from '../support/until.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** With night guards, so that passages occur every hour. */
const SIZE = { persons: 14, weeks: 1, recordSteps: 2 }

let ahead = 0
const clock = { now: () => Date.now() + ahead }
let world: World
beforeAll(async () => {
  world = await startWorld({ clock })
})
afterAll(() => world?.stop())

let anchor = 0
const roster = () => rosterOf(SEED, anchor).slice(0, SIZE.persons)

async function start(): Promise<Demo> {
  const campus = (await demoCampusOf(world.server, SIZE))!
  ;({ anchor } = campus)
  const demo = (await startDemo(world.server, campus, new AbortController().signal))!
  expect(await demo.fill()).toBe('complete')
  return demo
}

/** Return door and time of each record, with whether it has a picture; newest first. */
async function records() {
  const found: { door: string; time: number; allowed: boolean; hasPicture: boolean; lag: number }[] = []
  for (let page = 1; ; page++) {
    const body = { startTime: clock.now() - 20 * DAY, page, size: 100 }
    const { content, total } = await world.call(recordCalls.find, { body })
    for (const { deviceName: door, time, receivedAt, result, captureImage } of content)
      found.push({ door, time, allowed: result === accessResult.allowed, hasPicture: captureImage !== '', lag: receivedAt - time })
    if (page * 100 >= total) return found
  }
}

/** Return the records as they should be. */
const planned = (end: number) =>
  SIMULATED.flatMap(({ name, direction }) =>
    approachesTo(direction, SEED, roster(), anchor - SIZE.weeks * 7 * DAY, end).map(({ moment }) => `${name} ${moment}`),
  ).toSorted()
const written = (list: Awaited<ReturnType<typeof records>>) => list.map(({ door, time }) => `${door} ${time}`).toSorted()

/** Return the person of the demo who passes next. */
function next(): Approach & { door: string } {
  const soon = clock.now() + 5_000
  return SIMULATED.map(({ name, direction }) => {
    for (const approach of approachesFrom(direction, SEED, roster(), soon - 2 * DAY))
      if (approach.moment > soon && approach.recognised) return { ...approach, door: name }
    throw new Error('nobody comes')
  }).toSorted((one, other) => one.moment - other.moment)[0]!
}

/** Set the clock to just before a time. */
function goTo(moment: number): void {
  ahead += moment - clock.now() - 1_000
}

let demo: Demo

test('a passage is sent at its moment, with its picture', async () => {
  demo = await start()
  const made = await records()
  expect(made.length).toBeGreaterThan(50)
  expect(written(made)).toEqual(planned(made[0]!.time))
  const { door, moment } = next()
  goTo(moment)
  const day = demo.live()
  const record = await until('the passage', async () => (await records()).find((one) => one.door === door && one.time === moment))
  expect(record.allowed).toBe(true)
  expect(record.lag).toBeGreaterThanOrEqual(0)
  expect(record.lag).toBeLessThan(10_000)
  await until('its picture', async () => (await records()).find((one) => one.time === moment)?.hasPicture)
  await demo.stop()
  await day
  expect(written(await records())).toEqual(planned(moment))
})

test('after a restart what was missed is sent once, and pictures of the last day are drawn', async () => {
  const before = await records()
  await world.interrupted(async () => {
    ahead += HOUR
  })
  const restarted = clock.now()
  demo = await start()
  const after = await records()
  expect(after.length).toBeGreaterThan(before.length)
  expect(written(after)).toEqual(expect.arrayContaining(planned(restarted)))
  expect(written(after)).toEqual(planned(after[0]!.time))
  const since = clock.now() - DAY + HOUR
  await until('all pictures', async () => (await records()).every(({ time, hasPicture }) => hasPicture || time < since))
})

test('whoever a visitor disables is refused the next time', async () => {
  const { workNumber, moment, door } = next()
  const person = (await world.call(peopleCalls.list, { query: { workNumber: workNumber! } })).content[0]!
  await world.call(peopleCalls.status, { body: { ids: [person.id], status: 0 } })
  await world.settled()
  goTo(moment)
  const day = demo.live()
  const record = await until('the passage', async () => (await records()).find((one) => one.door === door && one.time === moment))
  expect(record.allowed).toBe(false)
  await demo.stop()
  await day
})

test('an error report leaves the drawn portraits of the demo out, and says how many', async () => {
  await world.person({ photo: await portraitVariant(DISTINCT_PORTRAITS[0], 3) })
  const { id } = await world.call(faceReportCalls.start, { body: {} })
  const report = await until('the report', async () => {
    const { content } = await world.call(faceReportCalls.list, { query: {} })
    return content.find((one) => one.id === id && one.work.state === 'done')
  })
  expect(report).toMatchObject({ photos: 1, persons: 1, demoPhotos: SIZE.persons, falseMatch: null })
})

test('it goes on without a device that was deleted or has another secret, and says so once', async () => {
  const [entrance, exit] = SIMULATED
  const sentences: string[] = []
  demo = await start()
  const day = demo.live((sentence) => void sentences.push(sentence))
  const devices = (await world.call(deviceCalls.list, { query: { code: 'DEMO-' } })).content
  const idOf = (code: string): string => devices.find((device) => device.code === code)!.id
  await world.call(deviceCalls.delete, { query: { ids: [idOf(entrance.code)] } })
  await until('the deletion to be noticed', () => sentences.length > 0)
  await world.call(deviceCalls.resetSecret, { params: { id: idOf(exit.code) }, body: {} })
  await day
  expect(sentences).toEqual([expect.stringContaining(entrance.code), expect.stringContaining(exit.code)])
  await demo.stop()
  await world.interrupted(async () => {})
  // A secret that a user has set is not replaced.
  expect(await (await start()).live()).toBeUndefined()
})

test('it ends with the demo', async () => {
  const campus = (await demoCampusOf(world.server, SIZE))!
  demo = (await startDemo(world.server, campus, new AbortController().signal))!
  await demo.fill()
  const day = demo.live()
  expect(await world.call(organisationCalls.removeDemo, {})).toMatchObject({ state: 'none' })
  await demo.removed
  await day
})
