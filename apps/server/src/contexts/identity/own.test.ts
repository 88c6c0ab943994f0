/** What users do with their own account: password, data, sessions, codes by text message. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CODES_PER_DAY, CONFIRMED_FOR } from '@gatehouse/contract'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { userCalls } from '@gatehouse/contract/identity/users'
import { messageCalls } from '@gatehouse/contract/system/messages'
import type { Client } from '@gatehouse/dev-env/client'
import { ADMIN, startWorld, type World } from '@gatehouse/dev-env/world'
import {
  changeExpired,
  codeSentTo,
  FIRST_PASSWORD,
  newUser,
  PASSWORD,
  sealed,
  settledUser,
  tryLogin,
  type MadeUser,
} from '../../../../../tests/support/accounts.ts'
import { clockAhead } from '../../../../../tests/support/clock-ahead.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { openedLog } from '../../../../../tests/support/opened-log.ts'

const NEW = 'Third-pass-3'
const DAY = 86_400_000

let world: World
/** An installation for many organisations: e-mail addresses are unique there. */
let shared: World
const ahead = clockAhead()
const later = ahead.after
beforeAll(async () => {
  ;[world, shared] = await Promise.all([startWorld({ clock: ahead.clock }), startWorld({ config: { privatised: false } })])
})
afterAll(() => Promise.all([world?.stop(), shared?.stop()]))

const field = (path: string, rule: string) => ({ fields: [{ path, rule }] })

/** Create a user who is logged in. */
async function somebody(options: Parameters<typeof settledUser>[1] = {}, at = world): Promise<MadeUser & { client: Client }> {
  const user = await settledUser(at, options)
  const client = await at.as(user)
  return { ...user, client }
}

/** Return messages to an address, the newest first, as an administrator reads them. */
async function messagesTo(address: string): Promise<{ subject: string; text: string }[]> {
  const { content } = await world.call(messageCalls.messages, { query: { size: 100 } })
  const rows = content.filter(({ to }) => to === address)
  return Promise.all(
    rows.map(async ({ id, subject }) => ({ subject, text: (await world.call(messageCalls.message, { params: { id } })).text ?? '' })),
  )
}

describe('another password', () => {
  const CHANGED = 'The password of your account was changed'
  const noticesTo = async (address: string) => (await messagesTo(address)).filter(({ subject }) => subject === CHANGED)

  test('is told of to the address of the account, whoever set it, and nothing secret with it', async () => {
    const email = 'told@example.org'
    const user = await newUser(world, { email })
    expect(await noticesTo(email)).toEqual([])
    await changeExpired(world, user.account, FIRST_PASSWORD, PASSWORD)
    expect(await noticesTo(email)).toHaveLength(1)
    const client = await world.as({ ...user, password: PASSWORD })
    await client.call(ownCalls.changePassword, {
      body: await sealed(client, { oldPassword: PASSWORD, newPassword: NEW, confirmPassword: NEW }),
    })
    expect(await noticesTo(email)).toHaveLength(2)
    const { initialPassword } = await world.call(userCalls.resetPassword, { params: { id: user.id }, body: { sendByEmail: false } })
    const notices = await noticesTo(email)
    expect(notices).toHaveLength(3)
    for (const { text } of notices) {
      expect(text).toContain(user.account)
      for (const secret of [PASSWORD, NEW, initialPassword!]) expect(text).not.toContain(secret)
    }
  })
})

describe('a password that somebody else gave', () => {
  test('is good for seven days, and after that only another one helps', async () => {
    const [early, late] = [await newUser(world), await newUser(world)]
    await later(7 * DAY - 60_000, async () => expect((await changeExpired(world, early.account, FIRST_PASSWORD, PASSWORD)).code).toBe(0))
    await later(7 * DAY, async () => {
      expect((await tryLogin(world, late.account, FIRST_PASSWORD)).code).toBe(902)
      expect(await changeExpired(world, late.account, FIRST_PASSWORD, PASSWORD)).toMatchObject({
        status: 400,
        data: field('oldPassword', 'firstPasswordOver'),
      })
      const admin = await world.as(ADMIN)
      const { initialPassword } = await admin.call(userCalls.resetPassword, { params: { id: late.id }, body: { sendByEmail: false } })
      expect((await changeExpired(world, late.account, initialPassword!, PASSWORD)).code).toBe(0)
    })
    expect((await tryLogin(world, late.account, PASSWORD)).code).toBe(0)
  })

  test('that has expired by its own validity, and was chosen by its user, can be replaced for as long as before', async () => {
    const user = await settledUser(world, { passwordValidity: '3m' })
    await later(200 * DAY, async () => {
      expect((await tryLogin(world, user.account, PASSWORD)).code).toBe(902)
      expect((await changeExpired(world, user.account, PASSWORD, NEW)).code).toBe(0)
    })
  })
})

