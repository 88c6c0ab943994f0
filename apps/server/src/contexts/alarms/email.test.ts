/** E-mails about alarms: to whom, when, what they say, and what became of the alarms that had none of their own. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EMAIL_ALARM_ADDRESSES } from '@gatehouse/contract'
import { aiBoxCalls } from '@gatehouse/contract/alarms/ai-box'
import { aiBoxDeviceCalls } from '@gatehouse/contract/device/ai-box'
import { emailAlarmCalls } from '@gatehouse/contract/alarms/email'
import { escalationCalls } from '@gatehouse/contract/alarms/escalation'
import { alarmLevel } from '@gatehouse/contract/enums/alarms'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { specialCalls } from '@gatehouse/contract/people/special'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { startMailServer, type MailServer } from '../../../../../tests/support/mail-server.ts'
import { until } from '../../../../../tests/support/until.ts'
import { createAlarmMails, type AlarmMails, type NotedAlarm } from './alarm-mails.ts'
import { createAlarmSettings } from './alarm-settings.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** The clock of the world: ten minutes after the full hour at the start, so that no test runs into the next hour. */
const offset = (70 * MINUTE - (Date.now() % HOUR)) % HOUR
let later = 0
const clock = { now: () => Date.now() + offset + later }
let world: World
let mailServer: MailServer
let mails: AlarmMails
beforeAll(async () => {
  mailServer = await startMailServer()
  world = await startWorld({ config: { smtpUrl: mailServer.url }, clock, jobsAsleep: true })
  const { platform, contexts } = world.server
  mails = createAlarmMails(platform, {
    people: contexts.people.service,
    organisation: contexts.organisation.service,
    publicAddress: () => 'https://gate.example.org/',
    settings: createAlarmSettings(platform, contexts.organisation.settings).email,
  })
})
afterAll(async () => {
  await world?.stop()
  await mailServer?.stop()
})
beforeEach(() => {
  mailServer.received.length = 0
})

const GUARD = 'guard@example.org'
/** Create a park that wants e-mails in English. */
async function createPark(settings: object = {}): Promise<Site> {
  const site = await world.addPark()
  await site.call(emailAlarmCalls.save, { body: { enabled: true, emails: [GUARD], language: 'en', ...settings } })
  return site
}

const bytesOf = (text: string): string =>
  text.replace(/((?:=[0-9A-F]{2})+)/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString())

/** Return subject and text of a mail, with their encodings undone. */
function decoded(raw: string): string {
  const [head = '', ...body] = raw.split('\r\n\r\n')
  const text = body.join('\n\n')
  const encoding = /^content-transfer-encoding: (\S+)/im.exec(head)?.[1]
  const subject = (/^Subject: (.*(?:\r\n[ \t].*)*)/im.exec(head)?.[1] ?? '')
    .replace(/=\?UTF-8\?(Q|B)\?(.*?)\?=\s*/gi, (_, kind: string, coded: string) =>
      kind === 'B' ? Buffer.from(coded, 'base64').toString() : bytesOf(coded.replaceAll('_', ' ')),
    )
    .replace(/\r\n[ \t]/g, ' ')
  if (encoding === 'base64') return `${subject}\n${Buffer.from(text, 'base64').toString()}`
  return `${subject}\n${encoding === 'quoted-printable' ? bytesOf(text.replace(/=\r?\n/g, '')) : text}`
}
const received = (count: number): Promise<string[]> =>
  until(`${count} e-mails`, () => (mailServer.received.length >= count ? mailServer.received.map(({ raw }) => decoded(raw)) : null))
const jobOf = (name: string) => world.server.contexts.alarms.jobs!.find((job) => job.name === name)!
/** Run the job as it would so much later, and deliver what it sends. */
async function runAfter(milliseconds: number): Promise<void> {
  later = milliseconds
  try {
    await jobOf('alarms.sendMails').run()
    await world.server.platform.messages.deliver()
  } finally {
    later = 0
  }
}
/** Note alarms as the area that stores them would, each in a transaction of its own. */
async function note({ park }: Site, ...alarms: Partial<NotedAlarm>[]): Promise<void> {
  const { platform } = world.server
  // One after the other, however fast they are noted.
  const firstAt = world.clock.now() - alarms.length
  for (const [index, alarm] of alarms.entries())
    await platform.transaction((tx) =>
      mails.note(
        tx,
        { parkId: park.id },
        {
          alarmId: crypto.randomUUID(),
          kind: 'aiBox',
          at: firstAt + index,
          key: 'same',
          level: alarmLevel.high,
          event: 'fire',
          deviceId: crypto.randomUUID(),
          deviceName: 'Box',
          ...alarm,
        },
      ),
    )
  await world.settled()
}
const unsentOf = async (site: Pick<Site, 'call'>) => (await site.call(emailAlarmCalls.unsent, { query: {} })).content

