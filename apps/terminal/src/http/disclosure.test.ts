/** Who learns how a decision came about: nobody who stands at the door. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { portrait, portraitVariant } from '@gatehouse/dev-env/portraits'
import { DISTINCT_PORTRAITS, type FacePool } from '@gatehouse/face-engine'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { consoleOf } from '../console/testing/console.ts'
import { scratchFolder, until } from '../device/testing/folder.ts'
import { idOf } from '../device/testing/objects.ts'
import { terminalForTest } from '../settings/testing/terminal.ts'
import type { Verdict } from '../terminal.ts'
import { verdictFor } from './disclosure.ts'
import { openDoor, type Door } from './testing/door.ts'

let pool: FacePool
let ann: Buffer
let annAgain: Buffer
let stranger: Buffer
beforeAll(async () => {
  pool = testingFacePool({ workers: 1 })
  ann = Buffer.from(await portrait(DISTINCT_PORTRAITS[0]!))
  annAgain = Buffer.from(await portraitVariant(DISTINCT_PORTRAITS[0]!, 1))
  stranger = Buffer.from(await portrait(DISTINCT_PORTRAITS[2]!))
})
afterAll(() => pool.close())

/** Names of fields that tell an attacker how close an attempt came, or what a terminal consists of. */
const INNER = new Set(
  [
    'score similarity threshold lowThreshold margin checks timings',
    'held queue engine security clockOffset liveness modelId',
    'embedding promise promised templates usual',
  ].flatMap((names) => names.split(' ')),
)

/** Return the names of inner fields anywhere in a value; `sources` of settings only says who set them. */
function innerFields(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => (name === 'sources' ? [] : INNER.has(name) ? [name] : innerFields(part)))
}

/** Collect what is sent to a screen from now on. */
function listenTo(door: Door, headers: Record<string, string> = {}) {
  const ended = new AbortController()
  onTestFinished(() => ended.abort())
  let text = ''
  const listening = fetch(`${door.terminal.url}events`, { signal: ended.signal, headers }).then((response) => {
    void (async () => {
      for await (const bytes of response.body!) text += Buffer.from(bytes).toString()
    })().catch(() => {})
  })
  const received = (name: string) =>
    text
      .split('\n\n')
      .slice(0, -1)
      .filter((event) => event.startsWith(`event: ${name}\n`))
      .map((event) => JSON.parse(event.split('data: ')[1]!) as Record<string, unknown>)
  return { listening, received }
}

const doorOf = (options: Parameters<typeof openDoor>[3] = {}) =>
  openDoor(
    pool,
    { ann: { photo: ann, credentials: { cards: ['1234567890'], personalPassword: '4711' } } },
    { methods: [1, 4, 15] },
    options,
  )

const ways: readonly (readonly [string, object | Uint8Array])[] = [
  ['input/card', { number: '1234567890' }],
  ['input/card', { number: '99' }],
  ['input/password', { password: '4711' }],
  ['input/password', { password: '1' }],
]

const stateOf = async (door: Door, headers: Record<string, string> = {}) =>
  (await (await fetch(`${door.terminal.url}state`, { headers })).json()) as Record<string, unknown>

test('a terminal tells the public what was decided and nothing of how, on any of its answers and events', async () => {
  const door = await doorOf()
  const { listening, received } = listenTo(door)
  await listening
  const answers = [await door.show('frame', annAgain), await door.show('frame', stranger), await door.show('frame?stream=1', annAgain)]
  for (const [path, body] of ways) answers.push(await door.show(path, body))
  answers.push((await door.post('frame', Buffer.from('no picture'))).answer, (await door.post('input/card', {})).answer)
  expect(answers.slice(0, 2)).toMatchObject([
    { verdict: 'allowed', personName: 'ann', explanation: null, temperature: null },
    { verdict: 'rejected', failReason: 904, message: expect.stringMatching(/./) },
  ])
  for (const answer of answers) expect(innerFields(answer)).toEqual([])
  await until('all were told', () => received('verdict').length >= 6)
  for (const event of [...received('verdict'), ...received('state')]) expect(innerFields(event)).toEqual([])
  const state = await stateOf(door)
  expect(state).toMatchObject({ showsChecks: false, device: { name: 'North gate' }, link: { kind: 'online' } })
  expect(innerFields(state)).toEqual([])
})

test('where check details are shown screens are told at once, and no longer when they are switched off', async () => {
  const door = await doorOf()
  const { listening, received } = listenTo(door)
  await listening
  const latest = () => received('state').at(-1)
  await until('the first state', () => latest()?.['showsChecks'] === false)
  door.terminal.showCheckDetails(true)
  await until('the switch', () => latest()?.['showsChecks'] === true)
  expect(latest()).toMatchObject({ held: { persons: 1 }, engine: { state: 'ready' }, queue: expect.any(Object) })
  const { score, checks } = await door.show('frame', annAgain)
  expect(score).toBeGreaterThanOrEqual(80)
  expect(checks).toContainEqual(expect.objectContaining({ code: 'face', ok: true, threshold: expect.any(Number) }))
  await until('the event', () => received('verdict').some((event) => event['score'] === score))

  door.terminal.showCheckDetails(false)
  await until('the switch', () => latest()?.['showsChecks'] === false)
  expect(innerFields(latest())).toEqual([])
  expect(innerFields(await door.show('frame', annAgain))).toEqual([])
})