describe('changing the own password', () => {
  const change = async (client: Client, oldPassword: string, newPassword: string, again = newPassword) =>
    client.ask(ownCalls.changePassword, { body: await sealed(client, { oldPassword, newPassword, confirmPassword: again }) })

  test('ends all sessions of the user, and only the new one logs in [STATE:ownPassword:unchanged>changed]', async () => {
    const { client, ...user } = await somebody()
    const other = await world.as(user)
    expect((await change(client, PASSWORD, NEW)).code).toBe(0)
    for (const ended of [client, other]) expect(await ended.ask(identityCalls.profile, {})).toMatchObject({ status: 401, code: 100412 })
    expect((await tryLogin(world, user.account, PASSWORD)).code).toBe(100401)
    expect((await tryLogin(world, user.account, NEW)).code).toBe(0)
  })

  test('asks for the old, the new and the new password again [VAL-020, VAL-022, VAL-023]', async () => {
    const { client } = await somebody()
    const passwords = { oldPassword: PASSWORD, newPassword: NEW, confirmPassword: NEW }
    for (const name of ['oldPassword', 'newPassword', 'confirmPassword'] as const) {
      expect(await client.ask(ownCalls.changePassword, { body: { ...(await sealed(client, passwords)), [name]: '' } })).toMatchObject({
        status: 400,
        data: field(name, 'required'),
      })
      const empty = await client.ask(ownCalls.changePassword, { body: await sealed(client, { ...passwords, [name]: '' }) })
      expect(empty).toMatchObject({ status: 400, code: 400, data: field(name, 'required') })
    }
  })

  test('asks for the right old password [VAL-021]', async () => {
    const { client, account } = await somebody()
    expect(await change(client, 'Wrong-pass-1', NEW)).toMatchObject({
      status: 200,
      code: 100406,
      data: field('oldPassword', 'code.100406'),
    })
    expect((await tryLogin(world, account, PASSWORD)).code).toBe(0)
  })

  test('asks for the same new password twice [VAL-024]', async () => {
    const { client } = await somebody()
    expect(await change(client, PASSWORD, NEW, 'Third-pass-4')).toMatchObject({
      status: 400,
      data: field('confirmPassword', 'confirmation'),
    })
  })

  test('asks for another one than the last [VAL-015]', async () => {
    const { client, account } = await somebody()
    expect(await change(client, PASSWORD, PASSWORD)).toMatchObject({ status: 200, code: 100419, data: field('newPassword', 'code.100419') })
    expect((await client.ask(identityCalls.profile, {})).status).toBe(200)
    // After two more changes it is a former password again.
    expect((await change(client, PASSWORD, NEW)).code).toBe(0)
    const again = await world.as({ account, password: NEW })
    expect((await change(again, NEW, PASSWORD)).code).toBe(0)
  })

  test('refuses one that is too simple, and leaves everything as it was', async () => {
    const { client, account } = await somebody()
    for (const simple of ['Short-1', 'Far-too-long-99', 'lower-case-1', 'UPPER-CASE-1', 'No-digit-here', 'NoSpecial99', 'Aa1-xx-1aA'])
      expect(await change(client, PASSWORD, simple), simple).toMatchObject({
        status: 200,
        code: 100420,
        data: field('newPassword', 'code.100420'),
      })
    expect((await tryLogin(world, account, PASSWORD)).code).toBe(0)
  })

  test('is no way around the lock: six wrong old ones in a row', async () => {
    const { client, account } = await somebody()
    const codes = []
    for (let at = 0; at < 6; at++) codes.push((await change(client, `Wrong-pass-${at}`, NEW)).code)
    expect(codes).toEqual([100406, 100406, 100406, 100406, 100406, 903])
    expect((await change(client, PASSWORD, NEW)).code).toBe(903)
    // The lock applies to logged-in users: without a session, no one can have caused it.
    expect((await tryLogin(world, account, PASSWORD)).code).toBe(0)
  })

  test('stands in the operation log, without the passwords', async () => {
    const { client, account } = await somebody()
    await change(client, PASSWORD, NEW)
    const { content } = await world.call(auditCalls.operations, { query: { account, all: true } })
    expect(content.map(({ url }) => url)).toContain(ownCalls.changePassword.url)
    const stored = await openedLog(world)
    expect(stored.length).toBeGreaterThan(0)
    for (const password of [PASSWORD, NEW, FIRST_PASSWORD]) expect(JSON.stringify(stored)).not.toContain(password)
  })
})