describe('the settings', () => {
  test(`[VAL-198] at most ${EMAIL_ALARM_ADDRESSES} addresses are taken, each counted once`, async () => {
    const site = await world.addPark()
    const emails = Array.from({ length: EMAIL_ALARM_ADDRESSES }, (_, number) => `guard${number}@example.org`)
    expect(await site.ask(emailAlarmCalls.save, { body: { emails: [...emails, 'one.more@example.org'] } })).toMatchObject({
      status: 200,
      code: 1200002,
      data: { fields: [{ path: 'emails', rule: 'code.1200002' }] },
    })
    expect(await site.call(emailAlarmCalls.read, {})).toMatchObject({ emails: [] })
    const saved = await site.call(emailAlarmCalls.save, { body: { emails: [...emails, emails[0]!.toUpperCase()] } })
    expect(saved.emails).toHaveLength(EMAIL_ALARM_ADDRESSES)
  })

  test('[VAL-199] an address that is none is refused, with its place', async () => {
    const site = await world.addPark()
    for (const wrong of ['guard', 'guard@', '@example.org', 'a b@example.org', ''])
      expect(await site.ask(emailAlarmCalls.save, { body: { emails: [GUARD, wrong] } }), wrong).toMatchObject({
        status: 200,
        code: 1200001,
        data: { fields: [{ path: 'emails', rule: 'code.1200001', params: { index: 1 } }] },
      })
  })

  test('are off at first, the park’s own, and are not turned on for nobody', async () => {
    const site = await world.addPark()
    expect(await site.call(emailAlarmCalls.read, {})).toMatchObject({
      enabled: false,
      emails: [],
      language: 'zh-CN',
      delivers: true,
      version: 0,
    })
    expect(await site.ask(emailAlarmCalls.save, { body: { enabled: true } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'emails', rule: 'required' }] },
    })
    await site.call(emailAlarmCalls.save, { body: { enabled: true, emails: [GUARD], version: 0 } })
    expect(await site.ask(emailAlarmCalls.save, { body: { enabled: false, version: 0 } })).toMatchObject({ status: 409 })
    expect(await (await world.addPark()).call(emailAlarmCalls.read, {})).toMatchObject({ enabled: false, emails: [] })
  })

  test('are not set by who is shown some devices only, or may not see the watch list: e-mails tell of all', async () => {
    const site = await world.addPark()
    const { id } = await site.deviceGroup()
    const options = { park: site.park, permissions: ['alert'] as const }
    const limited = await world.session({ ...options, roleSign: 'parkAdmin', deviceGroupIds: [id] })
    const other = await world.session({ ...options, roleSign: 'other' })
    for (const client of [limited, other]) {
      expect(await client.ask(emailAlarmCalls.save, { body: { emails: [GUARD] } })).toMatchObject({ status: 403, code: 100510 })
      const change = { enabled: true, emails: [GUARD] }
      expect(await client.ask(escalationCalls.save, { body: change })).toMatchObject({ status: 403, code: 100510 })
    }
    expect((await site.call(emailAlarmCalls.read, {})).emails).toEqual([])
  })

  test('show addresses masked to users who see personal data so, and take them back', async () => {
    const site = await world.addPark()
    await site.call(emailAlarmCalls.save, { body: { emails: [GUARD, 'gate@example.org'] } })
    const masked = await world.session({ park: site.park, permissions: ['alert'], roleSign: 'parkAdmin', masking: true })
    const { emails } = await masked.call(emailAlarmCalls.read, {})
    expect(emails).toEqual(['g***@example.org', 'g***@example.org'])
    await masked.call(emailAlarmCalls.save, { body: { emails: [...emails, 'new@example.org'] } })
    expect(await site.call(emailAlarmCalls.read, {})).toMatchObject({ emails: [GUARD, 'gate@example.org', 'new@example.org'] })
  })
})

