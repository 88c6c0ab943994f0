/** The outbox against a real mail server: what is sent arrives, once, and what cannot be sent is not lost. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { messageCalls } from '@gatehouse/contract/system/messages'
import { ADMIN, startWorld, type World } from '@gatehouse/dev-env/world'
import { startMailServer, type MailServer } from '../../../../../tests/support/mail-server.ts'
import { until } from '../../../../../tests/support/until.ts'
import { timestamp } from '../database/database.ts'
import { INSTALLATION_ID } from '../installation.ts'
import { createMessages } from './messages.ts'
import type { Message } from './messages-types.ts'
import { MESSAGE_CONTENT } from './migration.ts'
import { placeOf } from '../encryption/sealed-column.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** No park has an account at a provider. */
const accounts = () => ({ sms: () => null, wechat: () => null })
const mail = (to: string, text = 'Your code is 482913.'): Message => ({ channel: 'email', to, subject: 'A code', text, userId: null })
const db = (world: World) => world.server.platform.db
const rows = (world: World) => db(world).selectFrom('message').selectAll().orderBy('id').execute()
/** The stored texts, as readable with the key. */
const storedTexts = async (world: World): Promise<unknown[]> =>
  Promise.all(
    (await rows(world)).map(async ({ id, content }) => {
      const opened = await world.server.platform.crypto.open(INSTALLATION_ID, placeOf(MESSAGE_CONTENT, id), content)
      return (JSON.parse(opened.toString('utf8')) as { text: unknown }).text
    }),
  )
/** Sends as contexts do. */
const send = (world: World, ...messages: Message[]): Promise<string[]> =>
  world.server.platform.transaction(async (tx) => {
    const ids: string[] = []
    for (const message of messages) ids.push(await world.server.platform.messages.send(tx, message))
    return ids
  })