describe('changing a first or expired password', () => {
  test('answers alike for a wrong old password and an account nobody has', async () => {
    const user = await newUser(world)
    const [wrong, unknown] = [
      await changeExpired(world, user.account, 'Wrong-pass-1', NEW),
      await changeExpired(world, 'nobody-here', 'Wrong-pass-1', NEW),
    ]
    expect(wrong).toMatchObject({ status: 200, code: 100406 })
    expect({ ...unknown, headers: null }).toEqual({ ...wrong, headers: null })
  })

  test('keeps the rules of every new password', async () => {
    const user = await newUser(world)
    expect((await changeExpired(world, user.account, FIRST_PASSWORD, FIRST_PASSWORD)).code).toBe(100419)
    expect((await changeExpired(world, user.account, FIRST_PASSWORD, 'simple')).code).toBe(100420)
    expect(await changeExpired(world, user.account, FIRST_PASSWORD, NEW, 'Other-pass-1')).toMatchObject({
      status: 400,
      data: field('confirmPassword', 'confirmation'),
    })
    expect((await tryLogin(world, user.account, FIRST_PASSWORD)).code).toBe(902)
  })

  test('does not enable a disabled account', async () => {
    const user = await newUser(world)
    await world.call(userCalls.disable, { params: { id: user.id } })
    expect(await changeExpired(world, user.account, FIRST_PASSWORD, NEW)).toMatchObject({ status: 400, code: 901 })
  })
})

