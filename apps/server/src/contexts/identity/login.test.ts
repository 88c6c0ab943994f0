/** Who can log in: credentials, counting of failures, locks, and how a session continues and ends. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOCK_AFTER, LOCK_FOR } from '@gatehouse/contract'
import { timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { userCalls } from '@gatehouse/contract/identity/users'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient, logIn } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import {
  accountName,
  changeExpired,
  failTimes,
  newUser,
  PASSWORD,
  sealed,
  settledUser,
  tryLogin,
  type MadeUser,
} from '../../../../../tests/support/accounts.ts'
import { clockAhead } from '../../../../../tests/support/clock-ahead.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { askFrom, failFrom, newAddress, tryLoginFrom, type LoginFrom } from '../../../../../tests/support/from-address.ts'

const MINUTE = 60_000
const DAY = 86_400_000

let world: World
const ahead = clockAhead()
const later = ahead.after
beforeAll(async () => {
  world = await startWorld({ clock: ahead.clock })
})
afterAll(() => world?.stop())

const token = () => createClient(world.url, { basic: ['console', ''] })
const field = (path: string, rule: string) => ({ fields: [{ path, rule }] })

describe('the token call', () => {
  test('refuses an empty user name [VAL-001]', async () => {
    for (const username of [undefined, ''])
      expect(await token().ask(identityCalls.token, { body: { grant_type: 'password', username, password: 'x' } })).toMatchObject({
        status: 400,
        code: 400,
        data: field('username', 'required'),
      })
  })

  test('refuses an empty password [VAL-002]', async () => {
    for (const password of [undefined, ''])
      expect(await token().ask(identityCalls.token, { body: { grant_type: 'password', username: 'admin', password } })).toMatchObject({
        status: 400,
        code: 400,
        data: field('password', 'required'),
      })
  })

  test('takes Basic credentials and a form, every other call a bearer [BEH-079]', async () => {
    const user = await settledUser(world)
    const { publicKey } = await createClient(world.url).call(identityCalls.loginConfig, {})
    expect(publicKey).toContain('BEGIN PUBLIC KEY')
    const { access_token: bearer, token_type: type } = await logIn(createClient(world.url), user)
    expect(type).toBe('Bearer')
    expect((await createClient(world.url, { bearer }).call(identityCalls.profile, {})).username).toBe(user.account)
    const { password } = await sealed(createClient(world.url), { password: user.password })
    const body = { grant_type: 'password' as const, username: user.account, password }
    const asJson = await fetch(world.url + identityCalls.token.url, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('console:')}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(body),
    })
    expect(await asJson.json()).toMatchObject({ code: 0, access_token: expect.any(String) })
    expect(await createClient(world.url, { bearer }).ask(identityCalls.token, { body })).toMatchObject({ status: 401, code: 100412 })
    expect(await token().ask(identityCalls.profile, {})).toMatchObject({ status: 401, code: 100412 })
  })

  test('opens a session to right credentials [STATE:session:no session>logged in]', async () => {
    const user = await settledUser(world)
    const client = await world.as(user)
    expect(await client.call(identityCalls.profile, {})).toMatchObject({
      id: user.id,
      username: user.account,
      realName: 'Somebody',
      areaCode: world.park.areaCode,
    })
  })

  test('answers wrong credentials in the same words, whether the name or the password is wrong [VAL-004]', async () => {
    const user = await settledUser(world)
    const [wrong, unknown] = [await tryLogin(world, user.account, 'Wrong-pass-1'), await tryLogin(world, accountName(), 'Wrong-pass-1')]
    expect(wrong).toMatchObject({ status: 400, code: 100401, data: { failures: 1, limit: 6 } })
    expect({ ...unknown, headers: null }).toEqual({ ...wrong, headers: null })
    expect(wrong.message).toBe('The user name or the password is wrong.')
  })

  test('says how often a password was wrong, and that six in a row lock [BEH-083]', async () => {
    const user = await settledUser(world)
    for (let failures = 1; failures < 6; failures++)
      expect((await tryLogin(world, user.account, 'Wrong-pass-1')).data).toMatchObject({ failures, limit: 6 })
  })

  test('takes a password only as it travels: under the public key [BEH-078]', async () => {
    const user = await settledUser(world)
    const clear = await token().ask(identityCalls.token, {
      body: { grant_type: 'password', username: user.account, password: user.password },
    })
    expect(clear).toMatchObject({ status: 400, code: 100401 })
    expect((await tryLogin(world, user.account, user.password)).code).toBe(0)
  })

  test('takes no password by GET', async () => {
    const user = await settledUser(world)
    const { password } = await sealed(createClient(world.url), { password: user.password })
    const search = new URLSearchParams({ grant_type: 'password', username: user.account, password })
    const answer = await fetch(`${world.url}${identityCalls.token.url}?${search}`, {
      headers: { authorization: `Basic ${btoa('console:')}` },
    })
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 400, data: { fields: [{ path: 'grant_type' }] } }])
  })

  test('begins where it is told, else in the park last used', async () => {
    const { park } = await world.addPark()
    const root = world.server.contexts.organisation.service.root().id
    const user = await settledUser(world, { organisationId: root })
    const areaOf = async (areaCode?: string) =>
      (await (await world.as({ ...user, ...(areaCode && { areaCode }) })).call(identityCalls.profile, {})).areaCode
    expect(await areaOf(park.areaCode)).toBe(park.areaCode)
    expect(await areaOf(world.park.areaCode)).toBe(world.park.areaCode)
  })
})

describe('an address', () => {
  /** Insert failures, since making as many would take too long. */
  const addFailures = (ip: string, failures: number): Promise<{ count: number }[]> => {
    const subject = world.server.platform.crypto.blindIndex(`attempt address ${ip}`).toString('hex')
    return query(world.connectionString, `update attempt set count = count + ${failures} where subject = '\\x${subject}' returning count`)
  }
  const statusFrom = async (ip: string, account: string) => (await tryLoginFrom(world, { account, password: 'Wrong-pass-1', ip })).status

  test('that fails three hundred times in half an hour has to wait, and nobody else has', async () => {
    const [user, ip] = [await settledUser(world), newAddress()]
    expect(await statusFrom(ip, user.account)).toBe(400)
    expect(await addFailures(ip, 298)).toEqual([{ count: 299 }])
    expect([await statusFrom(ip, accountName()), await statusFrom(ip, accountName())]).toEqual([400, 429])
    expect(await statusFrom(newAddress(), accountName())).toBe(400)
    await later(31 * MINUTE, async () => expect(await statusFrom(ip, accountName())).toBe(400))
    expect((await tryLogin(world, user.account, user.password)).code).toBe(0)
  })

  test('does not come by its limit with many tries at the same moment', async () => {
    const ip = newAddress()
    await statusFrom(ip, accountName())
    await addFailures(ip, 296)
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusFrom(ip, accountName())))
    expect(statuses.toSorted()).toEqual([400, 400, 400, ...Array.from({ length: 17 }, () => 429)])
  })

  test('is charged with failures only: right passwords are taken back', async () => {
    const [user, ip] = [await settledUser(world), newAddress()]
    await statusFrom(ip, accountName())
    await addFailures(ip, 298)
    for (let time = 0; time < 3; time++) expect((await tryLoginFrom(world, { ...user, ip })).code).toBe(0)
    expect([await statusFrom(ip, accountName()), await statusFrom(ip, accountName())]).toEqual([400, 429])
  })

  test('keeps out neither a browser that was used before nor who is logged in, whatever strangers behind it do', async () => {
    const [user, ip] = [await settledUser(world), newAddress()]
    const { data } = await tryLoginFrom(world, { ...user, ip })
    await statusFrom(ip, accountName())
    await addFailures(ip, 300)
    expect([await statusFrom(ip, accountName()), (await tryLoginFrom(world, { ...user, ip })).status]).toEqual([429, 429])
    const knownDevice = data.known_device!
    expect((await tryLoginFrom(world, { ...user, ip, knownDevice })).code).toBe(0)
    // The device has a limit of its own.
    expect((await failFrom(world, { account: user.account, ip, knownDevice }, 6)).at(-1)).toBe(903)
    const body = await sealed(createClient(world.url), { password: user.password })
    const headers = { authorization: `Bearer ${data.access_token}` }
    expect((await askFrom(world, ip, ownCalls.confirm, { body }, headers)).code).toBe(0)
  })

  test('is a whole network where there are so many addresses in one', async () => {
    const { account } = await settledUser(world)
    const codes = []
    for (let host = 1; host <= 6; host++)
      codes.push((await tryLoginFrom(world, { account, password: 'Wrong-pass-1', ip: `2001:db8:0:7::${host}` })).code)
    expect(codes).toEqual([100401, 100401, 100401, 100401, 100401, 903])
    expect((await tryLoginFrom(world, { account, password: 'Wrong-pass-1', ip: '2001:db8:0:8::1' })).code).toBe(100401)
  })
})

