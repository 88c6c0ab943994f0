/** A password's cipher text works once, whichever call it is sent to, and not after it has expired. */
import { constants, createPublicKey, generateKeyPairSync, publicEncrypt } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { userCalls } from '@gatehouse/contract/identity/users'
import { passwordText } from '@gatehouse/contract/password-text'
import { createClient, sealPassword, type Answer } from '@gatehouse/dev-env/client'
import { ADMIN, startWorld, type World } from '@gatehouse/dev-env/world'
import { accountName, failTimes, FIRST_PASSWORD, newUser, PASSWORD, settledUser, tryLogin } from '../../../../../tests/support/accounts.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { createLoginKeys } from './login-key.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let world: World
let ahead = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + ahead } })
})
afterAll(() => world?.stop())

/** Run work while the clock shows a later time. */
async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
  ahead += ms
  try {
    return await work()
  } finally {
    ahead -= ms
  }
}

const config = () => createClient(world.url).call(identityCalls.loginConfig, {})
const encrypt = (publicKey: string, text: string): string =>
  publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, Buffer.from(text)).toString('base64')
const sealed = (password: string) => sealPassword(createClient(world.url), password)
/** Encrypt as a client that reads only `publicKey`. */
const sealedAlone = async (password: string) => encrypt((await config()).publicKey, password)

const send = (username: string, password: string): Promise<Answer> =>
  createClient(world.url, { basic: ['console', ''] }).ask(identityCalls.token, {
    body: { grant_type: 'password', username, password },
  }) as Promise<Answer>
const refusedAs = (rule: 'cipherTextUsed' | 'cipherTextExpired', ...paths: string[]) => ({
  status: 400,
  code: 400,
  data: { fields: (paths.length === 0 ? ['password'] : paths).map((path) => ({ path, rule })) },
})
const USED = refusedAs('cipherTextUsed')
const EXPIRED = refusedAs('cipherTextExpired')

const rotate = () => world.server.contexts.identity.jobs!.find(({ name }) => name === 'identity.rotateLoginKey')!.run()
const usedRows = async () => (await query<{ count: number }>(world.connectionString, 'select count(*) from used_cipher_text'))[0]!.count

