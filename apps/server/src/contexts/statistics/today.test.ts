import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { passages, sentBy } from '../records/testing/records.ts'

/** Friday evening in London, Saturday 02:30 in Shanghai, Friday 10:30 in Los Angeles. */
const NOW = Date.parse('2026-11-20T18:30:00Z')

let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => NOW } })
})
afterAll(() => world?.stop())

async function parkWith(
  zone: string,
  recordsOf: (person: (name: string) => Promise<string>) => Promise<Partial<RecordObject>[]>,
): Promise<Site> {
  const park = await world.addPark({ zone })
  const door = await park.device()
  const known = new Map<string, string>()
  const person = async (name: string) => {
    if (!known.has(name)) known.set(name, (await park.person({ name })).id)
    return known.get(name)!
  }
  const records = passages(await recordsOf(person))
  await world.server.contexts.records.ingest({ deviceId: door.id, parkId: park.park.id }, sentBy(records, { sentAt: NOW }))
  return park
}
const today = (park: Site) => park.call(statisticsCalls.today, {})
const at = (text: string) => Date.parse(text)
const QUIET = { in: 0, out: 0, ordinary: 0 }

describe("today's figures", () => {
  test('are all zero where nothing has happened, for each of 24 hours', async () => {
    const figures = await today(await world.addPark())
    expect(figures).toEqual({
      inside: 0,
      allowed: 0,
      rejected: 0,
      strangers: 0,
      hours: Array.from({ length: 24 }, (_, hour) => ({ hour, ...QUIET })),
      previous: { allowed: 0, rejected: 0, hours: Array.from({ length: 24 }, (_, hour) => ({ hour, in: 0, out: 0 })) },
    })
  })

  test("begin at midnight of the park, not of the server's zone", async () => {
    const park = await parkWith('Asia/Shanghai', async () => [
      { occurredAt: at('2026-11-20T15:59:59.999Z') },
      { occurredAt: at('2026-11-20T16:00:00Z') },
      { occurredAt: at('2026-11-20T18:10:00Z') },
      { occurredAt: at('2026-11-20T18:20:00Z'), direction: 2 },
    ])
    const figures = await today(park)
    expect(figures.allowed).toBe(3)
    expect(figures.hours.filter((row) => row.in + row.out > 0)).toEqual([
      { hour: 0, in: 1, out: 0, ordinary: 0 },
      { hour: 2, in: 1, out: 1, ordinary: 0 },
    ])
  })

  test("tell what the park's whole yesterday was, and count nothing of it as today or as an ordinary day", async () => {
    const park = await parkWith('Asia/Shanghai', async () => [
      // Friday in Shanghai is from Thursday 16:00 UTC to Friday 16:00 UTC.
      { occurredAt: at('2026-11-19T15:59:59.999Z') },
      { occurredAt: at('2026-11-19T16:00:00Z') },
      { occurredAt: at('2026-11-20T00:10:00Z') },
      { occurredAt: at('2026-11-20T15:59:59.999Z'), direction: 2 },
      { occurredAt: at('2026-11-20T10:00:00Z'), result: 0, failReason: 6 },
      { occurredAt: at('2026-11-19T15:00:00Z'), result: 0, failReason: 6 },
    ])
    const { previous, hours, ...day } = await today(park)
    expect(day).toEqual({ inside: 0, allowed: 0, rejected: 0, strangers: 0 })
    expect(hours).toEqual(Array.from({ length: 24 }, (_, hour) => ({ hour, ...QUIET })))
    expect(previous).toMatchObject({ allowed: 3, rejected: 1 })
    expect(previous.hours.filter((row) => row.in + row.out > 0)).toEqual([
      { hour: 0, in: 1, out: 0 },
      { hour: 8, in: 1, out: 0 },
      { hour: 23, in: 0, out: 1 },
    ])
  })

  test('tell the refused from strangers: somebody known without a strategy is none', async () => {
    const park = await parkWith('America/Los_Angeles', async (person) => [
      { occurredAt: NOW - 1_000, result: 0, failReason: 904 },
      { occurredAt: NOW - 2_000, result: 0, failReason: 19 },
      { occurredAt: NOW - 3_000, result: 0, failReason: 6, personId: await person('Late') },
      { occurredAt: at('2026-11-20T07:59:00Z'), result: 0, failReason: 904 },
    ])
    expect(await today(park)).toMatchObject({ allowed: 0, rejected: 3, strangers: 1, inside: 0 })
  })

  test('count inside whoever came in last, whatever order the records arrived in', async () => {
    const park = await parkWith('Asia/Shanghai', async (person) => [
      { personId: await person('Back'), occurredAt: at('2026-11-20T18:00:00Z') },
      { personId: await person('Back'), occurredAt: at('2026-11-20T17:00:00Z'), direction: 2 },
      { personId: await person('Gone'), occurredAt: at('2026-11-20T16:30:00Z') },
      { personId: await person('Gone'), occurredAt: at('2026-11-20T17:30:00Z'), direction: 2 },
      { personId: await person('Refused'), occurredAt: at('2026-11-20T17:30:00Z') },
      { personId: await person('Refused'), occurredAt: at('2026-11-20T17:40:00Z'), direction: 2, result: 0, failReason: 6 },
      { personId: await person('Yesterday'), occurredAt: at('2026-11-20T15:00:00Z') },
    ])
    expect((await today(park)).inside).toBe(2)
  })

  test('count nobody inside who has left the register since [FIELD-9]', async () => {
    const ids: string[] = []
    const park = await parkWith('Asia/Shanghai', async (person) => {
      for (const name of ['Leaver', 'Stayer', 'Disabled']) ids.push(await person(name))
      return ids.map((personId, index) => ({ personId, occurredAt: at('2026-11-20T18:00:00Z') + index }))
    })
    const [leaver, , disabled] = ids
    expect((await today(park)).inside).toBe(3)
    // A person who was disabled has still not left.
    await park.call(peopleCalls.status, { body: { ids: [disabled!], status: 0 } })
    expect((await today(park)).inside).toBe(3)
    await park.call(peopleCalls.delete, { query: {}, body: { ids: [leaver!] } })
    expect((await today(park)).inside).toBe(2)
    expect((await today(park)).allowed).toBe(3)
  })

  test('compare with the mean of the same weekday on which anybody passed, four weeks back', async () => {
    const park = await parkWith('Asia/Shanghai', async () => [
      // Saturdays in Shanghai start on Friday at 16:00 UTC.
      { occurredAt: at('2026-11-13T16:10:00Z') },
      { occurredAt: at('2026-11-13T16:20:00Z') },
      { occurredAt: at('2026-11-13T16:30:00Z') },
      { occurredAt: at('2026-11-13T16:40:00Z'), direction: 2 },
      { occurredAt: at('2026-10-23T17:10:00Z') },
      // Another weekday, too long ago, or refused.
      { occurredAt: at('2026-11-12T16:10:00Z') },
      { occurredAt: at('2026-10-16T16:10:00Z') },
      { occurredAt: at('2026-11-06T16:10:00Z'), result: 0, failReason: 6 },
    ])
    const { hours, allowed } = await today(park)
    expect(allowed).toBe(0)
    expect(hours.filter((row) => row.ordinary > 0)).toEqual([
      { hour: 0, in: 0, out: 0, ordinary: 1.5 },
      { hour: 1, in: 0, out: 0, ordinary: 0.5 },
    ])
  })

  test('are for those who may see records', async () => {
    expect(await world.client.as(null).ask(statisticsCalls.today, {})).toMatchObject({ status: 401 })
    const planner = await world.session({ permissions: ['access.rule'] })
    expect(await planner.ask(statisticsCalls.today, {})).toMatchObject({ status: 403, code: 100510 })
  })
})
