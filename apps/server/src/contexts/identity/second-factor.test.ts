/** The second factor: how it is set up, what the login requires, what is counted, and who must have one. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CODES_PER_DAY, CONFIRMED_FOR, LOCK_AFTER, LOCK_FOR, PERMISSION_CODES } from '@gatehouse/contract'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { clientCalls } from '@gatehouse/contract/identity/clients'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { screenLinkCalls } from '@gatehouse/contract/identity/screen-links'
import { ENROLMENT_MINUTES, RECOVERY_CODES, secondFactorCalls, type DemandedOf } from '@gatehouse/contract/identity/second-factor'
import { userCalls } from '@gatehouse/contract/identity/users'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { topics } from '@gatehouse/contract/realtime'
import { messageCalls } from '@gatehouse/contract/system/messages'
import { screenCalls } from '@gatehouse/contract/system/screens'
import { confirmPassword, createClient, type Client } from '@gatehouse/dev-env/client'
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { listen } from '@gatehouse/dev-env/live'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { startServer } from '@gatehouse/server/server'
import { accountName, codeSentTo, PASSWORD, sealed, settledUser, type MadeUser } from '../../../../../tests/support/accounts.ts'
import { ALL_CALLS, ask, named } from '../../../../../tests/support/all-calls.ts'
import { oneTimePassword, setUpSecondFactor } from '../../../../../tests/support/authenticator.ts'
import { solveCaptcha } from '../../../../../tests/support/captcha.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { newAddress, tryLoginFrom } from '../../../../../tests/support/from-address.ts'
import { until } from '../../../../../tests/support/until.ts'

const [STEP, MINUTE, DAY] = [30_000, 60_000, 86_400_000]
const WRONG = 'aaaaa-aaaaa'

let world: World
let ahead = 0
const clock = { now: () => Date.now() + ahead }
beforeAll(async () => {
  world = await startWorld({ clock })
})
afterAll(() => world?.stop())

/** Return the one-time password that the app shows now. */
const shown = (secret: string): string => oneTimePassword(secret, clock.now())
/** Return the one-time password the app shows next: each is accepted once. */
function next(secret: string): string {
  ahead += STEP
  return shown(secret)
}
/** Return six digits that the app does not show now, nor just before or after. */
function wrongFor(secret: string): string {
  const near = [-STEP, 0, STEP].map((off) => oneTimePassword(secret, clock.now() + off))
  return ['000000', '111111', '222222', '333333'].find((one) => !near.includes(one))!
}
/** Run work this much later; afterwards the clock shows the former time again. */
async function later<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const before = ahead
  ahead += milliseconds
  try {
    return await work()
  } finally {
    ahead = before
  }
}
const field = (path: string, rule: string) => ({ fields: [{ path, rule }] })

interface Enrolled extends MadeUser {
  client: Client
  secret: string
  recoveryCodes: string[]
}

const setUp = (client: Client): Promise<Pick<Enrolled, 'secret' | 'recoveryCodes'>> => setUpSecondFactor(client, clock)

/** Create a logged-in user who has just typed the password. */
async function somebody(options: Parameters<typeof settledUser>[1] = {}): Promise<MadeUser & { client: Client }> {
  const user = await settledUser(world, options)
  const client = await world.as(user)
  return { ...user, client }
}
async function enrolled(options: Parameters<typeof settledUser>[1] = {}): Promise<Enrolled> {
  const user = await somebody(options)
  return { ...user, ...(await setUp(user.client)) }
}

/** Return the answer of the token call, from an unused address unless given. */
const logInWith = ({ account, password }: Pick<MadeUser, 'account' | 'password'>, more: Partial<Parameters<typeof tryLoginFrom>[1]> = {}) =>
  tryLoginFrom(world, { account, password, ip: newAddress(), ...more })

async function subjectsTo(address: string): Promise<string[]> {
  const { content } = await world.call(messageCalls.messages, { query: { size: 100 } })
  return content.filter(({ to }) => to === address).map(({ subject }) => subject)
}

