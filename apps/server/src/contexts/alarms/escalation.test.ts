/** Alarms that nobody handles are reported again, and chosen alarms are exported as a case. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { caseCalls } from '@gatehouse/contract/alarms/cases'
import { escalationCalls } from '@gatehouse/contract/alarms/escalation'
import { ruleAlarmCalls } from '@gatehouse/contract/alarms/rule-alarms'
import { accessResult, alarmHandlingStatusAlt, alarmLevel, failReason } from '@gatehouse/contract/enums'
import { messageCalls } from '@gatehouse/contract/system/messages'
import type { InputOf } from '@gatehouse/contract'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import { recordId } from '../../platform/database/ids.ts'
import { readXlsx } from '../../platform/documents/testing/xlsx.ts'
import { fetchExport, isAt, partsOfZip } from '../exports/testing/exports.ts'
import { passages, sentBy } from '../records/testing/records.ts'

const NOW = Date.UTC(2026, 10, 21, 4)
const MINUTE = 60_000
const DAY = 86_400_000
const LEFT = { result: accessResult.rejected, failReason: failReason.personReturned } as const

let world: World
let ahead = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => NOW + ahead } })
})
afterAll(() => world?.stop())

/** Create a park with a door. */
async function place() {
  const site = await world.addPark()
  const door = await site.device({ name: 'North gate' })
  return { site, door }
}

let epochs = 0
/** Let people who left be refused, each so many milliseconds ago. @returns the ids of the records */
async function refuse({ park, person }: Site, door: MadeDevice, agos: readonly number[], hasPicture = false): Promise<string[]> {
  const epoch = `boot-${++epochs}`
  const now = world.clock.now()
  const people = await Promise.all(agos.map(() => person({ name: 'Ada Lovelace' })))
  const records = passages(agos.map((ago, at) => ({ ...LEFT, personId: people[at]!.id, occurredAt: now - ago, hasPicture })))
  await world.server.contexts.records.ingest({ deviceId: door.id, parkId: park.id }, sentBy(records, { epoch, sentAt: now }))
  await world.server.platform.events.settled()
  return records.map(({ seq }) => recordId(door.id, epoch, seq))
}

const alarmsOf = async ({ call }: Pick<Site, 'call'>) => (await call(ruleAlarmCalls.list, { body: {} })).content
const run = async () => ((await world.server.contexts.alarms.escalation.job.run()) as { counts: object }).counts
const mails = async (to: string) =>
  (await world.call(messageCalls.messages, { query: { size: 100 } })).content.filter((message) => message.to === to)
const textOf = (id: string) => world.server.platform.messages.textOf(id)

describe('alarms that nobody has handled', () => {
  test('are marked once after the minutes of the park, and listed in one e-mail to each address', async () => {
    const { site, door } = await place()
    const [first, second] = [`${crypto.randomUUID()}@example.org`, `${crypto.randomUUID()}@example.org`]
    const settings = { enabled: true, minutes: 10, minLevel: alarmLevel.medium, emails: [first, second, first] }
    expect(await site.call(escalationCalls.save, { body: settings })).toMatchObject({ emails: [first, second], minutes: 10 })
    await refuse(site, door, [MINUTE, 0])
    const [handled] = await alarmsOf(site)
    await site.call(ruleAlarmCalls.dispose, { body: { id: handled!.id, status: alarmHandlingStatusAlt.ignored } })

    ahead += 9 * MINUTE
    expect(await run()).toEqual({ alarms: 0 })
    ahead += MINUTE
    await refuse(site, door, [0])
    expect(await run()).toEqual({ alarms: 1 })
    expect(await run()).toEqual({ alarms: 0 })
    expect((await alarmsOf(site)).map(({ escalatedAt }) => escalatedAt)).toEqual([null, null, world.clock.now()])
    for (const to of [first, second]) {
      const [mail, ...others] = await mails(to!)
      expect(others).toEqual([])
      const text = await textOf(mail!.id)
      expect(text).toContain('North gate')
      expect(text).not.toContain('Ada')
    }
  })

  test('of a lower level, of long ago, or of a park that did not ask for it are left alone', async () => {
    const [{ site, door }, other] = [await place(), await place()]
    await site.call(escalationCalls.save, { body: { enabled: true, minutes: 1, minLevel: alarmLevel.medium } })
    await refuse(site, door, [2 * DAY])
    await refuse(other.site, other.door, [0])
    ahead += 2 * MINUTE
    expect(await run()).toEqual({ alarms: 0 })
    await refuse(site, door, [0])
    await site.call(escalationCalls.save, { body: { minLevel: alarmLevel.high } })
    ahead += 2 * MINUTE
    expect(await run()).toEqual({ alarms: 0 })
    await site.call(escalationCalls.save, { body: { minLevel: alarmLevel.low } })
    expect(await run()).toEqual({ alarms: 1 })
  })

  test('[VAL-198] [VAL-199] are sent to at most 20 addresses, each of which is one', async () => {
    const save = (emails: string[]) => world.ask(escalationCalls.save, { body: { emails } })
    const addresses = Array.from({ length: 21 }, (_, at) => `guard${at}@example.org`)
    expect(await save(addresses)).toMatchObject({ status: 200, code: 1200002, data: { fields: [{ path: 'emails' }] } })
    expect(await save(['guard@example.org', 'nobody'])).toMatchObject({
      status: 200,
      code: 1200001,
      data: { fields: [{ path: 'emails' }] },
    })
    expect(await save(addresses.slice(1))).toMatchObject({ code: 0 })
    const { version } = await world.call(escalationCalls.read, {})
    expect(await world.ask(escalationCalls.save, { body: { minutes: 3, version: version - 1 } })).toMatchObject({ status: 409 })
  })

  test('are told by e-mail to nobody by a user who may not see the watch list', async () => {
    const other = await world.session({ roleSign: 'other', permissions: ['alert'] })
    expect(await other.ask(escalationCalls.save, { body: { enabled: true } })).toMatchObject({ status: 403 })
  })
})