describe.each([
  ['with a nonce', sealed],
  ['without one', sealedAlone],
])('a cipher text %s', (_, seal) => {
  test('logs in once', async () => {
    const { account, password } = await settledUser(world)
    const cipherText = await seal(password)
    expect((await send(account, cipherText)).code).toBe(0)
    expect(await send(account, cipherText)).toMatchObject(USED)
    expect((await tryLogin(world, account, password)).code).toBe(0)
  })

  test('sent many times at the same moment logs in once', async () => {
    const { account, password } = await settledUser(world)
    const cipherText = await seal(password)
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(account, cipherText)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    for (const answer of answers.filter(({ code }) => code !== 0)) expect(answer).toMatchObject(USED)
  })

  test('of a login is of no use to another call, nor to another account', async () => {
    const [user, other, fresh] = [await settledUser(world), await settledUser(world), await newUser(world)]
    const client = await world.as(user)
    const cipherText = await seal(user.password)
    expect((await send(user.account, cipherText)).code).toBe(0)
    expect(await send(other.account, cipherText)).toMatchObject(USED)
    expect(await client.ask(ownCalls.confirm, { body: { password: cipherText } })).toMatchObject(USED)
    const chosen = async () => ({ newPassword: await seal('Third-pass-3'), confirmPassword: await seal('Third-pass-3') })
    const asOld = refusedAs('cipherTextUsed', 'oldPassword')
    expect(await client.ask(ownCalls.changePassword, { body: { oldPassword: cipherText, ...(await chosen()) } })).toMatchObject(asOld)
    expect(
      await client.ask(ownCalls.changeExpired, { body: { account: user.account, oldPassword: cipherText, ...(await chosen()) } }),
    ).toMatchObject(asOld)
    const asNew = { oldPassword: await seal(fresh.password), newPassword: cipherText, confirmPassword: cipherText }
    expect(await client.ask(ownCalls.changeExpired, { body: { account: fresh.account, ...asNew } })).toMatchObject(
      refusedAs('cipherTextUsed', 'newPassword', 'confirmPassword'),
    )
    const body = { account: accountName(), realName: 'Somebody', organisationId: world.park.id, roles: [], password: cipherText }
    const { roles } = await world.call(userCalls.read, { params: { id: user.id } })
    expect(await world.client.ask(userCalls.create, { body: { ...body, roles } })).toMatchObject(USED)
  })

  test('that a confirmation has used logs nobody in', async () => {
    const user = await settledUser(world)
    const cipherText = await seal(user.password)
    expect((await (await world.as(user)).ask(ownCalls.confirm, { body: { password: cipherText } })).code).toBe(0)
    expect(await send(user.account, cipherText)).toMatchObject(USED)
  })

  test('is the same one however it is written', async () => {
    const { account, password } = await settledUser(world)
    // A cipher text that begins with a zero byte can be written without it: one in 256 does.
    const { publicKey, nonce } = await config()
    const text = seal === sealed ? passwordText(nonce, password) : password
    let cipherText = encrypt(publicKey, text)
    while (Buffer.from(cipherText, 'base64')[0] !== 0) cipherText = encrypt(publicKey, text)
    const shorter = Buffer.from(cipherText, 'base64').subarray(1).toString('base64')
    expect((await send(account, shorter)).code).toBe(0)
    for (const written of [
      cipherText,
      cipherText.replaceAll('=', ''),
      Buffer.from(cipherText, 'base64').toString('base64url'),
      ` ${cipherText}\n`,
    ])
      expect(await send(account, written)).toMatchObject(USED)
  })

  test('is used up by a wrong account or password too, and says nothing of it when it is sent again', async () => {
    const { account, password } = await settledUser(world)
    const [right, wrong] = [await seal(password), await seal('Wrong-pass-1')]
    expect(await send(accountName(), right)).toMatchObject({ code: 100401 })
    expect(await send(account, wrong)).toMatchObject({ code: 100401, data: { failures: 1 } })
    const [again, wrongAgain, unknown] = [await send(account, right), await send(account, wrong), await send(accountName(), right)]
    expect(again).toMatchObject({ ...USED, message: 'This encrypted password was sent before. Enter the password again.' })
    for (const other of [wrongAgain, unknown]) expect({ ...other, headers: null }).toEqual({ ...again, headers: null })
  })

  test('locks nobody out by being sent again', async () => {
    const { account, password } = await settledUser(world)
    await failTimes(world, account, 4)
    const cipherText = await seal('Wrong-pass-9')
    expect(await send(account, cipherText)).toMatchObject({ code: 100401, data: { failures: 5 } })
    for (let at = 0; at < 8; at++) expect(await send(account, cipherText)).toMatchObject(USED)
    expect((await tryLogin(world, account, password)).code).toBe(0)
  })

  test('is remembered after a restart', async () => {
    const { account, password } = await settledUser(world)
    const [used, unused] = [await seal(password), await seal(password)]
    expect((await send(account, used)).code).toBe(0)
    await world.interrupted(async () => {})
    expect(await send(account, used)).toMatchObject(USED)
    expect((await send(account, unused)).code).toBe(0)
  })

  test('may stand in two fields of one request', async () => {
    const { account, password } = await newUser(world)
    const [oldPassword, newPassword] = [await seal(password), await seal(PASSWORD)]
    const body = { account, oldPassword, newPassword, confirmPassword: newPassword }
    expect((await createClient(world.url).ask(ownCalls.changeExpired, { body })).code).toBe(0)
    expect((await tryLogin(world, account, PASSWORD)).code).toBe(0)
    const { account: another } = await newUser(world)
    const again = { ...body, account: another, oldPassword: await seal(FIRST_PASSWORD) }
    expect(await createClient(world.url).ask(ownCalls.changeExpired, { body: again })).toMatchObject(
      refusedAs('cipherTextUsed', 'newPassword', 'confirmPassword'),
    )
  })
})