describe('setting it up', () => {
  test('shows a secret three ways, which counts once a password made from it is confirmed', async () => {
    const { client, ...user } = await somebody()
    const state = () => client.call(secondFactorCalls.read, {})
    expect(await state()).toEqual({ enrolled: false, since: null, recoveryCodesLeft: 0, demanded: false })
    const { secret, uri, qr, validMinutes } = await client.call(secondFactorCalls.begin, { body: {} })
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const address = new URL(uri)
    expect([address.protocol, address.host, decodeURIComponent(address.pathname)]).toEqual([
      'otpauth:',
      'totp',
      expect.stringContaining(user.account),
    ])
    expect(Object.fromEntries(address.searchParams)).toMatchObject({ secret, issuer: 'Gatehouse', digits: '6', period: '30' })
    expect(qr).toMatch(/^data:image\/png;base64,/)
    expect(validMinutes).toBe(ENROLMENT_MINUTES)
    expect(await client.ask(secondFactorCalls.confirm, { body: { code: wrongFor(secret) } })).toMatchObject({
      code: 100115,
      data: field('code', 'code.100115'),
    })
    for (const code of ['ａｂｃｄｅｆ', '电话号码是六', 'x', WRONG])
      expect((await client.ask(secondFactorCalls.confirm, { body: { code } })).code, code).toBe(100115)
    expect((await state()).enrolled).toBe(false)
    expect((await logInWith(user)).code).toBe(0)
    const { recoveryCodes } = await client.call(secondFactorCalls.confirm, { body: { code: shown(secret) } })
    expect(new Set(recoveryCodes).size).toBe(RECOVERY_CODES)
    for (const one of recoveryCodes) expect(one).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/)
    const { since, ...rest } = await state()
    expect(rest).toEqual({ enrolled: true, recoveryCodesLeft: RECOVERY_CODES, demanded: false })
    expect(Math.abs(since! - clock.now())).toBeLessThan(MINUTE)
    expect((await logInWith(user)).code).toBe(906)
  })

  test('ends all other sessions, tells the e-mail address, and shows in the list of users', async () => {
    const email = 'factor@example.org'
    const { client, ...user } = await somebody({ email })
    const listed = async () => (await world.call(userCalls.read, { params: { id: user.id } })).secondFactor
    expect(await listed()).toBe(false)
    const other = await world.as(user)
    await setUp(client)
    expect((await other.ask(identityCalls.profile, {})).status).toBe(401)
    expect((await client.ask(identityCalls.profile, {})).status).toBe(200)
    expect(await subjectsTo(email)).toContain('Two-step verification was set up for your account')
    expect(await listed()).toBe(true)
    const { content } = await world.call(userCalls.list, { query: { account: user.account } })
    expect(content[0]!.secondFactor).toBe(true)
  })

  test('keeps neither secret nor recovery codes in clear', async () => {
    const { id, secret, recoveryCodes } = await enrolled()
    const rows = await query<{ row: string }>(
      world.connectionString,
      `SELECT row_to_json(second_factor)::text AS row FROM second_factor WHERE user_id = $1
       UNION ALL SELECT row_to_json(recovery_code)::text FROM recovery_code WHERE user_id = $1`,
      [id],
    )
    expect(rows).toHaveLength(1 + RECOVERY_CODES)
    const kept = rows.map(({ row }) => row).join()
    const bits = [...secret].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('')
    expect(kept).not.toContain(BigInt(`0b${bits}`).toString(16))
    for (const one of recoveryCodes)
      for (const text of [one, one.replace('-', '')]) expect(kept).not.toContain(Buffer.from(text).toString('hex'))
  })

  test('asks for the password, and is for people: an API user has none', async () => {
    const client = await world.as(await settledUser(world))
    for (const [call, body] of [
      [secondFactorCalls.begin, {}],
      [secondFactorCalls.confirm, { code: '000000' }],
      [secondFactorCalls.renewRecoveryCodes, { code: '000000' }],
      [secondFactorCalls.remove, { code: '000000' }],
    ] as const)
      await later(CONFIRMED_FOR * MINUTE, async () =>
        expect(await client.ask(call, { body } as never), call.url).toMatchObject({ status: 403, data: field('', 'passwordNeeded') }),
      )
    const { ApiKey, ApiSecret } = await world.call(clientCalls.create, {
      body: { name: 'No_phone', permissions: ['person.list'], organisationId: world.park.id },
    })
    const { access_token: bearer } = await createClient(world.url, { basic: [ApiKey, ApiSecret] }).call(identityCalls.token, {
      body: { grant_type: 'client_credentials' },
    })
    const robot = createClient(world.url, { bearer })
    expect(await robot.ask(secondFactorCalls.read, {})).toMatchObject({ status: 403, code: 100510 })
    expect(await robot.ask(secondFactorCalls.begin, { body: {} })).toMatchObject({ status: 403, code: 100510 })
  })

  test('can be confirmed for a quarter of an hour, and only the secret that was shown last', async () => {
    const { client, password } = await somebody()
    const [first, second] = [
      await client.call(secondFactorCalls.begin, { body: {} }),
      await client.call(secondFactorCalls.begin, { body: {} }),
    ]
    expect((await client.ask(secondFactorCalls.confirm, { body: { code: shown(first.secret) } })).code).toBe(100115)
    ahead += ENROLMENT_MINUTES * MINUTE
    await confirmPassword(client, password)
    expect((await client.ask(secondFactorCalls.confirm, { body: { code: shown(second.secret) } })).code).toBe(100115)
    const third = await client.call(secondFactorCalls.begin, { body: {} })
    expect((await client.ask(secondFactorCalls.confirm, { body: { code: shown(third.secret) } })).code).toBe(0)
  })

  test('of another phone asks for a code of the former one, which holds until then', async () => {
    const { client, secret, recoveryCodes, ...user } = await enrolled()
    const begin = (code?: string) => client.ask(secondFactorCalls.begin, { body: { ...(code !== undefined && { code }) } })
    expect(await begin()).toMatchObject({ status: 400, data: field('code', 'required') })
    expect((await begin(wrongFor(secret))).code).toBe(100115)
    const { data: made } = await begin(next(secret))
    expect((await logInWith(user, { otp: next(secret) })).code).toBe(0)
    await client.call(secondFactorCalls.confirm, { body: { code: shown(made.secret) } })
    expect((await logInWith(user, { otp: next(secret) })).code).toBe(907)
    expect((await logInWith(user, { otp: recoveryCodes[0]! })).code).toBe(907)
    expect((await logInWith(user, { otp: shown(made.secret) })).code).toBe(0)
    const { content } = await world.call(auditCalls.operations, { query: { size: 20, all: true } })
    const confirmed = content.filter(
      ({ account, method, url }) => account === user.account && method === 'POST' && url.endsWith('/second/factor'),
    )
    const noted = await Promise.all(
      confirmed.map(async ({ id }) => (await world.call(auditCalls.operation, { params: { id } })).changes[0]!.fields),
    )
    expect(noted).toEqual([
      [{ field: 'secondFactor', before: 'old', after: 'new' }],
      [{ field: 'secondFactor', before: false, after: true }],
    ])
  })

  test('can be undone with a code, after which the password is enough', async () => {
    const email = 'undone@example.org'
    const { client, secret, recoveryCodes, ...user } = await enrolled({ email })
    expect((await client.ask(secondFactorCalls.remove, { body: { code: wrongFor(secret) } })).code).toBe(100115)
    expect(await client.call(secondFactorCalls.remove, { body: { code: recoveryCodes[3]! } })).toEqual({ id: user.id })
    expect((await logInWith(user)).code).toBe(0)
    expect(await subjectsTo(email)).toContain('Two-step verification of your account was turned off')
    expect((await client.ask(secondFactorCalls.remove, { body: { code: next(secret) } })).code).toBe(100115)
    const { content } = await world.call(auditCalls.operations, { query: { size: 20, all: true } })
    const entry = content.find(({ account, url }) => account === user.account && url.endsWith('/second/factor/remove'))!
    const { changes } = await world.call(auditCalls.operation, { params: { id: entry.id } })
    expect(changes[0]!.fields).toEqual([{ field: 'secondFactor', before: true, after: false }])
  })

  test('counts codes that are tried in a session', async () => {
    const { client, secret } = await enrolled()
    const renew = (code: string) => client.ask(secondFactorCalls.renewRecoveryCodes, { body: { code } })
    for (let tries = 0; tries < CODES_PER_DAY; tries++) expect((await renew(wrongFor(secret))).code).toBe(100115)
    for (const call of [secondFactorCalls.renewRecoveryCodes, secondFactorCalls.remove, secondFactorCalls.begin])
      expect(await client.ask(call, { body: { code: next(secret) } }), call.url).toMatchObject({
        code: 100114,
        data: field('code', 'code.100114'),
      })
  })

  test('can be had with new recovery codes, and the former ones are void', async () => {
    const { client, secret, recoveryCodes: former, ...user } = await enrolled()
    const { recoveryCodes } = await client.call(secondFactorCalls.renewRecoveryCodes, { body: { code: next(secret) } })
    expect(recoveryCodes).toHaveLength(RECOVERY_CODES)
    expect((await logInWith(user, { otp: former[0]! })).code).toBe(907)
    expect((await logInWith(user, { otp: recoveryCodes[0]! })).code).toBe(0)
  })
})

