/** A forgotten password, replaced with a mailed code: three calls, none of which reveals which accounts exist. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CODES_PER_DAY } from '@gatehouse/contract'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { userCalls } from '@gatehouse/contract/identity/users'
import { messageCalls } from '@gatehouse/contract/system/messages'
import { createClient, type Answer, type Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { accountName, codeSentTo, failTimes, PASSWORD, sealed, settledUser, tryLogin } from '../../../../../tests/support/accounts.ts'
import { clockAhead } from '../../../../../tests/support/clock-ahead.ts'
import { askFrom, newAddress } from '../../../../../tests/support/from-address.ts'
import { until } from '../../../../../tests/support/until.ts'

const NEW = 'Third-pass-3'
const MINUTE = 60_000

let world: World
let nobody: Client
const ahead = clockAhead()
beforeAll(async () => {
  world = await startWorld({ clock: ahead.clock })
  nobody = createClient(world.url)
})
afterAll(() => world?.stop())

const send = (account: string) => nobody.ask(ownCalls.sendCode, { query: { account } })
const check = (account: string, code: string) => nobody.ask(ownCalls.checkCode, { body: { account, code } })
const reset = async (ticket: string, newPassword = NEW, confirmPassword = newPassword) =>
  nobody.ask(ownCalls.resetPassword, { body: { ticket, ...(await sealed(nobody, { newPassword, confirmPassword })) } })

async function somebody(options: object = {}) {
  const email = `${accountName()}@example.org`
  return { ...(await settledUser(world, { email, ...options })), email }
}
/** Return the code that was just mailed to a user. */
async function mailed({ account, email }: { account: string; email: string }): Promise<string> {
  expect(await send(account)).toMatchObject({ status: 200, code: 0, data: { validMinutes: 10, delivered: false } })
  return until('the code', () => codeSentTo(world, email))
}

/** Request another code, and return it. */
async function anotherCode({ account, email }: { account: string; email: string }, before: string | undefined): Promise<string> {
  const known = before ?? (await codeSentTo(world, email))
  await askFrom(world, newAddress(), ownCalls.sendCode, { query: { account } })
  return until('another code', async () => {
    const code = await codeSentTo(world, email)
    return code === known ? undefined : code
  })
}

test('a code from the e-mail sets a new password, opens a lock and ends all sessions', async () => {
  const user = await somebody()
  const session = await world.as(user)
  expect((await failTimes(world, user.account, 6)).at(-1)).toBe(903)
  const { data, code } = await check(user.account, await mailed(user))
  expect(code).toBe(0)
  expect((await reset(data.ticket)).code).toBe(0)
  expect((await session.ask(identityCalls.profile, {})).status).toBe(401)
  expect((await tryLogin(world, user.account, NEW)).code).toBe(0)
  expect((await reset(data.ticket, 'Fourth-pass-4')).code).toBe(100115)
})

test('every step answers alike for an account that nobody has, that has no address or that is disabled', async () => {
  const disabled = await somebody()
  await world.call(userCalls.disable, { params: { id: disabled.id } })
  const names = [await somebody(), await somebody({ email: '' }), disabled, { account: accountName() }].map(({ account }) => account)
  const answers = []
  for (const account of names) {
    const asked = { ...(await send(account)), headers: null }
    const checked = { ...(await check(account, 'wrong')), headers: null }
    answers.push({ asked, checked })
  }
  expect(answers[0]).toMatchObject({ asked: { status: 200, code: 0 }, checked: { status: 200, code: 100115 } })
  for (const answer of answers) expect(answer).toEqual(answers[0])
  expect(await codeSentTo(world, disabled.email)).toBeUndefined()
})

test('a code is valid for ten minutes, once, and only the newest', async () => {
  const user = await somebody()
  const first = await mailed(user)
  expect((await ahead.after(10 * MINUTE + 1, () => check(user.account, first))).code).toBe(100115)
  const second = await ahead.after(MINUTE + 1, () => anotherCode(user, first))
  expect((await check(user.account, first)).code).toBe(100115)
  expect((await check(user.account, second)).code).toBe(0)
  expect((await check(user.account, second)).code).toBe(100115)
})