describe('with a mail server', () => {
  let server: MailServer
  let world: World
  let offset = 0
  beforeAll(async () => {
    server = await startMailServer()
    world = await startWorld({ clock: { now: () => Date.now() + offset }, config: { smtpUrl: server.url } })
  })
  afterAll(async () => {
    await world?.stop()
    await server?.stop()
  })
  beforeEach(async () => {
    await db(world).deleteFrom('message').execute()
    server.received.length = 0
    server.refusal.sentence = null
  })
  /** Time passes faster than a session lasts. */
  const admin = () => world.as(ADMIN)
  const stateOf = async (id: string) => (await world.server.platform.messages.read(id)).state

  test('what is sent with a change arrives once, soon after it', async () => {
    const [id] = await send(world, mail('anna@example.org'))
    await until('the mail', () => server.received.length === 1)
    await until('its note', async () => (await stateOf(id!)) === 'sent')
    await world.server.platform.messages.deliver()
    expect(server.received).toMatchObject([{ to: ['anna@example.org'], messageId: `<${id}@gatehouse>` }])
    expect(server.received[0]!.raw).toContain('Subject: A code')
    expect(server.received[0]!.raw).toContain('Your code is 482913.')
    expect(server.received[0]!.raw).toContain('From: Gatehouse <gatehouse@example.org>')
  })

  test('what is sent with a change that comes to nothing never leaves', async () => {
    const { platform } = world.server
    await expect(
      platform.transaction(async (tx) => {
        await platform.messages.send(tx, mail('nobody@example.org'))
        throw new Error('after all not')
      }),
    ).rejects.toThrow('after all not')
    await platform.messages.deliver()
    expect(await rows(world)).toEqual([])
    expect(server.received).toEqual([])
  })

  test('a refusal is noted and the mail tried again, later and later, until it is taken', async () => {
    server.refusal.sentence = 'Try again later'
    const [id] = await send(world, mail('busy@example.org'))
    const read = () => world.server.platform.messages.read(id!)
    const first = await until('the first attempt', async () => ((await read()).attempts === 1 ? read() : null))
    expect(first).toMatchObject({ state: 'waiting', reason: expect.stringContaining('Try again later') })
    expect(first.nextAt! - world.clock.now()).toBeLessThanOrEqual(MINUTE)
    // Not before its time.
    await world.server.platform.messages.deliver()
    expect((await read()).attempts).toBe(1)
    offset += 2 * MINUTE
    await world.server.platform.messages.deliver()
    const second = await read()
    expect(second.attempts).toBe(2)
    expect(second.nextAt! - world.clock.now()).toBeGreaterThan(MINUTE)
    server.refusal.sentence = null
    offset += 3 * MINUTE
    await world.server.platform.messages.deliver()
    expect(await read()).toMatchObject({ state: 'sent', reason: null })
    expect(server.received).toHaveLength(1)
  })

  test('after five refusals it has failed, and an administrator tries it once more', async () => {
    server.refusal.sentence = 'No such mailbox'
    const [id] = await send(world, mail('gone@example.org'))
    await until('the fifth attempt', async () => {
      offset += 60 * MINUTE
      await world.server.platform.messages.deliver()
      return (await world.server.platform.messages.read(id!)).attempts === 5
    })
    const client = await admin()
    expect(await client.call(messageCalls.message, { params: { id: id! } })).toMatchObject({
      state: 'failed',
      attempts: 5,
      nextAt: null,
      reason: expect.stringContaining('No such mailbox'),
    })
    server.refusal.sentence = null
    expect(await client.call(messageCalls.retryMessage, { params: { id: id! } })).toMatchObject({ state: 'sent' })
    expect(server.received).toMatchObject([{ to: ['gone@example.org'] }])
  })

  test('two nodes that deliver at the same moment send each mail once', async () => {
    const { clock, crypto, log, config } = world.server.platform
    const node = () => createMessages({ db: world.server.platform.db, config, clock, crypto, log, accounts })
    const nodes = [node(), node()]
    const people = Array.from({ length: 30 }, (_, at) => `person-${at}@example.org`)
    // Not in the world's own transaction, so that no delivery starts before both exist.
    await db(world)
      .transaction()
      .execute(async (tx) => {
        for (const to of people) await nodes[0]!.send(tx, mail(to))
      })
    await Promise.all([...nodes, ...nodes].map((one) => one.deliver()))
    expect(server.received.flatMap(({ to }) => to).toSorted()).toEqual(people.toSorted())
    for (const one of nodes) await one.stop()
  })

  test('a mail whose node died while it held it goes when the claim has run out', async () => {
    const { crypto, clock, log, config } = world.server.platform
    const dead = createMessages({ db: world.server.platform.db, config, clock, crypto, log, accounts })
    const id = await db(world)
      .transaction()
      .execute((tx) => dead.send(tx, mail('held@example.org')))
    await db(world)
      .updateTable('message')
      .set({ claimedUntil: timestamp(world.clock.now() + 10 * MINUTE) })
      .execute()
    await world.server.platform.messages.deliver()
    expect(await stateOf(id)).toBe('waiting')
    offset += 11 * MINUTE
    await world.server.platform.messages.deliver()
    expect(await stateOf(id)).toBe('sent')
    await dead.stop()
  })

  test('what was sent keeps no text: nobody can read it, and it cannot be sent again', async () => {
    const [id] = await send(world, mail('told@example.org'))
    await until('its note', async () => (await stateOf(id!)) === 'sent')
    const client = await admin()
    expect(await client.call(messageCalls.message, { params: { id: id! } })).toMatchObject({
      to: 'told@example.org',
      subject: 'A code',
      textState: 'gone',
      text: null,
    })
    expect(await client.ask(messageCalls.retryMessage, { params: { id: id! } })).toMatchObject({
      status: 400,
      data: { fields: [{ rule: 'messageGone' }] },
    })
    expect(await storedTexts(world)).toEqual([null])
  })

  test('a code that waited until it was of no more use does not leave, and its text goes', async () => {
    server.refusal.sentence = 'Try again later'
    const [id] = await send(world, { ...mail('late@example.org'), usefulMs: 10 * MINUTE })
    await until('the first attempt', async () => (await world.server.platform.messages.read(id!)).attempts === 1)
    server.refusal.sentence = null
    offset += 10 * MINUTE
    await world.server.platform.messages.deliver()
    expect(server.received).toEqual([])
    expect(await world.server.platform.messages.read(id!)).toMatchObject({
      state: 'failed',
      hasText: false,
      nextAt: null,
      reason: expect.stringContaining('Try again later'),
    })
    expect(await storedTexts(world)).toEqual([null])
  })

  test('texts of messages that were sent before texts were dropped go with the next delivery', async () => {
    const [id] = await send(world, mail('before@example.org'))
    await until('its note', async () => (await stateOf(id!)) === 'sent')
    const place = placeOf(MESSAGE_CONTENT, id!)
    const content = await world.server.platform.crypto.seal(INSTALLATION_ID, place, Buffer.from(JSON.stringify(mail('before@example.org'))))
    await db(world)
      .updateTable('message')
      .set({ content, textUntil: timestamp(world.clock.now() - 1) })
      .execute()
    expect(await world.server.platform.messages.textOf(id!)).toBeNull()
    await world.server.platform.messages.delivery.run()
    expect(await storedTexts(world)).toEqual([null])
    expect(await stateOf(id!)).toBe('sent')
  })

  test('after a week it is gone, the codes in it too', async () => {
    await send(world, mail('old@example.org'))
    await until('the mail', () => server.received.length === 1)
    offset += 6 * DAY
    await send(world, mail('new@example.org'))
    await until('the other mail', () => server.received.length === 2)
    await world.server.platform.messages.delivery.run()
    expect(await rows(world)).toHaveLength(2)
    offset += 2 * DAY
    await world.server.platform.messages.delivery.run()
    const { content } = await (await admin()).call(messageCalls.messages, { query: {} })
    expect(content.map(({ to }) => to)).toEqual(['new@example.org'])
  })

  test('a test mail says at once what became of it', async () => {
    const client = await admin()
    expect(await client.call(messageCalls.testMessage, { body: { to: 'me@example.org' } })).toMatchObject({ state: 'sent', reason: null })
    expect(server.received).toMatchObject([{ to: ['me@example.org'] }])
    server.refusal.sentence = 'Relaying denied'
    expect(await client.call(messageCalls.testMessage, { body: { to: 'me@example.org' } })).toMatchObject({
      state: 'waiting',
      reason: expect.stringContaining('Relaying denied'),
    })
  })
})