describe('own data', () => {
  const idCardsOf = (id: string) =>
    query<{ telephone: string | null; sealed: string | null }>(
      world.connectionString,
      `select encode(telephone_sealed, 'escape') as telephone, encode(id_card_sealed, 'escape') as sealed
        from user_account where id = '${id}'`,
    )

  test('are saved and shown in the profile; the ID card is stored encrypted', async () => {
    const { client, id } = await somebody()
    const data = { realName: 'Ada Lovelace', email: 'ada@example.org', telephone: '+44*12#3', idCard: '110101199003074258' }
    await client.call(ownCalls.updatePersonal, { body: data })
    expect(await client.call(identityCalls.profile, {})).toMatchObject(data)
    const [row] = await idCardsOf(id)
    expect(row!.telephone).not.toContain('+44*12#3')
    expect(row!.sealed).not.toContain('110101199003074258')
    await client.call(ownCalls.updatePersonal, { body: { realName: 'Ada Lovelace', email: '' } })
    expect(await client.call(identityCalls.profile, {})).toMatchObject({ ...data, email: '' })
    await client.call(ownCalls.updatePersonal, { body: { telephone: null } })
    expect(await client.call(identityCalls.profile, {})).toMatchObject({ ...data, email: '', telephone: '' })
  })

  test('need a name, and an address and a telephone that can be such', async () => {
    const { client } = await somebody()
    const save = (body: object) => client.ask(ownCalls.updatePersonal, { body: { realName: 'Ada', ...body } })
    expect(await save({ realName: ' ' })).toMatchObject({ status: 400, data: field('realName', 'required') })
    expect(await save({ realName: 'x'.repeat(65) })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'realName', rule: 'max.string' }] },
    })
    for (const email of ['ada', 'ada@', 'a b@example.org', 'a***@example.org'])
      expect(await save({ email }), email).toMatchObject({ status: 400, data: { fields: [{ path: 'email' }] } })
    expect((await save({ email: `${'x'.repeat(60)}@example.org` })).status).toBe(400)
    expect(await save({ telephone: '020 7946' })).toMatchObject({ status: 200, code: 900114, data: field('telephone', 'code.900114') })
  })

  test('hold an address nobody else has, unless the installation is one organisation’s own', async () => {
    const email = 'reception@example.org'
    const [first, second] = [await somebody({}, shared), await somebody({}, shared)]
    await first.client.call(ownCalls.updatePersonal, { body: { realName: 'First', email } })
    expect(
      await second.client.ask(ownCalls.updatePersonal, { body: { realName: 'Second', email: 'Reception@Example.org' } }),
    ).toMatchObject({ status: 200, code: 100112, data: field('email', 'code.100112') })
    await first.client.call(ownCalls.updatePersonal, { body: { realName: 'Still first', email } })
    for (const { client } of [await somebody(), await somebody()])
      await client.call(ownCalls.updatePersonal, { body: { realName: 'Anybody', email } })
  })

  test('come back masked to whom they are shown so, and masked ones are never stored', async () => {
    const { client } = await somebody({
      realName: 'Grace Hopper',
      email: 'grace@example.org',
      phone: '13800138000',
      idCard: '110101199003074258',
      enablePageDataMasking: true,
    })
    const shown = await client.call(identityCalls.profile, {})
    expect(shown).toMatchObject({ telephone: '138****8000', email: 'g***@example.org' })
    await client.call(ownCalls.updatePersonal, {
      body: { realName: shown.realName, email: shown.email, telephone: '13900139000', idCard: shown.idCard },
    })
    const [user] = (await world.call(userCalls.list, { query: { account: shown.username } })).content
    expect(user).toMatchObject({
      realName: 'Grace Hopper',
      email: 'grace@example.org',
      phone: '13900139000',
      idCard: '110101199003074258',
    })
    expect(await client.ask(ownCalls.updatePersonal, { body: { realName: 'Gr*ce' } })).toMatchObject({
      status: 400,
      data: field('realName', 'masked'),
    })
  })

  test('are saved by whoever has typed the password lately: an open session is not enough', async () => {
    const client = await world.as(await settledUser(world, { email: 'ada.open@example.org' }))
    await later(CONFIRMED_FOR * 60_000, async () =>
      expect(await client.ask(ownCalls.updatePersonal, { body: { realName: 'Ada', email: 'eve@example.org' } })).toMatchObject({
        status: 403,
        data: field('', 'passwordNeeded'),
      }),
    )
    expect((await client.call(identityCalls.profile, {})).email).toBe('ada.open@example.org')
  })

  test('tell the address there was before of another address or telephone, and of nothing else', async () => {
    const { client, account } = await somebody({ email: 'old.ada@example.org', phone: '13800138000' })
    const save = (body: object) => client.call(ownCalls.updatePersonal, { body: { realName: 'Ada', ...body } })
    const before = (await messagesTo('old.ada@example.org')).length
    await save({ idCard: '110101199003074258' })
    expect(await messagesTo('old.ada@example.org')).toHaveLength(before)
    await save({ telephone: '13900139000' })
    await save({ email: 'new.ada@example.org' })
    const notices = await messagesTo('old.ada@example.org')
    expect(notices.slice(0, notices.length - before).map(({ subject }) => subject)).toEqual([
      'The e-mail address of your account was changed',
      'The phone number of your account was changed',
    ])
    expect(notices[0]!.text).toContain(account)
    expect(notices[0]!.text).not.toContain('new.ada@example.org')
    expect(await messagesTo('new.ada@example.org')).toEqual([])
  })

  test('tell when the password and the account expire', async () => {
    const expiresAt = Math.floor(Date.now() / 1000) * 1000 + 30 * DAY
    const { client } = await somebody({ passwordValidity: '3m', expiry: expiresAt })
    const { passwordExpiresAt, accountExpiresAt } = await client.call(identityCalls.profile, {})
    expect(accountExpiresAt).toBe(expiresAt)
    expect(passwordExpiresAt! - Date.now()).toBeGreaterThan(88 * DAY)
    const forever = await somebody()
    expect(await forever.client.call(identityCalls.profile, {})).toMatchObject({ passwordExpiresAt: null, accountExpiresAt: null })
  })
})