describe('a case', () => {
  type Body = InputOf<(typeof caseCalls)['export']['body']>
  const SETTINGS = { name: 'Break-in', notes: 'Seen twice', format: 'xlsx' } as const
  /** Ask for a case, wait for it and download it. */
  async function exported(client: Client, body: Body): Promise<Buffer> {
    const { id } = await client.call(caseCalls.export, { body })
    const task = await isAt(client, id, 'exported')
    return Buffer.from(await (await fetchExport(client, task.id)).arrayBuffer())
  }
  const sheetOf = async (bytes: Uint8Array) => (await readXlsx(bytes)).rows.map((cells) => cells.map(({ value }) => String(value ?? '')))

  test('is the chosen alarms in their order, with pictures, the steps of their handling, and notes', async () => {
    const { site, door } = await place()
    const [, pictured] = await refuse(site, door, [2 * MINUTE, MINUTE], true)
    const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
      .webp()
      .toBuffer()
    await world.server.contexts.records.records.attachPicture({ parkId: site.park.id }, { deviceId: door.id }, pictured!, picture)
    const [newer, older] = await alarmsOf(site)
    const dealingRecord = 'Called the office'
    await site.call(ruleAlarmCalls.dispose, { body: { id: older!.id, status: alarmHandlingStatusAlt.falseAlarm, dealingRecord } })
    const alarms = [older!, newer!, older!].map(({ id }) => ({ kind: 'rule' as const, id }))
    const rows = await sheetOf(await exported(site.client, { ...SETTINGS, alarms }))
    expect(rows).toHaveLength(4)
    expect(rows[1]).toEqual(expect.arrayContaining(['Break-in', 'Seen twice']))
    expect(rows[2]).toEqual(expect.arrayContaining(['North gate', 'Ada Lovelace', expect.stringContaining(dealingRecord)]))
    expect(rows[3]).toEqual(expect.arrayContaining(['North gate', 'Ada Lovelace']))
    const parts = await partsOfZip(await exported(site.client, { ...SETTINGS, alarms, format: 'zip' }))
    expect([...parts.keys()].filter((path) => path.endsWith('.webp'))).toHaveLength(1)
  })

  test('leaves out alarms that its user may not see, and is none without any', async () => {
    const { site, door } = await place()
    await refuse(site, door, [0])
    const [alarm] = await alarmsOf(site)
    const elsewhere = await world.addPark()
    const alarms = [{ kind: 'rule' as const, id: alarm!.id }]
    expect(await elsewhere.client.ask(caseCalls.export, { body: { ...SETTINGS, alarms } })).toMatchObject({ status: 400 })
    const viewer = await world.session({ park: site.park, permissions: ['surveillance.alert'] })
    expect(await viewer.ask(caseCalls.export, { body: { ...SETTINGS, alarms } })).toMatchObject({ status: 403 })
  })
})