describe('a lock', () => {
  const locked = async (login: Omit<LoginFrom, 'password'>): Promise<void> => {
    expect((await failFrom(world, login, 6)).at(-1)).toBe(903)
  }

  test('is for the address the failures came from: elsewhere the right password works, of names nobody has alike', async () => {
    const [user, ip] = [await settledUser(world), newAddress()]
    await locked({ account: user.account, ip })
    expect((await tryLoginFrom(world, { ...user, ip })).code).toBe(903)
    expect((await tryLoginFrom(world, { ...user, ip: newAddress() })).code).toBe(0)
    // A right password does not end the lock.
    expect((await tryLoginFrom(world, { ...user, ip })).code).toBe(903)
    const nobody = { account: accountName(), password: 'Wrong-pass-1' }
    await locked({ account: nobody.account, ip })
    expect((await tryLoginFrom(world, { ...nobody, ip })).code).toBe(903)
    expect(await tryLoginFrom(world, { ...nobody, ip: newAddress() })).toMatchObject({ code: 100401, data: { failures: 1 } })
  })

  test('is what the list of users shows, and a new password opens all of them', async () => {
    const user = await settledUser(world)
    const addresses = [newAddress(), newAddress()]
    for (const ip of addresses) await locked({ account: user.account, ip })
    expect((await tryLoginFrom(world, { ...user, ip: newAddress() })).code).toBe(0)
    const { state, lockedUntil } = await world.call(userCalls.read, { params: { id: user.id } })
    expect({ state, isLocked: lockedUntil! > Date.now() }).toEqual({ state: 'locked', isLocked: true })
    const { content } = await world.call(userCalls.list, { query: { state: 'locked', account: user.account } })
    expect(content.map(({ id }) => id)).toEqual([user.id])
    await later(31 * MINUTE, async () =>
      expect(await world.call(userCalls.read, { params: { id: user.id } })).toMatchObject({ state: 'enabled', lockedUntil: null }),
    )
    const { initialPassword } = await world.call(userCalls.resetPassword, { params: { id: user.id }, body: {} })
    for (const ip of addresses)
      expect((await tryLoginFrom(world, { account: user.account, password: initialPassword!, ip })).code).toBe(902)
  })
})