describe('the login', () => {
  test('asks for a code once the password is right, and tells nobody else that there is one', async () => {
    const { secret, ...user } = await enrolled()
    const plain = await settledUser(world)
    const wrong = { password: 'Wrong-pass-1', otp: shown(secret) }
    const [with2, without, nobody] = [
      await logInWith(user, wrong),
      await logInWith(plain, wrong),
      await logInWith({ account: accountName(), password: PASSWORD }, wrong),
    ]
    expect(with2).toMatchObject({ status: 400, code: 100401 })
    for (const answer of [without, nobody]) expect({ ...answer, headers: null }).toEqual({ ...with2, headers: null })
    expect(await logInWith(user)).toMatchObject({ status: 400, code: 906, data: { captcha: false } })
    const { code, data } = await logInWith(user, { otp: next(secret) })
    expect(code).toBe(0)
    expect((await createClient(world.url, { bearer: data.access_token }).call(identityCalls.profile, {})).username).toBe(user.account)
    // A form that still shows the field may send a code for a user without a second factor.
    expect((await logInWith(plain, { otp: '123456' })).code).toBe(0)
  })

  test('takes each one-time password once, and none of a moment before it', async () => {
    // At the start of a step, so that none ends between the setup and the first login.
    ahead += 5 * STEP - (clock.now() % STEP)
    const { secret, ...user } = await enrolled()
    // The one-time password used for the setup is used up too.
    expect((await logInWith(user, { otp: shown(secret) })).code).toBe(907)
    const before = next(secret)
    const otp = next(secret)
    expect((await logInWith(user, { otp })).code).toBe(0)
    expect((await logInWith(user, { otp })).code).toBe(907)
    expect((await logInWith(user, { otp: before })).code).toBe(907)
    expect((await logInWith(user, { otp: next(secret).replace(/^(...)/, '$1 ') })).code).toBe(0)
  })

  test('takes what a clock shows that is half a minute off, either way, and no more', async () => {
    const { secret, ...user } = await enrolled()
    // At the start of a step, so that none ends during the test.
    ahead += 5 * STEP - (clock.now() % STEP)
    for (const [off, code] of [
      [-2, 907],
      [2, 907],
      [-1, 0],
      [1, 0],
    ] as const)
      expect((await logInWith(user, { otp: oneTimePassword(secret, clock.now() + off * STEP) })).code, String(off)).toBe(code)
  })

  test('lets in one of many who send the same code at once', async () => {
    const { secret, recoveryCodes, ...user } = await enrolled()
    for (const otp of [next(secret), recoveryCodes[0]!]) {
      const codes = await Promise.all(Array.from({ length: 4 }, () => logInWith(user, { otp }).then(({ code }) => code)))
      expect(codes.toSorted((a, b) => a - b)).toEqual([0, 907, 907, 907])
    }
  })

  test('takes each recovery code once, however it is written', async () => {
    const { recoveryCodes, client, ...user } = await enrolled()
    const [first, second] = recoveryCodes as [string, string]
    expect((await logInWith(user, { otp: ` ${first.toUpperCase().replace('-', ' ')} ` })).code).toBe(0)
    expect((await logInWith(user, { otp: first })).code).toBe(907)
    expect((await logInWith(user, { otp: second.replace('-', '') })).code).toBe(0)
    expect((await client.call(secondFactorCalls.read, {})).recoveryCodesLeft).toBe(RECOVERY_CODES - 2)
    // The code of another user is not accepted.
    expect((await logInWith(await enrolled(), { otp: recoveryCodes[2]! })).code).toBe(907)
  })

  test('locks after six wrong codes, which count together with wrong passwords and are not forgotten for a right password', async () => {
    const { secret, recoveryCodes, ...user } = await enrolled()
    const ip = newAddress()
    const from = (more: Partial<Parameters<typeof tryLoginFrom>[1]>) => logInWith(user, { ip, ...more })
    expect(await from({ password: 'Wrong-pass-1' })).toMatchObject({ code: 100401, data: { failures: 1 } })
    expect(await from({ otp: wrongFor(secret) })).toMatchObject({ status: 400, code: 907, data: { failures: 2, limit: LOCK_AFTER } })
    expect((await from({})).code).toBe(906)
    for (const failures of [3, 4, 5]) expect(await from({ otp: WRONG })).toMatchObject({ code: 907, data: { failures } })
    expect((await from({})).code).toBe(906)
    expect(await from({ otp: WRONG })).toMatchObject({ code: 903, data: { lockedUntil: expect.any(Number) } })
    for (const more of [{}, { otp: next(secret) }, { otp: recoveryCodes[0]! }]) expect((await from(more)).code).toBe(903)
    await later(LOCK_FOR * MINUTE, async () => {
      expect((await from({ otp: next(secret) })).code).toBe(0)
      expect(await from({ password: 'Wrong-pass-1' })).toMatchObject({ data: { failures: 1 } })
    })
    const { content } = await world.call(auditCalls.operations, { query: { size: 100, all: true } })
    const refusals = content.filter(({ account, subjects }) => account === user.account && subjects[0]?.entity === 'refusedLogin')
    const codes = await Promise.all(
      refusals.map(async ({ id }) => (await world.call(auditCalls.operation, { params: { id } })).changes[0]!.fields[0]!.after),
    )
    expect(codes.filter((code) => code === 907)).toHaveLength(4)
    expect(codes.filter((code) => code === 903)).toHaveLength(4)
    expect(codes).not.toContain(906)
  })

  test('compares no more than six codes of many at once', async () => {
    const { recoveryCodes, ...user } = await enrolled()
    const ip = newAddress()
    const answers = await Promise.all(Array.from({ length: 14 }, () => logInWith(user, { ip, otp: WRONG })))
    expect(answers.filter(({ code }) => code === 907)).toHaveLength(LOCK_AFTER - 1)
    expect(answers.every(({ code }) => code === 907 || code === 903)).toBe(true)
    expect((await logInWith(user, { ip, otp: recoveryCodes[0]! })).code).toBe(903)
  })

  test('counts a known browser by itself', async () => {
    const { secret, ...user } = await enrolled()
    const { data } = await logInWith(user, { otp: next(secret) })
    const [ip, knownDevice] = [newAddress(), data.known_device!]
    for (let at = 0; at < LOCK_AFTER; at++) await logInWith(user, { ip, otp: WRONG })
    expect((await logInWith(user, { ip, otp: next(secret) })).code).toBe(903)
    expect((await logInWith(user, { ip, knownDevice, otp: WRONG })).data).toMatchObject({ failures: 1, captcha: false })
    expect((await logInWith(user, { ip, knownDevice, otp: next(secret) })).code).toBe(0)
  })

  test('knows no browser from before it was set up: codes are tried from there as from anywhere', async () => {
    const user = await somebody()
    const ip = newAddress()
    const { data } = await logInWith(user, { ip })
    await setUp(user.client)
    const knownDevice = data.known_device!
    expect((await logInWith(user, { ip, knownDevice, otp: WRONG })).data).toMatchObject({ failures: 1 })
    expect((await logInWith(user, { ip, otp: WRONG })).data).toMatchObject({ failures: 2 })
  })

  test('asks for a captcha from the third wrong code on, before it looks at password or code, and a new one with the code', async () => {
    const site = await startWorld({ clock, config: { captcha: true } })
    try {
      const user = await settledUser(site)
      const client = await site.as(user)
      const { secret } = await setUp(client)
      const ip = newAddress()
      const from = (more: Partial<Parameters<typeof tryLoginFrom>[1]>) => tryLoginFrom(site, { ...user, ip, ...more })
      expect(await from({})).toMatchObject({ code: 906, data: { captcha: false } })
      for (const captcha of [false, false, true]) expect(await from({ otp: WRONG })).toMatchObject({ code: 907, data: { captcha } })
      for (const more of [{}, { otp: next(secret) }]) expect((await from(more)).code).toBe(905)
      const captcha = await solveCaptcha(site)
      expect(await from({ captcha })).toMatchObject({ code: 906, data: { captcha: true } })
      expect((await from({ captcha, otp: next(secret) })).code).toBe(905)
      expect((await from({ captcha: await solveCaptcha(site), otp: shown(secret) })).code).toBe(0)
    } finally {
      await site.stop()
    }
  })

  test('stops whoever has the password and many addresses; a known browser and recovery codes still come in', async () => {
    const { secret, recoveryCodes, ...user } = await enrolled()
    const { data } = await logInWith(user, { otp: next(secret) })
    await query(world.connectionString, 'DELETE FROM attempt')
    expect((await logInWith(user, { otp: wrongFor(secret) })).code).toBe(907)
    // The counter that lasts for a day, as if there had been a hundred attempts.
    const counted = await query(world.connectionString, 'UPDATE attempt SET count = 100 WHERE until > $1 RETURNING count', [
      new Date(clock.now() + DAY - MINUTE),
    ])
    expect(counted).toHaveLength(1)
    expect((await logInWith(user, { otp: next(secret) })).status).toBe(429)
    expect((await logInWith(user, { otp: shown(secret), knownDevice: data.known_device })).code).toBe(0)
    expect((await logInWith(user, { otp: recoveryCodes[0]! })).code).toBe(0)
    expect((await logInWith(user)).code).toBe(906)
    await later(DAY, async () => expect((await logInWith(user, { otp: next(secret) })).code).toBe(0))
  })

  test('does not ask whoever may not come in anyway, and an expired password is changed with a code', async () => {
    const { secret, recoveryCodes, ...user } = await enrolled({ passwordValidity: '3m' })
    await world.call(userCalls.disable, { params: { id: user.id } })
    expect((await logInWith(user)).code).toBe(901)
    await world.call(userCalls.enable, { params: { id: user.id } })
    await later(200 * DAY, async () => {
      expect((await logInWith(user)).code).toBe(902)
      const change = async (otp?: string, newPassword = 'Third-pass-3') =>
        createClient(world.url).ask(ownCalls.changeExpired, {
          body: {
            account: user.account,
            ...(otp !== undefined && { otp }),
            ...(await sealed(world, { oldPassword: PASSWORD, newPassword, confirmPassword: newPassword })),
          },
        })
      expect(await change()).toMatchObject({ status: 400, code: 906 })
      expect(await change(wrongFor(secret))).toMatchObject({ status: 400, code: 907, data: { failures: 1 } })
      const code = next(secret)
      // The same password again is refused before the code is used up.
      expect(await change(code, PASSWORD)).toMatchObject({ code: 100419 })
      expect((await change(code)).code).toBe(0)
      expect((await logInWith({ ...user, password: 'Third-pass-3' })).code).toBe(906)
      expect((await logInWith({ ...user, password: 'Third-pass-3' }, { otp: recoveryCodes[0]! })).code).toBe(0)
    })
  })

  test('still asks after the password was reset, by a code or by an administrator', async () => {
    const account = accountName()
    const { secret, ...user } = await enrolled({ account, email: `${account}@example.org` })
    const nobody = createClient(world.url)
    await nobody.call(ownCalls.sendCode, { query: { account } })
    const code = await until('the code', () => codeSentTo(world, `${account}@example.org`))
    const { ticket } = await nobody.call(ownCalls.checkCode, { body: { account, code } })
    const passwords = await sealed(nobody, { newPassword: 'Third-pass-3', confirmPassword: 'Third-pass-3' })
    await nobody.call(ownCalls.resetPassword, { body: { ticket, ...passwords } })
    expect((await logInWith({ account, password: 'Third-pass-3' })).code).toBe(906)
    const { initialPassword } = await world.call(userCalls.resetPassword, { params: { id: user.id }, body: { sendByEmail: false } })
    const change = async (otp?: string) =>
      nobody.ask(ownCalls.changeExpired, {
        body: {
          account,
          ...(otp !== undefined && { otp }),
          ...(await sealed(nobody, { oldPassword: initialPassword!, newPassword: PASSWORD, confirmPassword: PASSWORD })),
        },
      })
    expect((await change()).code).toBe(906)
    expect((await change(next(secret))).code).toBe(0)
  })
})