test('what the token call answers to a used cipher text is a grant that holds no more', async () => {
  const cipherText = await sealed(ADMIN.password)
  expect((await send(ADMIN.account, cipherText)).code).toBe(0)
  const answer = await fetch(world.url + identityCalls.token.url, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa('console:')}`,
      'content-type': 'application/x-www-form-urlencoded',
      'accept-language': 'zh-CN',
    },
    body: new URLSearchParams({ grant_type: 'password', username: ADMIN.account, password: cipherText }),
  })
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { code: 400, error: 'invalid_grant', message: '这份加密的密码已使用过，请重新输入密码。' },
  ])
})

describe('a nonce', () => {
  test('is another one for each call', async () => {
    expect(new Set(await Promise.all(Array.from({ length: 20 }, async () => (await config()).nonce))).size).toBe(20)
  })

  test('holds for ten minutes, and its end is counted against nobody', async () => {
    const { account, password } = await settledUser(world)
    const [intime, late] = [await sealed(password), await sealed(password)]
    await later(10 * MINUTE - 5000, async () => expect((await send(account, intime)).code).toBe(0))
    await later(10 * MINUTE, async () => {
      for (let at = 0; at < 8; at++) expect(await send(account, late)).toMatchObject(EXPIRED)
      expect((await tryLogin(world, account, password)).code).toBe(0)
    })
  })

  test('may be shared by the passwords of one request, each encrypted by itself', async () => {
    const { account, password } = await newUser(world)
    const { publicKey, nonce } = await config()
    const seal = (text: string) => encrypt(publicKey, passwordText(nonce, text))
    const body = { account, oldPassword: seal(password), newPassword: seal(PASSWORD), confirmPassword: seal(PASSWORD) }
    expect((await createClient(world.url).ask(ownCalls.changeExpired, { body })).code).toBe(0)
  })

  test('of another installation, or made up, does not hold', async () => {
    const { account, password } = await settledUser(world)
    const { publicKey, nonce } = await config()
    const other = await startWorld()
    const foreign = await createClient(other.url)
      .call(identityCalls.loginConfig, {})
      .finally(() => other.stop())
    const altered = (at: number) => nonce.slice(0, at) + (nonce[at] === 'A' ? 'B' : 'A') + nonce.slice(at + 1)
    for (const made of [foreign.nonce, altered(0), altered(15), altered(nonce.length - 1), 'x'.repeat(nonce.length)])
      expect(await send(account, encrypt(publicKey, passwordText(made, password))), made).toMatchObject(EXPIRED)
    expect((await send(account, encrypt(publicKey, passwordText(nonce, password)))).code).toBe(0)
  })
})

test('a password that no account can have is refused like any wrong one, however long', async () => {
  const { account } = await settledUser(world)
  for (const [at, password] of ['密'.repeat(64), '😀'.repeat(64), 'Aa-1'.repeat(100)].entries())
    expect(await tryLogin(world, account, password)).toMatchObject({ status: 400, code: 100401, data: { failures: at + 1 } })
  const cipherText = await sealed('密Aa-1'.repeat(60))
  const { roles } = (await world.call(userCalls.list, { query: { account } })).content[0]!
  const body = { account: accountName(), realName: 'Somebody', organisationId: world.park.id, roles, password: cipherText }
  expect(await world.client.ask(userCalls.create, { body })).toMatchObject({ code: 100420, data: { fields: [{ path: 'password' }] } })
})

describe('the login key', () => {
  test('is another one after a day; the former opens for a day more, and what it opened is forgotten with it', async () => {
    const { account, password } = await settledUser(world)
    const { publicKey: first } = await config()
    await later(23 * HOUR, rotate)
    expect((await config()).publicKey).toBe(first)

    const [before, between, after] = [await sealedAlone(password), await sealedAlone(password), await sealedAlone(password)]
    expect((await send(account, before)).code).toBe(0)
    expect(await usedRows()).toBeGreaterThan(0)
    const start = 25 * HOUR
    const second = await later(start, async () => {
      await rotate()
      const { publicKey } = await config()
      expect(publicKey).not.toBe(first)
      // An immediate second request creates no key.
      await rotate()
      expect((await config()).publicKey).toBe(publicKey)
      return publicKey
    })
    await later(start + 23 * HOUR, async () => {
      await rotate()
      expect((await config()).publicKey).toBe(second)
      expect(await send(account, before)).toMatchObject(USED)
      expect((await send(account, between)).code).toBe(0)
      expect((await tryLogin(world, account, password)).code).toBe(0)
    })
    await later(start + 25 * HOUR, async () => {
      // The expiry does not depend on the job.
      expect(await send(account, after)).toMatchObject(EXPIRED)
      await rotate()
      expect(await usedRows()).toBe(1)
      for (const one of [before, between, after])
        for (let again = 0; again < 3; again++) expect(await send(account, one)).toMatchObject(EXPIRED)
      expect((await tryLogin(world, account, password)).code).toBe(0)
      expect(await query(world.connectionString, 'select number from login_key')).toHaveLength(2)
    })
    // The clock is right again: a time in the future must not keep a key current for days.
    const { publicKey: third } = await config()
    expect((await tryLogin(world, account, password)).code).toBe(0)
    await rotate()
    expect((await config()).publicKey).not.toBe(third)
    expect((await send(account, encrypt(third, password))).code).toBe(0)
    expect((await tryLogin(world, account, password)).code).toBe(0)
  })

  test('is one for all nodes, also when they make the next at the same moment', async () => {
    const { account, password } = await settledUser(world)
    const nodes = [1, 2, 3].map(() => createLoginKeys(world.server.platform))
    // Each caches the previous key.
    await Promise.all(nodes.map((node) => node.current()))
    const { publicKey: before } = await config()
    await later(30 * HOUR, async () => {
      await Promise.all([...nodes, { rotate }].map((node) => node.rotate()))
      const { publicKey } = await config()
      expect(publicKey).not.toBe(before)
      for (const node of nodes) expect((await node.current()).publicKey).toBe(publicKey)
    })
    await later(60 * HOUR, async () => {
      const { publicKey } = await config()
      await nodes[0]!.rotate()
      const { publicKey: newest } = await nodes[0]!.current()
      expect(newest).not.toBe(publicKey)
      // A key that another node just created works here at once.
      expect((await send(account, encrypt(newest, password))).code).toBe(0)
    })
  })

  test('stays the same at a restart', async () => {
    // The previous tests moved the clock.
    await rotate()
    const { publicKey } = await config()
    await world.interrupted(async () => {})
    expect((await config()).publicKey).toBe(publicKey)
  })

  test('is made at a start where the current one is too old', async () => {
    const { publicKey } = await config()
    await later(72 * HOUR, async () => {
      await world.interrupted(async () => {})
      expect((await config()).publicKey).not.toBe(publicKey)
      expect((await tryLogin(world, ADMIN.account, ADMIN.password)).code).toBe(0)
    })
  })

  test('of release 0.1.0, a file, opens until it is replaced, and is kept in no file any more', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const file = join(world.dataDir, 'secrets', 'login-key.pem')
    await world.interrupted(async () => {
      await query(world.connectionString, 'delete from login_key')
      writeFileSync(file, pem, { mode: 0o600 })
    })
    expect(existsSync(file)).toBe(false)
    expect((await config()).publicKey).toBe(createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }))
    expect((await tryLogin(world, ADMIN.account, ADMIN.password)).code).toBe(0)
    // In the table it is encrypted.
    const [row] = await query<{ sealed: Buffer }>(world.connectionString, 'select sealed from login_key')
    const der = privateKey.export({ type: 'pkcs8', format: 'der' })
    expect(row!.sealed.includes(der.subarray(40, 80))).toBe(false)
  })
})