describe('a browser that was used before', () => {
  /** Create a user who has logged in, and return what the browser stores. */
  async function known(ip: string) {
    const user = await settledUser(world)
    const { data } = await tryLoginFrom(world, { ...user, ip })
    return { ...user, ip, knownDevice: data.known_device! }
  }

  test('is not locked out by anybody behind the same address', async () => {
    const user = await known(newAddress())
    expect((await failFrom(world, { account: user.account, ip: user.ip }, 6)).at(-1)).toBe(903)
    expect((await tryLoginFrom(world, { ...user, knownDevice: undefined })).code).toBe(903)
    const again = await tryLoginFrom(world, user)
    expect(again).toMatchObject({ code: 0, data: { known_device: user.knownDevice } })
  })

  test('is locked by six wrong passwords of its own, which lock nothing else', async () => {
    const user = await known(newAddress())
    expect(await failFrom(world, user, 6)).toEqual([100401, 100401, 100401, 100401, 100401, 903])
    expect((await tryLoginFrom(world, user)).code).toBe(903)
    expect((await tryLoginFrom(world, { ...user, knownDevice: undefined })).code).toBe(0)
  })

  test('is known for the account only, and a shared one for each of its users', async () => {
    const [one, other] = [await known(newAddress()), await settledUser(world)]
    await failFrom(world, { account: other.account, ip: one.ip }, 6)
    expect((await tryLoginFrom(world, { ...other, ip: one.ip, knownDevice: one.knownDevice })).code).toBe(903)
    const shared = await tryLoginFrom(world, { ...other, ip: newAddress(), knownDevice: one.knownDevice })
    expect(shared.data.known_device).toBe(one.knownDevice)
    expect((await tryLoginFrom(world, { ...other, ip: one.ip, knownDevice: one.knownDevice })).code).toBe(0)
    expect((await tryLoginFrom(world, one)).code).toBe(0)
  })

  test('is a stranger to the server with a text that was not made there', async () => {
    const [user, knownDevice] = [await settledUser(world), 'x'.repeat(43)]
    const { data } = await tryLoginFrom(world, { ...user, ip: newAddress(), knownDevice })
    expect(data.known_device).toMatch(/^[\w-]{43}$/)
    expect(data.known_device).not.toBe(knownDevice)
  })

  test('is forgotten after half a year, and when the password is another', async () => {
    const user = await known(newAddress())
    const isKnown = async (account: MadeUser & { ip: string; knownDevice: string }): Promise<boolean> => {
      await failFrom(world, { account: account.account, ip: account.ip }, 6)
      return (await tryLoginFrom(world, account)).code === 0
    }
    expect(await later(179 * DAY, () => isKnown(user))).toBe(true)
    expect(await later((179 + 181) * DAY, () => isKnown(user))).toBe(false)
    const changed = await known(newAddress())
    const client = await world.as(changed)
    const body = await sealed(client, { oldPassword: changed.password, newPassword: 'Third-pass-3', confirmPassword: 'Third-pass-3' })
    await client.call(ownCalls.changePassword, { body })
    expect(await isKnown({ ...changed, password: 'Third-pass-3' })).toBe(false)
  })

  test('is kept as a hash, and no account has more than twenty', async () => {
    const user = await known(newAddress())
    for (let browser = 0; browser < 21; browser++) await tryLoginFrom(world, { ...user, knownDevice: undefined })
    const rows = await query<{ row: string }>(
      world.connectionString,
      `select known_device::text as row from known_device where user_id = '${user.id}'`,
    )
    expect(rows).toHaveLength(20)
    expect(JSON.stringify(rows)).not.toContain(user.knownDevice)
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(user.knownDevice).toString('hex'))
  })

  test('changes an expired password though others behind its address failed', async () => {
    const user = await settledUser(world, { passwordValidity: '3m' })
    const ip = newAddress()
    const { data } = await tryLoginFrom(world, { ...user, ip })
    await later(93 * DAY, async () => {
      expect((await failFrom(world, { account: user.account, ip }, 6)).at(-1)).toBe(903)
      const change = async (knownDevice?: string) => {
        const passwords = { oldPassword: user.password, newPassword: 'Third-pass-3', confirmPassword: 'Third-pass-3' }
        const body = { account: user.account, ...(await sealed(createClient(world.url), passwords)), ...(knownDevice && { knownDevice }) }
        return (await askFrom(world, ip, ownCalls.changeExpired, { body })).code
      }
      expect([await change(), await change(data.known_device)]).toEqual([903, 0])
    })
  })
})