test('a program with the key is told how a decision came about, whatever the screen shows; its cookie is no key', async () => {
  const dataDir = scratchFolder()
  const door = await doorOf({ allowFrames: true, dataDir })
  const authorization = `Bearer ${readFileSync(join(dataDir, 'frames-key'), 'utf8').trim()}`
  const frame = async (headers: Record<string, string>) => {
    const response = await fetch(`${door.terminal.url}frame`, { method: 'POST', body: new Uint8Array(annAgain), headers })
    return (await response.json()) as Partial<Verdict>
  }
  const { listening, received } = listenTo(door, { authorization })
  await listening
  const whole = await frame({ authorization })
  expect(whole).toMatchObject({ verdict: 'allowed', timings: { engine: expect.any(Number) } })
  expect(whole.score).toBeGreaterThanOrEqual(80)
  expect(whole.checks!.length).toBeGreaterThan(3)
  await until('the event', () => received('verdict').some((event) => event['score'] === whole.score))
  expect(await stateOf(door, { authorization })).toMatchObject({ held: { persons: 1 }, settings: { values: { threshold: null } } })

  const given = await fetch(`${door.terminal.url}screenKey`, { method: 'POST', headers: { authorization } })
  const cookie = given.headers.get('set-cookie')!.split(';')[0]!
  for (const headers of [{ cookie }, { authorization: 'Bearer wrong' }, {}] as Record<string, string>[])
    expect(innerFields([await frame(headers), await stateOf(door, headers)])).toEqual([])
})

describe('the switch of the console', () => {
  test('is off at first, holds over a restart, and is for whoever has logged in', async () => {
    const first = await terminalForTest()
    const client = consoleOf(first.terminal, first.sentences)
    const shows = async ({ terminal }: typeof first) =>
      ((await (await fetch(`${terminal.url}state`)).json()) as { showsChecks: boolean }).showsChecks
    expect((await client.call('PUT', 'screen', { checkDetails: 1 })).code).toBe(401)
    await client.logIn()
    expect(await client.call('GET', 'screen')).toMatchObject({ code: 200, data: { values: { checkDetails: 0 } } })
    expect((await client.call('PUT', 'screen', { checkDetails: 'yes' })).code).not.toBe(200)
    expect(await shows(first)).toBe(false)
    expect(await client.call('PUT', 'screen', { checkDetails: 1 })).toMatchObject({ code: 200, data: { values: { checkDetails: 1 } } })
    expect(await shows(first)).toBe(true)
    await first.stop()
    const second = await terminalForTest({ dataDir: first.folder }, first.server)
    expect(await shows(second)).toBe(true)
  })
})

describe('of a person', () => {
  const verdict = (change: Partial<Verdict>): Verdict => ({
    verdict: 'rejected',
    failReason: 2,
    reason: null,
    personId: idOf('ann'),
    personName: 'Ann',
    contactName: 'Wang Fang',
    workNumber: 'W-7',
    score: 81,
    recordId: 'record',
    checks: [{ code: 'temperature', ok: true, value: 36.6 }],
    occurredAt: 0,
    repeated: false,
    timings: { engine: 0, total: 0 },
    ...change,
  })
  const ALL = ['photo', 'name', 'workNumber', 'temperature', 'time'] as const

  test('a screen is told what the settings let it show', () => {
    expect(verdictFor(verdict({}), 'public', ALL)).toMatchObject({
      personName: 'Ann',
      contactName: 'Wang Fang',
      workNumber: 'W-7',
      temperature: 36.6,
    })
    const little = verdictFor(verdict({}), 'installer', ['time'])
    expect(little).toMatchObject({ personName: '', contactName: '', temperature: null, score: 81 })
    expect(little).not.toHaveProperty('workNumber')
    expect(verdictFor(verdict({}), 'program', [])).toMatchObject({ personName: 'Ann', workNumber: 'W-7', temperature: 36.6 })
  })

  test('who could be two persons is told to no screen, and neither is a stranger', () => {
    const undecided = verdict({ checks: [{ code: 'runnerUp', ok: false, score: 80, margin: 5 }] })
    for (const audience of ['public', 'installer'] as const)
      for (const each of [undecided, verdict({ failReason: 904 })]) {
        const shown = verdictFor(each, audience, ALL)
        expect(shown).toMatchObject({ personId: null, personName: '', contactName: '' })
        expect(shown).not.toHaveProperty('workNumber')
      }
    expect(verdictFor(undecided, 'program', ALL)).toMatchObject({ personId: idOf('ann'), personName: 'Ann' })
  })

  test('a temperature below zero is a mark, and the words of a rule come without its check', () => {
    expect(verdictFor(verdict({ checks: [{ code: 'temperature', ok: false, value: -2 }] }), 'public', ALL).temperature).toBeNull()
    const untold = verdict({ failReason: 17, checks: [{ code: 'liveness', ok: false, score: null, threshold: 0.6 }] })
    expect(verdictFor(untold, 'public', ALL).explanation).toBe('livenessUntold')
    const full = verdict({ failReason: 19, checks: [{ code: 'secondVerification', ok: false, outcome: 'refused', restriction: 'full' }] })
    expect(verdictFor(full, 'public', ALL).explanation).toBe('full')
  })
})
