/** All uploads are read in the parsing thread. A file made to take long is refused, and delays no other sender. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CSV_BYTE_ORDER_MARK } from '@gatehouse/contract'
import { timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import type { Call } from '@gatehouse/contract'
import { callsByArea } from '@gatehouse/contract/calls'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { csvOf } from '@gatehouse/contract/files'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { dictionaryCalls } from '@gatehouse/contract/system/dictionary'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { until } from '../../../../../tests/support/until.ts'
import { sound } from '../../contexts/configuration/testing/files.ts'
import { workbookOf, zipOf } from '../../contexts/imports/testing/files.ts'
import type { ParserLimits } from './parser.ts'
import { createParsing, type Parsing } from './parsing.ts'
import { testingParser, type ParserOptions } from './testing/parser.ts'

const own = createParsing()
/** The parser that the next upload uses instead of its own. */
let instead: ParserOptions | null = null
const limits = ({ tooMuch }: ParserLimits) => ({ workMs: instead?.kind === 'endless' ? 300 : 600_000, tooMuch })
function pieces(...[scope, parser, source, options, path]: Parameters<Parsing['pieces']>): ReturnType<Parsing['pieces']> {
  return instead === null
    ? own.pieces(scope, parser, source, options, path)
    : own.pieces(scope, testingParser(limits(parser)), source, instead, path)
}
const parsing = {
  ...own,
  pieces,
  whole: (...[scope, parser, source, options, path]: Parameters<Parsing['whole']>) =>
    instead === null
      ? own.whole(scope, parser, source, options, path)
      : own.whole(scope, testingParser(limits(parser)), source, instead, path),
} as Parsing

let world: World
beforeAll(async () => {
  world = await startWorld({ parsing, clock: { now: () => Date.parse('2026-11-20T08:00:00Z') } })
})
afterEach(() => {
  instead = null
})
afterAll(async () => {
  await world?.stop()
  await own.stop()
})

const CALENDAR = 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20270101\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
const PEOPLE = workbookOf([
  ['Name', 'Work no.'],
  ['Ann', '1'],
])
const readCalendar = (client: Pick<Client, 'ask'>, text = CALENDAR) =>
  client.ask(timeRuleCalls.readCalendar, { body: {}, file: Buffer.from(text) })

async function importTo(site: Site) {
  const { id } = await site.call(importCalls.create, { body: { groupId: (await site.personGroup()).id } })
  const params = { id }
  return {
    rows: (file: Uint8Array) => site.ask(importCalls.addRows, { params, file }),
    photos: (file: Uint8Array) => site.ask(importCalls.addPhotos, { params, file }),
  }
}

describe('an upload is read in the parsing thread', () => {
  const KINDS: [parser: string, upload: () => Promise<{ status: number }>][] = [
    ['calendar', () => readCalendar(world)],
    ['sheet', async () => (await importTo(world)).rows(PEOPLE)],
    ['sheet', async () => (await importTo(world)).rows(Buffer.from(csvOf([['Name', 'Work no.']])))],
    ['photos', async () => (await importTo(world)).photos(zipOf([{ name: '1.jpg', bytes: Buffer.from('none') }]))],
    ['dictionary', () => world.ask(dictionaryCalls.import, { file: Buffer.from(csvOf([['enum', 'value', 'zh-CN', 'zh-TW', 'en']])) })],
    ['sound', () => world.ask(configurationCalls.upload, { body: { kind: 'voice' }, file: sound() })],
  ]
  test.each(KINDS)('%s', async (parser, upload) => {
    const parsed = () => own.tally().get(parser)?.parsed ?? 0
    const before = parsed()
    expect(await upload()).toMatchObject({ status: 200, code: 0 })
    expect(parsed()).toBe(before + 1)
  })

  test('or is one of those that no code of ours reads', () => {
    const read = [
      'strategies.readCalendar',
      'imports.addRows',
      'imports.addPhotos',
      'system.import',
      'configuration.upload',
      'visitors.create',
    ]
    /** Opened by the face engine's workers and the picture library's own threads. */
    const pictures = [
      'system.uploadImage',
      'enrolment.submit',
      'enrolment.submitSecond',
      'faces.cache',
      'faces.add',
      'cards.sendPalm',
      'device.picture',
      'device.eventPicture',
      'device.capturePicture',
      'device.postedCapture',
      // Of the desk, and of the page a link opens.
      'visitors.photo',
      'visitors.photo',
    ]
    /** Kept as they are; at most a head of a fixed size is looked at. */
    const kept = ['upgrades.addTask', 'upgrades.saveVersion', 'maintenance.sendLog']
    const uploads = Object.entries(callsByArea).flatMap(([area, groups]) =>
      groups.flatMap((group) =>
        Object.entries<Call>(group).flatMap(([name, { consumes }]) => (consumes === 'multipart' ? [`${area}.${name}`] : [])),
      ),
    )
    expect(uploads.toSorted()).toEqual([...read, ...pictures, ...kept].toSorted())
  })
})

