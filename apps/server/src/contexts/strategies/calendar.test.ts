import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXCEPTION_DATES } from '@gatehouse/contract'
import { timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'

/** Friday evening in London, Saturday in Shanghai. */
const NOW = Date.parse('2026-11-20T18:30:00Z')

let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => NOW } })
})
afterAll(() => world?.stop())

const calendar = (...events: string[][]): string =>
  ['BEGIN:VCALENDAR', ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']), 'END:VCALENDAR', ''].join('\r\n')
const asFile = (text: string | Uint8Array) => ({ body: {}, file: Buffer.from(text as string) })
const read = (park: Site, text: string) => park.call(timeRuleCalls.readCalendar, asFile(text))

const HOLIDAYS = calendar(
  ['DTSTART;VALUE=DATE:20261120', 'DTEND;VALUE=DATE:20261123', 'SUMMARY:校庆'],
  ['DTSTART;VALUE=DATE:20201225', 'RRULE:FREQ=YEARLY', 'EXDATE;VALUE=DATE:20271225', 'SUMMARY:Christmas'],
)

describe('a calendar file', () => {
  test('is answered by the days it names, from the park’s own today on, and nothing is stored', async () => {
    const days = async (zone: string) => (await read(await world.addPark({ zone }), HOLIDAYS)).days.map(({ date }) => date)
    expect(await days('Asia/Shanghai')).toEqual(['2026-11-21', '2026-11-22', '2026-12-25', '2028-12-25'])
    expect((await days('Europe/London'))[0]).toBe('2026-11-20')
    const park = await world.addPark({ zone: 'Asia/Shanghai' })
    expect((await read(park, HOLIDAYS)).days[0]).toEqual({ date: '2026-11-21', summaries: ['校庆'] })
    expect((await park.call(timeRuleCalls.list, { query: {} })).content.flatMap((rule) => rule.forbiddenExceptionDates)).toEqual([])
  })

  test('may be sent as text too', async () => {
    expect(await world.call(timeRuleCalls.readCalendar, { body: { text: HOLIDAYS } } as never)).toMatchObject({
      total: expect.any(Number),
      unread: [],
    })
  })

  test.each([
    ['that is a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]), 'calendarUnreadable'],
    ['that is another text', 'name,date\n', 'calendarUnreadable'],
    ['without an event', calendar(), 'calendarEmpty'],
    [
      'that goes on for ever',
      calendar(...Array.from({ length: 100 }, () => ['DTSTART;VALUE=DATE:20260101', 'DTEND;VALUE=DATE:99991231'])),
      'calendarTooMuch',
    ],
  ])('%s is refused at its field', async (_, content, rule) => {
    expect(await world.ask(timeRuleCalls.readCalendar, asFile(content))).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'file', rule }] },
    })
  })

  test('that is none at all, or larger than a megabyte, is refused', async () => {
    expect(await world.ask(timeRuleCalls.readCalendar, { body: {} } as never)).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'file', rule: 'required' }] },
    })
    expect(await world.ask(timeRuleCalls.readCalendar, { body: { text: 'x' } } as never)).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'text', rule: 'calendarUnreadable' }] },
    })
    expect(await world.ask(timeRuleCalls.readCalendar, asFile(Buffer.alloc(1_048_577, 0x20)))).toMatchObject({ status: 413 })
  })

  test('is for those who may change rules', async () => {
    const guard = await world.session({ permissions: ['access.record'] })
    expect(await guard.ask(timeRuleCalls.readCalendar, asFile(HOLIDAYS))).toMatchObject({ status: 403, code: 100510 })
  })
})

test('a rule holds the dates of two calendars of ten years, at the terminal too [FIELD-2]', async () => {
  const park = await world.addPark()
  const [door, person] = [await park.device(), await park.person()]
  const dates = Array.from({ length: 2 * EXCEPTION_DATES }, (_, day) =>
    new Date(Date.parse('2026-01-01') + day * 86_400_000).toISOString().slice(0, 10),
  )
  const [allowed, forbidden] = [dates.slice(0, EXCEPTION_DATES), dates.slice(EXCEPTION_DATES)]
  const rule = await park.timeRule({ allowedExceptionDates: allowed, forbiddenExceptionDates: forbidden })
  await park.strategy({ persons: [person], devices: [door], timeRules: [rule], methods: [1, 4] })
  expect(await park.call(timeRuleCalls.read, { params: { id: rule.id } })).toMatchObject({
    allowedExceptionDates: allowed,
    forbiddenExceptionDates: forbidden,
  })
  await world.settled()
  const { timeRules } = await createClient(world.url, { basic: [door.code, door.secret] }).call(deviceProtocolCalls.manifest, {})
  expect(timeRules).toMatchObject([{ id: rule.id, allowedExceptionDates: allowed, forbiddenExceptionDates: forbidden }])
  const one = {
    name: 'One more',
    periods: [{ weekday: 1, start: '08:00', end: '12:00' }],
    forbiddenExceptionDates: dates.slice(0, EXCEPTION_DATES + 1),
  }
  expect(await park.ask(timeRuleCalls.create, { body: one })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'forbiddenExceptionDates', rule: 'max.array' }] },
  })
})
