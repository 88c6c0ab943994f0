/** Measures how long the server is blocked while it reads uploaded files: a large spreadsheet, and a calendar designed to take long. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { workbookOf } from '@gatehouse/server/contexts/imports/testing/files'
import type { BenchResult } from './result.ts'

const ROWS = 5000
const CALENDARS = 10
/** A delay that a user does not notice. */
const LIMIT_MS = 50
const NANOSECONDS = 1e6

/** Measure delays of the thread that answers requests, with server and client, during some work. */
async function delaysDuring(what: string, work: () => Promise<void>): Promise<BenchResult[]> {
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  histogram.enable()
  await work()
  histogram.disable()
  const value = histogram.percentile(99) / NANOSECONDS
  return [
    { name: `${what}: event loop, p99`, value, unit: 'ms', ratioTo: `${LIMIT_MS} ms`, ratio: value / LIMIT_MS, goal: 1 },
    { name: `${what}: event loop, longest`, value: histogram.max / NANOSECONDS, unit: 'ms' },
  ]
}

async function handIn(world: World, file: Uint8Array): Promise<void> {
  const { id } = await world.call(importCalls.create, { body: { groupId: (await world.personGroup()).id } })
  const { status, data } = await world.ask(importCalls.addRows, { params: { id }, file })
  if (status !== 200) throw new Error(`the spreadsheet is answered with ${status}: ${JSON.stringify(data)}`)
}

/** Return a calendar that uses all the steps a calendar may take. */
function longCalendar(): Uint8Array {
  const lists = 'BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYMONTHDAY=-1,-2,-3,28,29,30,31;BYDAY=MO,TU,WE,TH,FR,SA,SU'
  const event = ['BEGIN:VEVENT', 'DTSTART;TZID=America/New_York:19700101T230000', `RRULE:FREQ=DAILY;COUNT=900000;${lists}`, 'END:VEVENT']
  return Buffer.from(['BEGIN:VCALENDAR', ...Array.from({ length: 4000 }, () => event).flat(), 'END:VCALENDAR'].join('\r\n'))
}

export async function run(): Promise<BenchResult[]> {
  const world = await startWorld({ checkAnswers: false })
  try {
    const head = ['Name', 'Work no.', 'Phone', 'Remark']
    const rows = Array.from({ length: ROWS }, (_, at) => [`Person ${at}`, `N${at}`, `138${String(at).padStart(8, '0')}`, `Hired ${at}`])
    const spreadsheet = workbookOf([head, ...rows])
    const calendar = longCalendar()
    // Warms up the worker thread and what is compiled at first use.
    await handIn(world, workbookOf([head, ...rows.slice(0, 50)]))
    await delay(500)
    return [
      ...(await delaysDuring(`a spreadsheet of ${ROWS} rows`, () => handIn(world, spreadsheet))),
      ...(await delaysDuring('a calendar that takes as long as one may', async () => {
        for (let sent = 0; sent < CALENDARS; sent++) {
          const { data } = await world.ask(timeRuleCalls.readCalendar, { body: {}, file: calendar })
          if (JSON.stringify(data).includes('calendarTooMuch') === false)
            throw new Error(`the calendar is answered with ${JSON.stringify(data)}`)
        }
      })),
    ]
  } finally {
    await world.stop()
  }
}
