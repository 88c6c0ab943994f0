/** The slide captcha of the login, from the third failure on. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { captchaAnswerText } from '@gatehouse/contract/identity/captcha'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import {
  accountName,
  failTimes,
  newUser,
  PASSWORD,
  sealed,
  settledUser,
  tryLogin,
  type MadeUser,
} from '../../../../../tests/support/accounts.ts'
import { fittingPlace, newCaptcha, solveCaptcha, workOn } from '../../../../../tests/support/captcha.ts'
import { clockAhead } from '../../../../../tests/support/clock-ahead.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { askFrom, failFrom, newAddress, tryLoginFrom } from '../../../../../tests/support/from-address.ts'

const MINUTE = 60_000

let world: World
const ahead = clockAhead()
beforeAll(async () => {
  world = await startWorld({ config: { captcha: true }, clock: ahead.clock })
})
afterAll(() => world?.stop())

const make = () => newCaptcha(world)
const solve = (beside = 0): Promise<string> => solveCaptcha(world, beside)
const fail = (account: string, captcha?: string) => tryLogin(world, account, 'Wrong-pass-1', captcha)

/** Create a user who typed a wrong password three times. */
async function somebodyWhoFailed(): Promise<MadeUser> {
  const user = await settledUser(world)
  await failTimes(world, user.account, 3)
  return user
}