describe('own sessions', () => {
  test('are listed with where they come from, and one that is ended is refused at once', async () => {
    const { client, ...user } = await somebody()
    const other = await world.as(user)
    const listed = await client.call(ownCalls.sessions, {})
    expect(listed.map(({ current }) => current)).toEqual([false, true])
    expect(listed[0]).toMatchObject({ ip: '127.0.0.1', parkName: world.park.name, agent: expect.stringContaining('node') })
    await client.call(ownCalls.endSession, { params: { id: listed[0]!.id } })
    expect(await other.ask(identityCalls.profile, {})).toMatchObject({ status: 401, code: 100412 })
    expect((await client.call(ownCalls.sessions, {})).map(({ current }) => current)).toEqual([true])
    expect(await client.ask(ownCalls.endSession, { params: { id: listed[0]!.id } })).toMatchObject({ status: 404 })
  })

  test('of somebody else are as if they were not', async () => {
    const [mine, theirs] = [await somebody(), await somebody()]
    const [session] = await theirs.client.call(ownCalls.sessions, {})
    expect(await mine.client.ask(ownCalls.endSession, { params: { id: session!.id } })).toMatchObject({ status: 404 })
    expect((await theirs.client.ask(identityCalls.profile, {})).status).toBe(200)
  })

  test('end all but the one that asks', async () => {
    const { client, ...user } = await somebody()
    const others = [await world.as(user), await world.as(user)]
    expect(await client.call(ownCalls.endOtherSessions, {})).toEqual({ ended: 2 })
    for (const other of others) expect((await other.ask(identityCalls.profile, {})).status).toBe(401)
    expect((await client.ask(identityCalls.profile, {})).status).toBe(200)
  })
})

describe('a code to a telephone', () => {
  const phone = (): string => `139${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`

  test('stays in the outbox, says so, and is right once', async () => {
    const [{ client }, to] = [await somebody(), phone()]
    expect(await client.call(ownCalls.phoneCode, { query: { phone: to } })).toEqual({ validMinutes: 10, delivered: false })
    const code = (await codeSentTo(world, to))!
    expect(await client.call(ownCalls.checkPhoneCode, { body: { phone: to, code } })).toEqual({ verified: true })
    expect((await client.ask(ownCalls.checkPhoneCode, { body: { phone: to, code } })).code).toBe(100115)
  })

  test('is refused where it is wrong, old, or another’s [VAL-229]', async () => {
    const [mine, theirs, to] = [await somebody(), await somebody(), phone()]
    await mine.client.call(ownCalls.phoneCode, { query: { phone: to } })
    const code = (await codeSentTo(world, to))!
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    expect(await mine.client.ask(ownCalls.checkPhoneCode, { body: { phone: to, code: wrong } })).toMatchObject({
      status: 200,
      code: 100115,
      data: field('code', 'code.100115'),
    })
    expect((await theirs.client.ask(ownCalls.checkPhoneCode, { body: { phone: to, code } })).code).toBe(100115)
    const late = await later(10 * 60_000 + 1, () => mine.client.ask(ownCalls.checkPhoneCode, { body: { phone: to, code } }))
    expect(late.code).toBe(100115)
  })

  test('may be asked for ten times a day [VAL-227]', async () => {
    const { client } = await somebody()
    const codes = []
    for (let at = 0; at <= CODES_PER_DAY; at++) codes.push((await client.ask(ownCalls.phoneCode, { query: { phone: phone() } })).code)
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 0), 100113])
  })

  test('may be tried ten times a day [VAL-228]', async () => {
    const [{ client }, to] = [await somebody(), phone()]
    await client.call(ownCalls.phoneCode, { query: { phone: to } })
    const right = (await codeSentTo(world, to))!
    const wrong = right === '000000' ? '000001' : '000000'
    const codes = []
    for (let at = 0; at < CODES_PER_DAY; at++)
      codes.push((await client.ask(ownCalls.checkPhoneCode, { body: { phone: to, code: wrong } })).code)
    expect(codes).toEqual(Array.from({ length: 10 }, () => 100115))
    expect((await client.ask(ownCalls.checkPhoneCode, { body: { phone: to, code: right } })).code).toBe(100114)
  })

  test('goes to a number only', async () => {
    const { client } = await somebody()
    expect(await client.ask(ownCalls.phoneCode, { query: { phone: 'call me' } })).toMatchObject({
      status: 200,
      code: 900114,
      data: field('phone', 'code.900114'),
    })
  })
})