describe('an account', () => {
  test(
    'is locked by six wrong passwords, for thirty minutes ' +
      '[VAL-028, VAL-029, STATE:account:enabled>locked (903), STATE:account:locked (903)>enabled]',
    async () => {
      expect([LOCK_AFTER, LOCK_FOR]).toEqual([6, 30])
      const user = await settledUser(world)
      expect(await failTimes(world, user.account, 6)).toEqual([100401, 100401, 100401, 100401, 100401, 903])
      const refused = await tryLogin(world, user.account, user.password)
      expect(refused).toMatchObject({ status: 400, code: 903 })
      expect(refused.data.lockedUntil - Date.now()).toBeGreaterThan(29 * MINUTE)
      expect(refused.data.lockedUntil - Date.now()).toBeLessThanOrEqual(30 * MINUTE)
      expect((await later(29 * MINUTE, () => tryLogin(world, user.account, user.password))).code).toBe(903)
      expect((await later(30 * MINUTE + 1000, () => tryLogin(world, user.account, user.password))).code).toBe(0)
    },
  )

  test('is counted in a row: a right password begins anew', async () => {
    const user = await settledUser(world)
    await failTimes(world, user.account, 5)
    expect((await tryLogin(world, user.account, user.password)).code).toBe(0)
    expect((await tryLogin(world, user.account, 'Wrong-pass-1')).data.failures).toBe(1)
  })

  test('is not opened by many tries at once', async () => {
    const user = await settledUser(world)
    const codes = (await Promise.all(Array.from({ length: 12 }, (_, at) => tryLogin(world, user.account, `Wrong-pass-${at}`)))).map(
      ({ code }) => code,
    )
    expect(codes.filter((code) => code === 100401)).toHaveLength(5)
    expect(codes.filter((code) => code === 903)).toHaveLength(7)
  })

  test('that nobody has is counted and locked like one that exists', async () => {
    const [name, user] = [accountName(), await settledUser(world)]
    const answers = async (account: string) => {
      const found = []
      for (let at = 0; at < 8; at++) {
        const { status, code, message, data } = await tryLogin(world, account, 'Wrong-pass-1')
        found.push({ status, code, message, shape: Object.keys(data).toSorted(), failures: data.failures })
      }
      return found
    }
    expect(await answers(name)).toEqual(await answers(user.account))
    expect((await later(31 * MINUTE, () => tryLogin(world, name, 'Wrong-pass-1'))).data.failures).toBe(1)
  })

  test('that expired is refused until extended [STATE:account:enabled>expired (904), STATE:account:expired (904)>enabled]', async () => {
    const user = await settledUser(world, { expiry: Date.now() + DAY })
    expect((await tryLogin(world, user.account, user.password)).code).toBe(0)
    expect(await later(DAY + MINUTE, () => tryLogin(world, user.account, user.password))).toMatchObject({ status: 400, code: 904 })
    const { roles, ...fields } = await world.call(userCalls.read, { params: { id: user.id } })
    await world.call(userCalls.change, { body: { ...fields, roles, expiry: Date.now() + 3 * DAY } })
    expect((await later(DAY + MINUTE, () => tryLogin(world, user.account, user.password))).code).toBe(0)
  })

  test(
    'whose password has expired is refused until it has another ' +
      '[STATE:account:enabled>password expired (902), STATE:account:password expired (902)>enabled]',
    async () => {
      const user = await settledUser(world, { passwordValidity: '3m' })
      expect((await tryLogin(world, user.account, user.password)).code).toBe(0)
      await later(93 * DAY, async () => {
        expect(await tryLogin(world, user.account, user.password)).toMatchObject({ status: 400, code: 902 })
        expect((await changeExpired(world, user.account, user.password, 'Third-pass-3')).code).toBe(0)
        expect((await tryLogin(world, user.account, 'Third-pass-3')).code).toBe(0)
        expect((await tryLogin(world, user.account, user.password)).code).toBe(100401)
      })
    },
  )

  test('has a password that holds three months, half a year, a year or for ever [VAL-030]', async () => {
    const validFor = { '3m': [88, 93], '6m': [180, 185], '1y': [364, 367] } as const
    for (const [passwordValidity, [good, over]] of Object.entries(validFor)) {
      const user = await settledUser(world, { passwordValidity: passwordValidity as keyof typeof validFor })
      expect((await later(good * DAY, () => tryLogin(world, user.account, user.password))).code, passwordValidity).toBe(0)
      expect((await later(over * DAY, () => tryLogin(world, user.account, user.password))).code, passwordValidity).toBe(902)
    }
    const user = await settledUser(world, { passwordValidity: 'forever' })
    expect((await later(4000 * DAY, () => tryLogin(world, user.account, user.password))).code).toBe(0)
  })

  test('with its first password may not come in before it has another', async () => {
    const user = await newUser(world)
    expect((await tryLogin(world, user.account, user.password)).code).toBe(902)
    expect((await changeExpired(world, user.account, user.password, PASSWORD)).code).toBe(0)
    expect((await tryLogin(world, user.account, PASSWORD)).code).toBe(0)
  })

  test('disabled while logged in is refused on its next call, and at login [BEH-086]', async () => {
    const user = await settledUser(world)
    const client = await world.as(user)
    await client.call(identityCalls.profile, {})
    await world.call(userCalls.disable, { params: { id: user.id } })
    expect(await client.ask(identityCalls.profile, {})).toMatchObject({ status: 403, code: 901 })
    expect(await tryLogin(world, user.account, user.password)).toMatchObject({ status: 400, code: 901 })
  })
})