describe('a file made to take long', () => {
  test('as a spreadsheet of formats that never close is read like any other', async () => {
    const formats = [1, 2, 3, 4].map((id) => `<numFmt numFmtId="${169 + id}" formatCode="${'['.repeat(60_000)}"/>`).join('')
    const styles =
      `<styleSheet><numFmts>${formats}</numFmts>` +
      `<cellXfs>${[0, 170, 171, 172, 173].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`
    const file = workbookOf(
      [
        ['Name', 'Work no.'],
        ['Ann', { day: '2026-01-01' }],
      ],
      [{ name: 'xl/styles.xml', bytes: Buffer.from(styles), deflate: true }],
    )
    expect(file.length).toBeLessThan(6000)
    const before = own.tally().get('sheet')?.steps ?? 0
    expect(await (await importTo(world)).rows(file)).toMatchObject({ status: 200, code: 0, data: { rows: { create: 1 } } })
    expect(own.tally().get('sheet')!.steps - before).toBeLessThan(2 * styles.length)
  })

  test('as a calendar of lists that say the same is read like any other', async () => {
    const list = (text: string) => Array(400).fill(text).join(',')
    const rule = `RRULE:FREQ=YEARLY;COUNT=900000;BYMONTH=${list('1')};BYMONTHDAY=${list('31')};BYDAY=${list('MO')}`
    const before = own.tally().get('calendar')?.steps ?? 0
    for (const start of ['20190101', '20250101', '19700101'])
      expect(
        await readCalendar(world, CALENDAR.replace('DTSTART;VALUE=DATE:20270101', `DTSTART;VALUE=DATE:${start}\r\n${rule}`)),
      ).toMatchObject({
        status: 200,
        data: { unread: [] },
      })
    expect(own.tally().get('calendar')!.steps - before).toBeLessThan(10_000)
  })

  test.each([
    ['of one heading', `${'('.repeat(3_000_000)}\n`],
    ['of headings nobody knows', `${'x,'.repeat(1_000_000)}${'name,'.repeat(1_000_000)}\n`],
  ])('as a first line %s is refused for what it lacks', async (_, text) => {
    expect(await (await importTo(world)).rows(Buffer.from(CSV_BYTE_ORDER_MARK + text))).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'file', rule: 'sheetHead' }] },
    })
  })
})

describe('a parser that never ends', () => {
  test('is ended, its file refused at its field, and the same file read thereafter', async () => {
    const one = await importTo(world)
    instead = { kind: 'endless' }
    expect(await readCalendar(world)).toMatchObject({ status: 400, data: { fields: [{ path: 'file', rule: 'calendarTooMuch' }] } })
    expect(await one.rows(PEOPLE)).toMatchObject({ status: 400, data: { fields: [{ path: 'file', rule: 'uploadTooMuch' }] } })
    instead = null
    expect(await readCalendar(world)).toMatchObject({ status: 200, data: { total: 1 } })
    expect(await one.rows(PEOPLE)).toMatchObject({ status: 200, data: { rows: { create: 1 } } })
  })

  test("does not stop the server, nor anybody else's file once it is over", async () => {
    const other = await world.addPark()
    const signals = new Int32Array(new SharedArrayBuffer(8))
    instead = { kind: 'busy', signals }
    const busy = readCalendar(world)
    await until('the parser to be busy', async () => Atomics.load(signals, 0) === 1)
    instead = null
    expect((await fetch(`${world.url}/healthz`)).status).toBe(200)
    expect(await other.call(timeRuleCalls.list, { query: {} })).toMatchObject({ total: expect.any(Number) })
    const waiting = readCalendar(other)
    Atomics.store(signals, 1, 1)
    expect(await busy).toMatchObject({ status: 400, data: { fields: [{ path: 'file', rule: 'uploadTooMuch' }] } })
    expect(await waiting).toMatchObject({ status: 200, data: { total: 1 } })
  })
})