describe('a reset by an administrator', () => {
  const reset = (client: Client | World, id: string) => client.ask(secondFactorCalls.reset, { params: { id } })
  const manager = (options: Parameters<World['session']>[0] = {}) => world.session({ permissions: ['system.user'], ...options })

  test('removes it, ends the sessions of the account and tells its address', async () => {
    const email = 'reset@example.org'
    const { client, ...user } = await enrolled({ email })
    const chief = await manager({ permissions: PERMISSION_CODES })
    expect(await reset(chief, user.id)).toMatchObject({ status: 200, code: 0, data: { id: user.id } })
    expect((await client.ask(identityCalls.profile, {})).status).toBe(401)
    expect((await logInWith(user)).code).toBe(0)
    expect(await subjectsTo(email)).toContain('Two-step verification of your account was reset')
    const { content } = await world.call(auditCalls.operations, { query: { size: 20, all: true } })
    expect(content.find(({ method, url }) => method === 'DELETE' && url.endsWith('/second/factor'))!.subjects).toMatchObject([
      { entity: 'user', label: user.account },
    ])
    // There is nothing left to reset, and no notification is sent.
    expect((await reset(chief, user.id)).code).toBe(0)
    expect(await subjectsTo(email)).toHaveLength(3)
  })

  test('takes what resetting the password takes: the password of the caller, their part of the tree, and no less power', async () => {
    const { client, secret, ...user } = await enrolled()
    expect(await reset(await manager({ permissions: PERMISSION_CODES, confirmed: false }), user.id)).toMatchObject({
      status: 403,
      data: field('', 'passwordNeeded'),
    })
    expect(await reset(await manager({ permissions: ['person.list'] }), user.id)).toMatchObject({ status: 403, code: 100510 })
    expect(await reset(await manager(), user.id)).toMatchObject({ status: 403, code: 100510 })
    expect(await reset(await manager({ permissions: PERMISSION_CODES, masking: true }), user.id)).toMatchObject({ status: 403 })
    const elsewhere = await world.addPark()
    const foreign = await manager({ permissions: PERMISSION_CODES, park: elsewhere.park, organisationId: elsewhere.park.id })
    expect((await reset(foreign, user.id)).status).toBe(404)
    expect((await reset(await manager({ permissions: PERMISSION_CODES }), randomUUID())).status).toBe(404)
    expect(await reset(client, user.id)).toMatchObject({ status: 400, data: field('id', 'ownAccount') })
    expect((await logInWith(user, { otp: next(secret) })).code).toBe(0)
  })
})

