/** The slide captcha of the login, from the third failure on. */
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { accountName, failTimes, settledUser, tryLogin, type MadeUser } from '../../../../../tests/support/accounts.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'

let world: World
const steered = { now: () => Date.now() }
beforeAll(async () => {
  world = await startWorld({ config: { captcha: true }, clock: { now: () => steered.now() } })
})
afterAll(() => world?.stop())

const make = () => createClient(world.url).call(ownCalls.captcha, {})
/** What somebody would answer who sees where the piece fits. */
async function solve(beside = 0): Promise<string> {
  const { id } = await make()
  const [row] = await query<{ answer: number }>(world.connectionString, `select answer from captcha where id = '${id}'`)
  return `${id}:${row!.answer + beside}`
}
/** Somebody who was wrong three times. */
async function somebodyWhoFailed(): Promise<MadeUser> {
  const user = await settledUser(world)
  await failTimes(world, user.account, 3)
  return user
}

test('is a picture with a gap and a piece for it', async () => {
  const { background, piece, width, height, pieceSize, top } = await make()
  const sizeOf = async (address: string) => {
    const { width: w, height: h } = await sharp(Buffer.from(address.split(',')[1]!, 'base64')).metadata()
    return [w, h]
  }
  expect(await sizeOf(background)).toEqual([width, height])
  expect(await sizeOf(piece)).toEqual([pieceSize, pieceSize])
  expect(top).toBeLessThanOrEqual(height - pieceSize)
  expect((await make()).background).not.toBe(background)
})

test('is asked for from the third failure on, of names nobody has too', async () => {
  for (const account of [(await settledUser(world)).account, accountName()]) {
    const asked = []
    for (let at = 0; at < 5; at++) asked.push((await tryLogin(world, account, 'Wrong-pass-1')).data.captcha)
    expect(asked).toEqual([false, false, true, true, true])
    expect((await tryLogin(world, account, 'Wrong-pass-1')).code).toBe(903)
  }
})

test('is needed then for the right password too, and lets it in when it is right', async () => {
  const user = await somebodyWhoFailed()
  expect(await tryLogin(world, user.account, user.password)).toMatchObject({ status: 400, code: 905 })
  expect((await tryLogin(world, user.account, user.password, await solve())).code).toBe(0)
  expect((await tryLogin(world, user.account, user.password)).code).toBe(0)
})

test('that is wrong refuses the login, which may be tried again [STATE:account:enabled>captcha error (905)]', async () => {
  const user = await somebodyWhoFailed()
  for (const wrong of [await solve(20), await solve(-20), 'nonsense', '00000000-0000-7000-8000-000000000000:100'])
    expect(await tryLogin(world, user.account, user.password, wrong), wrong).toMatchObject({ status: 400, code: 905 })
  expect((await tryLogin(world, user.account, user.password, await solve(2))).code).toBe(0)
})

test('holds for one try and for five minutes', async () => {
  const [user, used] = [await somebodyWhoFailed(), await solve()]
  expect((await tryLogin(world, user.account, 'Wrong-pass-1', used)).code).toBe(100401)
  expect((await tryLogin(world, user.account, user.password, used)).code).toBe(905)
  const old = await solve()
  steered.now = () => Date.now() + 5 * 60_000 + 1
  const late = await tryLogin(world, user.account, user.password, old)
  steered.now = () => Date.now()
  expect(late.code).toBe(905)
})

test('hides whether the password was right while it is wrong itself, and counts it all the same', async () => {
  const user = await somebodyWhoFailed()
  const answers = [
    await tryLogin(world, user.account, user.password, await solve(30)),
    await tryLogin(world, user.account, 'Wrong-pass-1', await solve(30)),
  ]
  expect(answers.map(({ code, data }) => ({ code, data }))).toEqual([
    { code: 905, data: undefined },
    { code: 905, data: undefined },
  ])
  expect((await tryLogin(world, user.account, 'Wrong-pass-1', await solve(30))).code).toBe(905)
  expect((await tryLogin(world, user.account, 'Wrong-pass-1', await solve(30))).code).toBe(903)
})
