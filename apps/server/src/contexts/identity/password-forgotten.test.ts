/** A forgotten password, by a code that is mailed: three calls, and none of them tells which accounts exist. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CODES_PER_DAY } from '@gatehouse/contract'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { userCalls } from '@gatehouse/contract/identity/users'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { accountName, codeSentTo, failTimes, PASSWORD, sealed, settledUser, tryLogin } from '../../../../../tests/support/accounts.ts'
import { until } from '../../../../../tests/support/until.ts'

const NEW = 'Third-pass-3'

let world: World
let nobody: Client
const steered = { now: () => Date.now() }
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => steered.now() } })
  nobody = createClient(world.url)
})
afterAll(() => world?.stop())

const send = (account: string) => nobody.ask(ownCalls.sendCode, { query: { account } })
const check = (account: string, code: string) => nobody.ask(ownCalls.checkCode, { body: { account, code } })
const reset = async (ticket: string, newPassword = NEW, confirmPassword = newPassword) =>
  nobody.ask(ownCalls.resetPassword, { body: { ticket, ...(await sealed(nobody, { newPassword, confirmPassword })) } })

async function somebody(wishes: object = {}) {
  const email = `${accountName()}@example.org`
  return { ...(await settledUser(world, { email, ...wishes })), email }
}
/** The code that was mailed to somebody just now. */
async function mailed({ account, email }: { account: string; email: string }): Promise<string> {
  expect(await send(account)).toMatchObject({ status: 200, code: 0, data: { validMinutes: 10, delivered: false } })
  return until('the code', () => codeSentTo(world, email))
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
  steered.now = () => Date.now() + 10 * 60_000 + 1
  const late = await check(user.account, first)
  steered.now = () => Date.now()
  expect(late.code).toBe(100115)
  const second = await send(user.account).then(() =>
    until('another code', async () => {
      const code = await codeSentTo(world, user.email)
      return code === first ? undefined : code
    }),
  )
  expect((await check(user.account, first)).code).toBe(100115)
  expect((await check(user.account, second)).code).toBe(0)
  expect((await check(user.account, second)).code).toBe(100115)
})

test('so many codes a day may be asked for, and so many tried, whoever it is', async () => {
  for (const account of [(await somebody()).account, accountName()]) {
    const [asked, tried] = [[] as number[], [] as number[]]
    for (let at = 0; at <= CODES_PER_DAY; at++) {
      asked.push((await send(account)).code)
      tried.push((await check(account, 'wrong')).code)
    }
    expect(asked).toEqual([...Array.from({ length: 10 }, () => 0), 100113])
    expect(tried).toEqual([...Array.from({ length: 10 }, () => 100115), 100114])
  }
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