describe('a demand of the installation', () => {
  let root: string
  /** An administrator with a second factor. */
  let chief: Client & { secret: string }
  beforeAll(async () => {
    root = world.server.contexts.organisation.service.root().id
    const session = await administrator()
    chief = { ...session, ...(await setUp(session)) }
  })
  const administrator = () => world.session({ roleSign: 'admin', organisationId: root })
  const demand = (demandedOf: DemandedOf, by: Pick<Client, 'ask'> = chief) => by.ask(secondFactorCalls.saveConfig, { body: { demandedOf } })
  /** Run work while a second factor is required. */
  async function demanding(of: DemandedOf, work: () => Promise<unknown>): Promise<void> {
    expect((await demand(of)).code).toBe(0)
    try {
      await work()
    } finally {
      await demand('nobody')
    }
  }
  const NEEDED = { status: 403, code: 403, message: expect.stringMatching(/two-step/), data: field('', 'secondFactorNeeded') }

  test('is made by whoever has one, with their password, and not by others: nobody locks themselves out', async () => {
    expect(await chief.call(secondFactorCalls.config, {})).toEqual({ demandedOf: 'nobody', version: 0 })
    const bare = await administrator()
    for (const of of ['administrators', 'everybody'] as const)
      expect(await demand(of, bare)).toMatchObject({ status: 403, code: 100510, data: field('demandedOf', 'secondFactorFirst') })
    expect((await demand('nobody', bare)).code).toBe(0)
    expect(await demand('everybody', await world.session({ roleSign: 'admin', organisationId: root, confirmed: false }))).toMatchObject({
      status: 403,
      data: field('', 'passwordNeeded'),
    })
    const { version } = await chief.call(secondFactorCalls.config, {})
    const body = { demandedOf: 'nobody', version: version - 1 } as const
    expect((await chief.ask(secondFactorCalls.saveConfig, { body })).status).toBe(409)
    expect((await chief.ask(secondFactorCalls.saveConfig, { body: { demandedOf: 'somebody' as never } })).status).toBe(400)
  })

  test('holds at once for open sessions it is about, and ends when they set one up', async () => {
    const parkUser = await world.session()
    const [admin, operator] = [await administrator(), await world.session({ roleSign: 'operator', organisationId: root })]
    const state = async (client: Client) => {
      const { secondFactorMissing, roleSign, capabilities } = await client.call(identityCalls.profile, {})
      return { secondFactorMissing, roleSign, atRoot: capabilities.atRoot, permissions: capabilities.permissions.length }
    }
    expect(await state(admin)).toMatchObject({ secondFactorMissing: false, roleSign: 'admin', atRoot: true })
    await demanding('administrators', async () => {
      for (const client of [admin, operator]) {
        expect(await state(client)).toEqual({ secondFactorMissing: true, roleSign: 'other', atRoot: false, permissions: 0 })
        expect((await client.call(secondFactorCalls.read, {})).demanded).toBe(true)
        expect(await client.ask(deviceCalls.list, { query: {} })).toMatchObject(NEEDED)
      }
      for (const client of [parkUser, chief]) {
        expect((await state(client)).secondFactorMissing).toBe(false)
        expect((await client.ask(deviceCalls.list, { query: {} })).status).toBe(200)
      }
      expect((await parkUser.call(secondFactorCalls.read, {})).demanded).toBe(false)
      const { secret } = await setUp(admin)
      expect(await state(admin)).toMatchObject({ secondFactorMissing: false, roleSign: 'admin', atRoot: true })
      expect((await admin.ask(deviceCalls.list, { query: {} })).status).toBe(200)
      expect(await admin.ask(secondFactorCalls.remove, { body: { code: next(secret) } })).toMatchObject({
        status: 403,
        code: 100510,
        data: field('code', 'secondFactorDemanded'),
      })
      // A user who is no administrator needs no second factor.
      const own = await setUp(parkUser)
      expect((await parkUser.ask(secondFactorCalls.remove, { body: { code: next(own.secret) } })).code).toBe(0)
    })
    expect(await state(operator)).toMatchObject({ secondFactorMissing: false, roleSign: 'operator', atRoot: true })
  })

  test('of everybody leaves who lacks one nothing but what is needed to set one up', async () => {
    const bare = await world.session()
    const user = await settledUser(world)
    await demanding('everybody', async () => {
      const allowed = ALL_CALLS.filter(({ beforeSecondFactor }) => beforeSecondFactor === true)
      expect(
        named(allowed)
          .map(([name]) => name.replace(/\/\w+Service\/uface\/v1/, ''))
          .toSorted(),
      ).toEqual([
        'DELETE /users/sessions',
        'DELETE /users/sessions/{id}',
        'GET /areaCodes/parkInfo',
        'GET /token/revoke',
        'GET /users/profile',
        'GET /users/second/factor',
        'GET /users/sessions',
        'POST /token/expire',
        'POST /token/keep',
        'POST /users/confirmation',
        'POST /users/passwd',
        'POST /users/second/factor',
        'POST /users/second/factor/begin',
      ])
      const takesSessions = ALL_CALLS.filter(({ permission }) => !['public', 'basic', 'device'].includes(permission))
      for (const [name, call] of named(takesSessions.filter((one) => !allowed.includes(one))))
        expect(await ask(world, call, bare.credentials), name).toMatchObject({
          status: 403,
          code: 403,
          data: field('', 'secondFactorNeeded'),
        })
      const { code, data } = await logInWith(user)
      expect(code).toBe(0)
      const client = createClient(world.url, { bearer: data.access_token })
      for (const call of [identityCalls.profile, organisationCalls.parkInfo, ownCalls.sessions, secondFactorCalls.read])
        expect((await client.ask(call, {})).status, call.url).toBe(200)
      await setUp(client)
      expect((await client.ask(deviceCalls.list, { query: {} })).status).toBe(200)
    })
  })

  test('asks no API user, and a link on a wall works for as long as its maker may make one', async () => {
    const maker = await world.session({ roleSign: 'admin', organisationId: root })
    const { token } = await maker.call(screenLinkCalls.create, { body: { name: 'Lobby' } })
    const wall = createClient(world.url, { bearer: token })
    const { ApiKey, ApiSecret } = await world.call(clientCalls.create, {
      body: { name: 'Robot', permissions: ['device.list'], organisationId: world.park.id },
    })
    const { access_token: bearer } = await createClient(world.url, { basic: [ApiKey, ApiSecret] }).call(identityCalls.token, {
      body: { grant_type: 'client_credentials' },
    })
    const robot = createClient(world.url, { bearer })
    await demanding('everybody', async () => {
      expect((await robot.ask(deviceCalls.list, { query: {} })).status).toBe(200)
      expect((await robot.call(identityCalls.profile, {})).secondFactorMissing).toBe(false)
      expect(await wall.ask(screenCalls.read, {})).toMatchObject({ status: 401, code: 100412 })
      await setUp(maker)
      expect((await wall.ask(screenCalls.read, {})).status).toBe(200)
    })
  })

  test('reaches other servers of the installation, whatever they remember of a session', async () => {
    const facePool = testingFacePool({ workers: 1 })
    const still = clock.now()
    // Its clock stands still: by itself its cache would never expire.
    const other = await startServer({
      config: { ...world.server.platform.config, port: 0, mqttPort: 0 },
      connectionString: world.connectionString,
      facePool,
      clock: { now: () => still },
      scheduleOf: () => '0 0 1 1 *',
    })
    try {
      const bare = await world.session()
      const there = createClient(other.url, bare.credentials)
      const status = async () => (await there.ask(deviceCalls.list, { query: {} })).status
      expect(await status()).toBe(200)
      await demanding('everybody', () => until('the demand', async () => (await status()) === 403))
      await until('the end of the demand', async () => (await status()) === 200)
    } finally {
      await other.stop()
      await facePool.close()
    }
  })

  test('ends what is heard live', async () => {
    const bare = await world.session()
    const { bearer } = bare.credentials as { bearer: string }
    const hear = () => listen({ url: world.url, bearer, areaCode: world.park.areaCode }, topics.deviceStatus)
    await (await hear()).stop()
    const before = await hear()
    await demanding('everybody', async () => {
      await expect(hear()).rejects.toThrow('100510')
      await before.stop()
    })
    await (await hear()).stop()
  })
})