describe('a session', () => {
  test('goes on while it is kept alive [STATE:session:logged in>logged in]', async () => {
    const client = await world.as(await settledUser(world))
    await later(110 * MINUTE, async () => expect(await client.call(identityCalls.keep, {})).toEqual({ expiresIn: 7200 }))
    expect((await later(220 * MINUTE, () => client.ask(identityCalls.profile, {}))).status).toBe(200)
    expect(await later(240 * MINUTE, () => client.ask(identityCalls.profile, {}))).toMatchObject({ status: 401, code: 40120 })
  })

  test('of a data screen is renewed for the seconds it is told', async () => {
    const client = await world.as(await settledUser(world))
    const { seconds } = await later(100 * MINUTE, () => client.call(identityCalls.expire, {}))
    expect(seconds).toBe(7200)
    expect((await later(100 * MINUTE + (seconds - 5) * 1000, () => client.ask(identityCalls.profile, {}))).status).toBe(200)
    expect((await later(100 * MINUTE + (seconds + 5) * 1000, () => client.ask(identityCalls.profile, {}))).code).toBe(40120)
  })

  test('is refreshed by its refresh token, which holds no more once the new tokens are used', async () => {
    const { refresh_token: first } = await logIn(createClient(world.url), await settledUser(world))
    const refresh = (refreshToken: string) =>
      token().ask(identityCalls.token, { body: { grant_type: 'refresh_token', refresh_token: refreshToken } })
    const { data, code } = await refresh(first)
    expect(code).toBe(0)
    expect((await createClient(world.url, { bearer: data.access_token }).ask(identityCalls.profile, {})).status).toBe(200)
    expect(await refresh(first)).toMatchObject({ status: 400, code: 100412 })
    const byGet = await token().ask(identityCalls.tokenByGet, { query: { grant_type: 'refresh_token', refresh_token: data.refresh_token } })
    expect(byGet.code).toBe(0)
    expect((await createClient(world.url, { bearer: byGet.data.access_token }).ask(identityCalls.profile, {})).status).toBe(200)
  })

  test('cannot be refreshed once its refresh token has expired, nor without one [STATE:session:logged in>expired]', async () => {
    const { access_token: bearer, refresh_token: refreshToken } = await logIn(createClient(world.url), await settledUser(world))
    await later(8 * DAY, async () => {
      expect(await createClient(world.url, { bearer }).ask(identityCalls.profile, {})).toMatchObject({ status: 401 })
      expect(await token().ask(identityCalls.token, { body: { grant_type: 'refresh_token', refresh_token: refreshToken } })).toMatchObject({
        status: 400,
        code: 100412,
      })
      expect(await token().ask(identityCalls.token, { body: { grant_type: 'refresh_token' } })).toMatchObject({
        status: 400,
        code: 400,
        data: field('refresh_token', 'required'),
      })
    })
  })

  test('that was revoked is refused by every service at once [BEH-085, STATE:session:logged in>no session]', async () => {
    const { access_token: bearer, refresh_token: refreshToken } = await logIn(createClient(world.url), await settledUser(world))
    const client = createClient(world.url, { bearer })
    const services = [
      () => client.ask(identityCalls.profile, {}),
      () => client.ask(peopleCalls.groupTree, { query: {} }),
      () => client.ask(timeRuleCalls.list, { query: {} }),
    ]
    for (const ask of services) expect((await ask()).status).toBe(200)
    await client.call(identityCalls.revoke, {})
    for (const ask of services) expect(await ask()).toMatchObject({ status: 401, code: 100412 })
    expect((await token().ask(identityCalls.token, { body: { grant_type: 'refresh_token', refresh_token: refreshToken } })).code).toBe(
      100412,
    )
  })

  test('cannot be had by knowing an id: of the account, of a session, of a person [FIELD-19]', async () => {
    const user = await settledUser(world)
    const client = await world.as(user)
    const { id } = (await world.server.contexts.identity.sessions.openOf(user.id))[0]!
    const group = await world.personGroup()
    const person = await world.person({ groupId: group.id })
    for (const known of [user.id, id, person.id, user.account, world.park.id]) {
      expect(await createClient(world.url, { bearer: known }).ask(identityCalls.profile, {}), known).toMatchObject({
        status: 401,
        code: 100412,
      })
      expect(await token().ask(identityCalls.token, { body: { grant_type: 'refresh_token', refresh_token: known } })).toMatchObject({
        status: 400,
        code: 100412,
      })
      expect((await tryLogin(world, known, known)).code).toBe(100401)
      expect(
        await createClient(world.url, { basic: [known, ''] }).ask(identityCalls.token, { body: { grant_type: 'client_credentials' } }),
      ).toMatchObject({ status: 401 })
    }
    expect((await client.ask(identityCalls.profile, {})).status).toBe(200)
  })
})