describe('codes', () => {
  const sendFrom = async (ip: string, account: string) => (await askFrom(world, ip, ownCalls.sendCode, { query: { account } })).code
  const checkFrom = async (ip: string, account: string, code: string) =>
    askFrom(world, ip, ownCalls.checkCode, { body: { account, code } }) as Promise<Answer<{ ticket: string }>>

  test('may be asked for and tried so many times a day from one address, whoever it is; elsewhere nothing is used up by that', async () => {
    const user = await somebody()
    for (const account of [user.account, accountName()]) {
      const [asked, tried, ip] = [[] as number[], [] as number[], newAddress()]
      for (let at = 0; at <= CODES_PER_DAY; at++) {
        asked.push(await sendFrom(ip, account))
        tried.push((await checkFrom(ip, account, 'wrong')).code)
      }
      expect(asked).toEqual([...Array.from({ length: 10 }, () => 0), 100113])
      expect(tried).toEqual([...Array.from({ length: 10 }, () => 100115), 100114])
    }
    const code = await ahead.after(MINUTE + 1, async () => anotherCode(user, await codeSentTo(world, user.email)))
    expect((await checkFrom(newAddress(), user.account, code)).code).toBe(0)
  })

  test('may be asked for and tried a hundred times a day from all addresses together', async () => {
    for (const account of [(await somebody()).account, accountName()]) {
      for (let address = 0; address < 10; address++) {
        const ip = newAddress()
        for (let at = 0; at < CODES_PER_DAY; at++) {
          expect(await sendFrom(ip, account)).toBe(0)
          expect((await checkFrom(ip, account, 'wrong')).code).toBe(100115)
        }
        // Requests refused to one address do not count for the others.
        expect(await sendFrom(ip, account)).toBe(100113)
      }
      const ip = newAddress()
      expect([await sendFrom(ip, account), (await checkFrom(ip, account, 'wrong')).code]).toEqual([100113, 100114])
    }
  })

  test('are mailed once a minute at most; more requests answer alike and leave the code as it is', async () => {
    const user = await somebody()
    const sent = async () =>
      (await world.call(messageCalls.messages, { query: { size: 100 } })).content.filter(({ to }) => to === user.email).length
    const before = await sent()
    const code = await mailed(user)
    const answers = []
    for (let at = 0; at < 5; at++) answers.push(await askFrom(world, newAddress(), ownCalls.sendCode, { query: { account: user.account } }))
    for (const { status, code: answered, data } of answers)
      expect({ status, answered, data }).toEqual({ status: 200, answered: 0, data: { validMinutes: 10, delivered: false } })
    await ahead.after(MINUTE + 1, () => anotherCode(user, code))
    expect((await sent()) - before).toBe(2)
  })

  test('that somebody else asks for do not end a ticket', async () => {
    const user = await somebody()
    const { data } = await check(user.account, await mailed(user))
    await askFrom(world, newAddress(), ownCalls.sendCode, { query: { account: user.account } })
    expect((await reset(data.ticket)).code).toBe(0)
  })

  test('and tickets end when a new password was set by another', async () => {
    const user = await somebody()
    const first = await check(user.account, await mailed(user))
    const code = await anotherCode(user, undefined)
    const second = await check(user.account, code)
    expect((await reset(second.data.ticket)).code).toBe(0)
    expect((await reset(first.data.ticket, 'Fourth-pass-4')).code).toBe(100115)
  })
})

test('a new password that breaks a rule is refused, and the ticket still holds', async () => {
  const user = await somebody()
  const { data } = await check(user.account, await mailed(user))
  expect((await reset(data.ticket, 'simple')).code).toBe(100420)
  expect((await reset(data.ticket, PASSWORD)).code).toBe(100419)
  expect(await reset(data.ticket, NEW, 'Other-pass-1')).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'confirmPassword', rule: 'confirmation' }] },
  })
  expect((await reset(data.ticket)).code).toBe(0)
  expect((await tryLogin(world, user.account, NEW)).code).toBe(0)
})

test('a ticket that was never given sets nothing', async () => {
  for (const ticket of ['guessed', (await somebody()).id]) expect((await reset(ticket)).code).toBe(100115)
})