describe('without a mail server', () => {
  let world: World
  let offset = 0
  beforeAll(async () => {
    world = await startWorld({ clock: { now: () => Date.now() + offset } })
  })
  afterAll(() => world?.stop())

  test('messages are kept, and told apart from their texts, which hold codes', async () => {
    const [id, sms] = await send(world, mail('kept@example.org'), {
      channel: 'sms',
      to: '13800000000',
      subject: '',
      text: 'Code 7',
      userId: null,
    })
    await world.server.platform.messages.deliver()
    const { content } = await world.call(messageCalls.messages, { query: { state: 'kept' } })
    // Both may be from one millisecond, and are then in no order.
    expect(content.toSorted((one, other) => (one.channel > other.channel ? -1 : 1))).toMatchObject([
      { id: sms, channel: 'sms', to: '13800000000' },
      { id, channel: 'email', to: 'kept@example.org', state: 'kept', attempts: 0 },
    ])
    expect(JSON.stringify(content)).not.toContain('482913')
    expect((await world.call(messageCalls.message, { params: { id: id! } })).text).toBe('Your code is 482913.')
    expect(await world.ask(messageCalls.retryMessage, { params: { id: id! } })).toMatchObject({
      status: 400,
      data: { fields: [{ rule: 'noMail' }] },
    })
    expect(await world.ask(messageCalls.retryMessage, { params: { id: sms! } })).toMatchObject({
      status: 400,
      data: { fields: [{ rule: 'noTextMessages' }] },
    })
    expect((await world.call(messageCalls.testMessage, { body: { to: 'me@example.org' } })).state).toBe('kept')
  })

  test('a text that was kept goes when it is of no more use', async () => {
    const [short, long] = await send(world, { ...mail('short@example.org'), usefulMs: 10 * MINUTE }, mail('long@example.org'))
    offset = 10 * MINUTE
    // Also before the job runs.
    expect(await world.server.platform.messages.textOf(short!)).toBeNull()
    await world.server.platform.messages.delivery.run()
    expect(await world.server.platform.messages.read(short!)).toMatchObject({ to: 'short@example.org', state: 'kept', hasText: false })
    expect((await storedTexts(world)).filter((text) => text === null)).toHaveLength(1)
    expect(await world.server.platform.messages.textOf(long!)).toBe('Your code is 482913.')
    offset = 0
  })

  test('neither recipient nor text can be read in the database', async () => {
    await send(world, mail('secret.person@example.org', 'Password Xy-12345'))
    const stored = (await rows(world)).map(({ content }) => content.toString('latin1')).join(' ')
    expect(stored).not.toContain('secret.person')
    expect(stored).not.toContain('Xy-12345')
    expect(stored).not.toContain('A code')
  })

  test('who sees personal data masked sees no address', async () => {
    await send(world, mail('carla@example.org'))
    const client = await world.session({
      roleSign: 'admin',
      organisationId: world.server.contexts.organisation.service.root().id,
      masking: true,
    })
    const { content } = await client.call(messageCalls.messages, { query: {} })
    expect(content[0]!.to).toBe('c***@example.org')
  })
})