describe('the captcha', () => {
  test('is a picture with gaps, a piece for one of them, and work to do', async () => {
    const { id, background, piece, width, height, pieceSize, top, work } = await make()
    const sizeOf = async (address: string) => {
      const { width: w, height: h } = await sharp(Buffer.from(address.split(',')[1]!, 'base64')).metadata()
      return [w, h]
    }
    expect(await sizeOf(background)).toEqual([width, height])
    expect(await sizeOf(piece)).toEqual([pieceSize, pieceSize])
    expect(top).toBeLessThanOrEqual(height - pieceSize)
    expect(work).toEqual({ salt: id, cost: 16, bits: 2 })
    expect((await make()).background).not.toBe(background)
  })

  test('is asked for from the third failure on, of names nobody has too, and every further try needs one', async () => {
    for (const account of [(await settledUser(world)).account, accountName()]) {
      const asked = []
      for (let at = 0; at < 3; at++) asked.push((await fail(account)).data.captcha)
      expect(asked).toEqual([false, false, true])
      expect((await fail(account)).code).toBe(905)
      expect((await fail(account, await solve())).data).toMatchObject({ failures: 4, captcha: true })
      expect((await fail(account, await solve())).data).toMatchObject({ failures: 5, captcha: true })
      expect((await fail(account, await solve())).code).toBe(903)
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
    const wrongs = [
      await solve(20),
      await solve(-20),
      'nonsense',
      `${'-'.repeat(36)}:1:1`,
      '00000000-0000-7000-8000-000000000000:100:0',
      (await solve()).replace(/:\d+$/, ''),
    ]
    for (const wrong of wrongs)
      expect(await tryLogin(world, user.account, user.password, wrong), wrong).toMatchObject({ status: 400, code: 905 })
    expect((await tryLogin(world, user.account, user.password, await solve(2))).code).toBe(0)
  })

  test('holds for one try and for five minutes', async () => {
    const [user, used] = [await somebodyWhoFailed(), await solve()]
    expect((await fail(user.account, used)).code).toBe(100401)
    expect((await tryLogin(world, user.account, user.password, used)).code).toBe(905)
    const old = await solve()
    expect((await ahead.after(5 * MINUTE + 1, () => tryLogin(world, user.account, user.password, old))).code).toBe(905)
  })

  test('that is missing or wrong tells nothing about the password, and counts nothing against the account', async () => {
    const user = await somebodyWhoFailed()
    for (let at = 0; at < 8; at++)
      for (const password of [user.password, 'Wrong-pass-1'])
        for (const captcha of [undefined, await solve(30)]) {
          const { status, code, data } = await tryLogin(world, user.account, password, captcha)
          expect({ status, code, data }).toEqual({ status: 400, code: 905, data: undefined })
          if (at > 0) break
        }
    expect((await fail(user.account, await solve())).data.failures).toBe(4)
  })

  test('bounds tries that are made at the same moment, before any of them has failed', async () => {
    const { account } = await settledUser(world)
    // Not even for a moment: an attempt that is counted and reverted would seem to have locked the account in the meantime.
    await query(world.connectionString, 'ALTER TABLE login_failure ADD CONSTRAINT no_more CHECK (count <= 3) NOT VALID')
    onTestFinished(() => query(world.connectionString, 'ALTER TABLE login_failure DROP CONSTRAINT no_more').then(() => {}))
    const codes = (await Promise.all(Array.from({ length: 40 }, () => fail(account)))).map(({ code }) => code)
    expect(codes.filter((code) => code !== 905).length).toBeLessThanOrEqual(3)
    expect(codes.filter((code) => code !== 905 && code !== 100401)).toEqual([])
  })

  test('is needed for a password that has expired, once there were failures', async () => {
    const user = await newUser(world)
    await failTimes(world, user.account, 3)
    const change = async (captcha?: string) => {
      const client = createClient(world.url)
      const passwords = await sealed(client, { oldPassword: user.password, newPassword: PASSWORD, confirmPassword: PASSWORD })
      return client.ask(ownCalls.changeExpired, { body: { account: user.account, ...passwords, captcha } })
    }
    expect((await change()).code).toBe(905)
    expect((await change(await solve())).code).toBe(0)
  })
})

describe('failures from many addresses', () => {
  test('ask for a captcha everywhere from the third on, and lock nobody out', async () => {
    const user = await settledUser(world)
    for (let at = 0; at < 3; at++) await failFrom(world, { account: user.account, ip: newAddress() }, 1)
    const elsewhere = { ...user, ip: newAddress() }
    expect((await tryLoginFrom(world, elsewhere)).code).toBe(905)
    for (let at = 0; at < 8; at++)
      expect((await tryLoginFrom(world, { ...user, password: 'Wrong-pass-1', ip: newAddress(), captcha: await solve() })).code).toBe(100401)
    expect((await tryLoginFrom(world, { ...elsewhere, captcha: await solve() })).code).toBe(0)
  })

  test('ask a browser that is known for none', async () => {
    const user = await settledUser(world)
    const { data } = await tryLoginFrom(world, { ...user, ip: newAddress() })
    for (let at = 0; at < 3; at++) await failFrom(world, { account: user.account, ip: newAddress() }, 1)
    expect((await tryLoginFrom(world, { ...user, ip: newAddress(), knownDevice: data.known_device })).code).toBe(0)
  })
})

describe('the work of a captcha', () => {
  test('is needed besides the right place', async () => {
    const user = await somebodyWhoFailed()
    const { id, work } = await make()
    const x = await fittingPlace(world, id)
    const without = captchaAnswerText({ id, x, counter: workOn(work, false) })
    expect((await tryLogin(world, user.account, user.password, without)).code).toBe(905)
    // It cannot be answered again either: the captcha is used up.
    expect((await tryLogin(world, user.account, user.password, captchaAnswerText({ id, x, counter: workOn(work) }))).code).toBe(905)
  })

  test('is of no use for another captcha', async () => {
    const user = await somebodyWhoFailed()
    let [first, second] = [await make(), await make()]
    // One number may happen to be the least for both.
    while (workOn(first.work) === workOn(second.work)) [first, second] = [second, await make()]
    // The smaller of the two least numbers solves one of them only.
    const [solved, other] = workOn(first.work) < workOn(second.work) ? [first, second] : [second, first]
    const reused = captchaAnswerText({ id: other.id, x: await fittingPlace(world, other.id), counter: workOn(solved.work) })
    expect((await tryLogin(world, user.account, user.password, reused)).code).toBe(905)
  })
})

describe('the picture', () => {
  const RIM = 3
  interface Pixels {
    data: Buffer
    width: number
    channels: number
  }
  async function pixelsOf(address: string): Promise<Pixels> {
    const { data, info } = await sharp(Buffer.from(address.split(',')[1]!, 'base64'))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return { data, width: info.width, channels: info.channels }
  }
  const at = ({ data, width, channels }: Pixels, x: number, y: number): readonly [brightness: number, alpha: number] => {
    const from = (y * width + x) * channels
    return [data[from]! + data[from + 1]! + data[from + 2]!, data[from + 3]!]
  }
  const best = (places: number, scoreOf: (x: number) => number): number =>
    Array.from({ length: places }, (_, x) => ({ x, score: scoreOf(x) })).toSorted((a, b) => b.score - a.score)[0]!.x

  /** Return where the background is most similar to the piece times a constant, plus one; without its rim. */
  function likest(background: Pixels, piece: Pixels, { top, pieceSize, width }: Awaited<ReturnType<typeof make>>): number {
    const inside: [x: number, y: number][] = []
    const isInside = (x: number, y: number): boolean => at(piece, x, y)[1] === 255
    for (let y = RIM; y < pieceSize - RIM; y++)
      for (let x = RIM; x < pieceSize - RIM; x++)
        if ([isInside(x, y), isInside(x - RIM, y), isInside(x + RIM, y), isInside(x, y - RIM), isInside(x, y + RIM)].every(Boolean))
          inside.push([x, y])
    return best(width - pieceSize, (left) => {
      const pairs = inside.map(([x, y]) => [at(piece, x, y)[0], at(background, left + x, top + y)[0]] as const)
      const mean = (which: 0 | 1): number => pairs.reduce((sum, pair) => sum + pair[which], 0) / pairs.length
      const [a, b] = [mean(0), mean(1)]
      let [both, first, second] = [0, 0, 0]
      for (const [one, other] of pairs) {
        both += (one - a) * (other - b)
        first += (one - a) ** 2
        second += (other - b) ** 2
      }
      return left < pieceSize ? -1 : both / Math.sqrt(first * second)
    })
  }

  /** Return where the background is darkest. */
  const darkest = (background: Pixels, { top, pieceSize, width }: Awaited<ReturnType<typeof make>>): number =>
    best(width - pieceSize, (left) => {
      let sum = 0
      for (let y = 0; y < pieceSize; y++) for (let x = 0; x < pieceSize; x++) sum += at(background, left + x, top + y)[0]
      return left < pieceSize ? -Infinity : -sum
    })

  test('does not tell its place to a program that compares brightness', async () => {
    const found = { likest: 0, darkest: 0 }
    const times = 16
    for (let time = 0; time < times; time++) {
      const captcha = await make()
      const [background, piece] = [await pixelsOf(captcha.background), await pixelsOf(captcha.piece)]
      const right = await fittingPlace(world, captcha.id)
      if (Math.abs(likest(background, piece, captcha) - right) <= 6) found.likest++
      if (Math.abs(darkest(background, captcha) - right) <= 6) found.darkest++
    }
    // Four gaps look alike: a guess among them is right one time in four, and more than twelve of sixteen once in a million runs.
    expect(found.likest).toBeLessThanOrEqual(12)
    expect(found.darkest).toBeLessThanOrEqual(12)
  })
})

test('so many are drawn for one address in a minute, and others have theirs', async () => {
  const { requests, minutes } = ownCalls.captcha.perAddress
  const ip = newAddress()
  const statuses = []
  for (let time = 0; time <= requests; time++) statuses.push((await askFrom(world, ip, ownCalls.captcha, {})).status)
  expect(statuses).toEqual([...Array.from({ length: requests }, () => 200), 429])
  expect((await askFrom(world, newAddress(), ownCalls.captcha, {})).status).toBe(200)
  expect((await ahead.after(minutes * MINUTE + 1, () => askFrom(world, ip, ownCalls.captcha, {}))).status).toBe(200)
})