describe('an alarm', () => {
  test('of an AI box is sent to every address, and says what, where and when, with a link', async () => {
    const site = await createPark({ emails: [GUARD, 'chief@example.org'] })
    await world.call(installationCalls.saveIpAddress, { query: { ip: 'gate.example.org' } })
    const device = await site.device({ name: 'Box of the gate', type: deviceType.aiBox })
    const box = createClient(world.url, { basic: [device.code, device.secret] })
    const eventTime = world.clock.now()
    await box.call(aiBoxDeviceCalls.event, { body: { eventId: '1', eventType: 'fire', eventTime, ipcName: 'North' } })
    const [text] = await received(2)
    expect(mailServer.received.flatMap(({ to }) => to).toSorted()).toEqual(['chief@example.org', GUARD])
    expect(text).toMatch(/^High: Fire – Box of the gate \/ North\n/)
    for (const line of ['Alarm: Fire', 'Level: High', `Park: ${site.park.name}`, 'Device: Box of the gate', 'Camera: North'])
      expect(text).toContain(line)
    expect(text).toContain(`gate.example.org`)
    expect(text).toContain(`/#/AIBoxAlarm?time=${eventTime}`)
    expect((await site.call(aiBoxCalls.list, { body: {} })).total).toBe(1)
    expect(await unsentOf(site)).toEqual([])
  })

  test('that is repeated is counted in one follow-up; a higher level and another key are sent at once', async () => {
    const site = await createPark({ groupMinutes: 10 })
    await note(site, { level: 2 }, { level: 2 }, { level: 1 }, { level: 2 }, { level: 3 }, { key: 'other', level: 2 })
    await received(3)
    // Of the lowest level no e-mails are wanted.
    expect((await unsentOf(site)).map(({ reason, includedAt }) => [reason, includedAt])).toEqual([
      ['repeated', null],
      ['level', null],
      ['repeated', null],
    ])
    await runAfter(10 * MINUTE)
    const texts = await received(4)
    expect(texts[3]).toContain('Repeated since the first e-mail: 2')
    expect((await unsentOf(site)).filter(({ includedAt }) => includedAt !== null)).toHaveLength(2)
    await runAfter(30 * MINUTE)
    expect(mailServer.received).toHaveLength(4)
  })

  test('beyond the e-mails of the hour is in one digest', async () => {
    const site = await createPark({ budgetPerHour: 2, groupMinutes: 0 })
    await note(site, { key: '1' }, { key: '2' }, { key: '3', deviceName: 'Late box' }, { key: '3', deviceName: 'Late box' }, { key: '4' })
    await received(2)
    expect((await unsentOf(site)).map(({ reason }) => reason)).toEqual(['budget', 'budget', 'budget'])
    await runAfter(HOUR)
    const digest = (await received(3))[2]!
    expect(digest).toMatch(/^More alarms \(3\)/)
    expect(digest).toMatch(/2× · High · Fire – Late box/)
    expect((await unsentOf(site)).every(({ includedAt }) => includedAt !== null)).toBe(true)
    await runAfter(2 * HOUR)
    expect(mailServer.received).toHaveLength(3)
  })

  test('is sent once where two servers look at the same time', async () => {
    const site = await createPark()
    const { platform } = world.server
    await platform.transaction((tx) =>
      mails.note(
        tx,
        { parkId: site.park.id },
        {
          alarmId: crypto.randomUUID(),
          kind: 'deviceEvent',
          at: world.clock.now(),
          key: 'door',
          level: 3,
          event: '1',
          deviceId: crypto.randomUUID(),
          deviceName: 'Door',
        },
      ),
    )
    await Promise.all(Array.from({ length: 4 }, () => mails.sendNew({ parkId: site.park.id })))
    await world.settled()
    expect((await received(1))[0]).toContain('/#/deviceAlarm?time=')
    expect(mailServer.received).toHaveLength(1)
  })

  test('is not sent where its transaction fails, where e-mails are off, or after they were turned off', async () => {
    const site = await createPark()
    const { platform } = world.server
    await expect(
      platform.transaction(async (tx) => {
        const alarm = {
          alarmId: crypto.randomUUID(),
          kind: 'aiBox',
          at: 0,
          key: 'k',
          level: 3,
          deviceId: crypto.randomUUID(),
          deviceName: '',
        } as const
        await mails.note(tx, { parkId: site.park.id }, alarm)
        throw new Error('not stored')
      }),
    ).rejects.toThrow('not stored')
    await note(await world.addPark(), {})
    await note(site, {}, {})
    await received(1)
    await site.call(emailAlarmCalls.save, { body: { enabled: false } })
    await note(site, {})
    await runAfter(20 * MINUTE)
    expect(await unsentOf(site)).toEqual([])
    expect(mailServer.received).toHaveLength(1)
  })
})

describe('a person', () => {
  test('is named, except one of the watch list, of whom users who may not see that list learn nothing', async () => {
    const site = await createPark()
    const person = await site.person({ name: 'Mary Morstan' })
    const { id: groupId } = await site.call(specialCalls.createGroup, { body: { name: 'Wanted' } })
    const watched = await site.call(specialCalls.create, { body: { name: 'James Moriarty', workNumber: 'W-1', groupId } })
    const alarm = { kind: 'person', surveillanceName: 'Task', deviceName: 'Camera' } as const
    await note(site, { ...alarm, key: person.id, personId: person.id }, { ...alarm, key: watched.id, personId: watched.id })
    const texts = await received(2)
    expect(texts.filter((text) => text.includes('Person: Mary Morstan'))).toHaveLength(1)
    expect(texts.join('')).not.toContain('Moriarty')
    expect(texts.every((text) => text.includes('/#/monitorAlarm?id='))).toBe(true)
    await note(site, { ...alarm, key: person.id, personId: person.id }, { ...alarm, key: watched.id, personId: watched.id })
    const user = await world.session({ park: site.park, permissions: ['alert'], roleSign: 'other' })
    expect(await unsentOf(user)).toHaveLength(1)
    expect(await unsentOf(site)).toHaveLength(2)
    expect((await user.call(emailAlarmCalls.unsent, { query: { reason: 'repeated' } })).total).toBe(1)
    expect((await site.call(emailAlarmCalls.unsent, { query: { reason: 'budget' } })).total).toBe(0)
  })

  test('who is erased is in no row any more', async () => {
    const site = await createPark()
    const person = await site.person()
    await note(site, { personId: person.id, kind: 'person' }, { personId: person.id, kind: 'person' })
    await site.call(privacyCalls.erase, { body: { personIds: [person.id], reason: 'Requested' } })
    expect(await unsentOf(site)).toEqual([])
  })
})