test('the operation log has every login, every failed one with the name that was typed, and the lock', async () => {
  const user = await settledUser(world)
  await failTimes(world, user.account, 6)
  const unknown = accountName()
  await failTimes(world, unknown, 1)
  const { content } = await world.call(auditCalls.operations, { query: { size: 100, all: true } })
  const entries = content.filter(({ url }) => url.endsWith('/auth/token'))
  const of = (account: string) => entries.filter((entry) => entry.account === account)
  expect(of(user.account)).toHaveLength(6)
  for (const account of [user.account, unknown])
    expect(of(account)[0]).toMatchObject({
      account,
      module: 'login',
      ip: '127.0.0.1',
      subjects: [{ entity: 'refusedLogin', label: account }],
    })
  const [lock] = of(user.account)
  const { changes } = await world.call(auditCalls.operation, { params: { id: lock!.id } })
  expect(changes[0]!.fields).toEqual([{ field: 'refusedWith', before: null, after: 903 }])
  expect(JSON.stringify(content)).not.toContain('Wrong-pass')
  await later(31 * MINUTE, () => tryLogin(world, user.account, user.password))
  expect(
    (await world.call(auditCalls.operations, { query: { account: user.account, size: 100, all: true } })).content.filter(({ url }) =>
      url.endsWith('/auth/token'),
    ),
  ).toHaveLength(7)
})
