/** A running terminal whose park makes a promise about strangers: the score it requires, what it records, and to whom it reports that. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeChecks } from '@gatehouse/access-rules'
import { rateOfScore, scoreOfRate } from '@gatehouse/contract/score'
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { portrait, portraitVariant } from '@gatehouse/dev-env/portraits'
import { DISTINCT_PORTRAITS, type FacePool } from '@gatehouse/face-engine'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleOf } from '../console/testing/console.ts'
import { embeddingFrom, scratchFolder, until } from '../device/testing/folder.ts'
import { contactWith, idOf, personWith } from '../device/testing/objects.ts'
import { openDoor } from './testing/door.ts'

const [ANN] = DISTINCT_PORTRAITS
/** Strangers per thousand that are promised; the threshold aims at half of them. */
const STRANGERS = 10

let pool: FacePool
let photo: Uint8Array
let again: Uint8Array
beforeAll(async () => {
  pool = testingFacePool({ workers: 1 })
  await pool.ready()
  ;[photo, again] = await Promise.all([portrait(ANN), portraitVariant(ANN, 1)])
})
afterAll(() => pool.close())

/** Return the score that keeps the promise; with few templates, at least the engine's recommendation. */
const keptFor = (templates: number): number =>
  scoreOfRate(Math.min(pool.description.calibration.recommended.door, STRANGERS / 1000 / 2 / templates))

/** A door that stores Ann, and has a promise. */
async function promisingDoor() {
  const dataDir = scratchFolder()
  const sentences: string[] = []
  const door = await openDoor(
    pool,
    { ann: { photo } },
    {},
    { dataDir, allowFrames: true, log: (sentence) => void sentences.push(sentence) },
  )
  const { manifest } = door.server.audience
  door.server.audience.manifest = { ...manifest, settings: { ...manifest.settings, promise: { strangersPerThousand: STRANGERS } } }
  await door.set({})
  const holds = async (faces: number) => {
    door.server.changed()
    await until('it holds them', () => door.terminal.state().held.faces === faces)
  }
  const program = { authorization: `Bearer ${readFileSync(join(dataDir, 'frames-key'), 'utf8').trim()}` }
  const state = async (headers: Record<string, string> = {}): Promise<unknown> =>
    (await fetch(`${door.terminal.url}state`, { headers })).json()
  return { ...door, holds, state, program, client: consoleOf(door.terminal, sentences) }
}
const others = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => personWith(idOf(`other ${from + at}`), embeddingFrom(1000 + from + at)))

test('a record says what was asked, for how many faces, and what of others; its score is at most 100', async () => {
  const { server, holds, show, records } = await promisingDoor()
  const faceOf = async (place: number) => {
    const { checks, score } = (await records(place))[place - 1]!
    expect(score).toBeLessThanOrEqual(100)
    return decodeChecks(checks).find((check) => check.code === 'face')!
  }
  await show('frame', photo)
  const first = await faceOf(1)
  expect(first).toMatchObject({ ok: true, threshold: expect.closeTo(keptFor(1), 3), templates: 1 })
  expect(first.score).toBeGreaterThan(100)
  expect(first).not.toHaveProperty('usual')

  server.audience.put(...others(149), personWith(idOf('child'), embeddingFrom(1), { contacts: [contactWith('mother', embeddingFrom(2))] }))
  await holds(152)
  await show('frame', photo)
  expect(await faceOf(2)).toMatchObject({ threshold: expect.closeTo(keptFor(152), 3), templates: 152 })

  const stricter = { ...server.audience.persons.get(idOf('ann'))!, version: 'a'.repeat(16), faceThreshold: 500 }
  server.audience.put(stricter)
  server.changed()
  await until('it is held', () => server.statuses.at(-1)?.held?.digest === server.audience.announcement().digest)
  await show('frame', again)
  expect(await faceOf(3)).toMatchObject({ ok: false, threshold: 500, templates: 152, usual: expect.closeTo(keptFor(152), 3) })

  server.audience.remove(...others(149).map(({ id }) => id))
  await holds(3)
  await show('frame', again)
  expect(await faceOf(4)).toMatchObject({ ok: false, threshold: 500, templates: 3, usual: expect.closeTo(keptFor(3), 3) })
})

test('a program and the console are told what is asked now; whoever else asks is not', async () => {
  const { server, holds, state, program, client, terminal } = await promisingDoor()
  await client.logIn()
  const promised = async () => (await client.call('GET', 'settings')).data
  for (const count of [50, 300]) {
    server.audience.put(...others(count - 1))
    await holds(count)
    const score = expect.closeTo(keptFor(count), 9)
    expect(await promised()).toMatchObject({ promised: { score, faces: count }, values: { threshold: null } })
    expect(await state(program)).toMatchObject({ device: { threshold: score } })
    expect(JSON.stringify(await state())).not.toMatch(/"threshold":\d|promise/)
  }
  expect(rateOfScore(terminal.state().device!.threshold) * 300).toBeCloseTo(STRANGERS / 1000 / 2, 9)

  // A threshold set here is in force, and no longer follows the number of faces.
  expect((await client.call('PUT', 'settings', { threshold: 88.5 })).data).toMatchObject({ promised: null })
  expect(await state(program)).toMatchObject({ device: { threshold: 88.5 } })
  server.audience.remove(...others(100).map(({ id }) => id))
  await holds(200)
  expect(terminal.state().device!.threshold).toBe(88.5)
  expect((await client.call('PUT', 'settings', { threshold: null })).data).toMatchObject({
    promised: { score: expect.closeTo(keptFor(200), 9), faces: 200 },
  })
})

test('where nothing is promised the console tells of no threshold', async () => {
  const sentences: string[] = []
  const door = await openDoor(pool, { ann: { photo } }, {}, { log: (sentence) => void sentences.push(sentence) })
  const client = consoleOf(door.terminal, sentences)
  await client.logIn()
  expect((await client.call('GET', 'settings')).data).toMatchObject({ promised: null })
  expect(door.terminal.state().device!.threshold).toBe(80)
})
