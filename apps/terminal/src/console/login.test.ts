import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../device/testing/folder.ts'
import { terminalForTest } from '../settings/testing/terminal.ts'
import { consoleOf, passwordSaid } from './testing/console.ts'

const MINUTE = 60_000

test('nobody gets in without account and password, and each refusal has a code of the console’s own family [BEH-207]', async () => {
  const { terminal, sentences } = await terminalForTest()
  const { call, logIn } = consoleOf(terminal, sentences)
  expect(await call('GET', 'people')).toMatchObject({ status: 401, code: 401, message: 'You are not logged in.' })
  expect(await call('POST', 'login', { account: '', password: 'x' })).toMatchObject({ status: 200, code: 408 })
  expect(await call('POST', 'login', { account: 'admin', password: '' })).toMatchObject({ code: 407 })
  expect(await logIn('admin', 'wrong1')).toMatchObject({ code: 400, message: 'The account or the password is wrong.' })
  expect(await logIn('somebody')).toMatchObject({ code: 400 })
  expect(await call('POST', 'login', { account: ['admin'] })).toMatchObject({ code: 510 })
  expect(await logIn()).toMatchObject({ status: 200, code: 200, message: 'Done.' })
  expect(await call('GET', 'people')).toMatchObject({ code: 200 })
  expect(await call('POST', 'logout')).toMatchObject({ code: 200 })
  expect(await call('GET', 'people')).toMatchObject({ code: 401 })
})

test('the password of the first start is said once, and lies on the disk as a hash only', async () => {
  const first = await terminalForTest()
  const password = passwordSaid(first.sentences)
  expect(password).toMatch(/^\w{12}$/)
  await first.stop()
  for (const file of ['terminal.sqlite', 'terminal.log']) expect(read(join(first.folder, file)).includes(password)).toBe(false)
  const second = await terminalForTest({ dataDir: first.folder }, first.server)
  expect(passwordSaid(second.sentences)).toBe('')
  expect((await consoleOf(second.terminal, []).logIn('admin', password)).code).toBe(200)
})

function read(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.alloc(0)
  }
}

test('a session is a cookie no script sees, and ends after half an hour without a call', async () => {
  let now = Date.parse('2026-11-22T04:00:00Z')
  const { terminal, sentences } = await terminalForTest({ clock: () => now })
  const client = consoleOf(terminal, sentences)
  const response = await fetch(`${terminal.url}console/api/login`, {
    method: 'POST',
    headers: { 'x-gatehouse-console': '1' },
    body: JSON.stringify({ account: 'admin', password: passwordSaid(sentences) }),
  })
  expect(response.headers.get('set-cookie')).toMatch(/^gatehouse_console=[\w-]{43}; Path=\/console; HttpOnly; SameSite=Strict$/)
  await client.logIn()
  now += 29 * MINUTE
  expect((await client.call('GET', 'people')).code).toBe(200)
  now += 29 * MINUTE
  expect((await client.call('GET', 'people')).code).toBe(200)
  now += 30 * MINUTE
  expect((await client.call('GET', 'people')).code).toBe(401)
})

test('after five wrong passwords the right one has to wait too, and the wait is told', async () => {
  let now = Date.parse('2026-11-22T04:00:00Z')
  const { terminal, sentences } = await terminalForTest({ clock: () => now })
  const { logIn } = consoleOf(terminal, sentences)
  for (let wrong = 0; wrong < 5; wrong++) expect((await logIn('admin', 'wrong1')).message).toBe('The account or the password is wrong.')
  expect(await logIn()).toMatchObject({ code: 400, message: 'The account or the password is wrong. Too many wrong tries: wait 60 s.' })
  now += 59_000
  expect((await logIn()).code).toBe(400)
  now += 1_000
  expect((await logIn()).code).toBe(200)
})

test('a hundred wrong logins at once are held up like as many one after the other', async () => {
  let now = Date.parse('2026-11-22T04:00:00Z')
  const { terminal, sentences } = await terminalForTest({ clock: () => now })
  const { logIn } = consoleOf(terminal, sentences)
  const comparedOf = async (tries: number) => {
    const answers = await Promise.all(Array.from({ length: tries }, (_, number) => logIn('admin', `wrong${number}`)))
    return answers.filter(({ message }) => message === 'The account or the password is wrong.').length
  }
  expect(await comparedOf(100)).toBe(5)
  expect((await logIn()).code).toBe(400)
  now += MINUTE
  expect(await comparedOf(20)).toBe(1)
  now += MINUTE
  expect((await logIn()).code).toBe(200)
})

test('the password asked for once more is held up by the same count, and a right one gives all tries back', async () => {
  const { terminal, sentences } = await terminalForTest()
  const { call, logIn } = consoleOf(terminal, sentences)
  await logIn()
  const change = (password: string) => call('PUT', 'account', { account: 'admin', password, newPassword: '' })
  for (let round = 0; round < 3; round++) {
    expect((await Promise.all(['wrong1', 'wrong2', 'wrong3', 'wrong4'].map(change))).map(({ code }) => code)).toEqual([525, 525, 525, 525])
    expect((await change(passwordSaid(sentences))).code).toBe(200)
  }
  const codes = (await Promise.all(Array.from({ length: 30 }, () => change('wrong1')))).map(({ code }) => code)
  expect(codes.filter((code) => code === 525)).toHaveLength(5)
})

test('an account name has only letters or digits, and a password only these too and no spaces [VAL-008, VAL-018, VAL-019]', async () => {
  const { terminal, sentences } = await terminalForTest()
  const { call, logIn } = consoleOf(terminal, sentences)
  await logIn()
  const password = passwordSaid(sentences)
  for (const account of ['gate-1', 'gate 1', '管理员', ''])
    expect(await call('PUT', 'account', { account, password, newPassword: '' })).toMatchObject({
      code: 510,
      fields: { account: expect.any(String) },
    })
  for (const newPassword of ['secret 77', 'secret-77', '秘密密码密码', 'secret77 ']) {
    expect(await call('PUT', 'account', { account: 'admin', password, newPassword })).toMatchObject({
      code: 510,
      fields: { newPassword: expect.any(String) },
    })
  }
  expect(await call('PUT', 'account', { account: 'Gate1', password, newPassword: 'Secret77' })).toMatchObject({ code: 200 })
  expect((await logIn('admin', 'Secret77')).code).toBe(400)
  expect((await logIn('Gate1', password)).code).toBe(400)
  expect((await logIn('Gate1', 'Secret77')).code).toBe(200)
})

test('an account name has at most 20 characters, a password 6 to 20 [VAL-009, VAL-017]', async () => {
  const { terminal, sentences } = await terminalForTest()
  const { call, logIn } = consoleOf(terminal, sentences)
  await logIn()
  let password = passwordSaid(sentences)
  const change = (account: string, newPassword: string) => call('PUT', 'account', { account, password, newPassword })
  expect(await change('a'.repeat(21), '')).toMatchObject({ code: 510, fields: { account: 'Use at most 20 characters.' } })
  expect(await change('a'.repeat(20), '')).toMatchObject({ code: 200 })
  expect(await change('admin', 'abc12')).toMatchObject({ code: 510, fields: { newPassword: expect.stringContaining('6') } })
  expect(await change('admin', 'a'.repeat(21))).toMatchObject({ code: 510, fields: { newPassword: expect.stringContaining('20') } })
  for (const newPassword of ['abc123', 'a'.repeat(20)]) {
    expect(await change('admin', newPassword)).toMatchObject({ code: 200 })
    password = newPassword
  }
})

test('changing the account asks for the present password, and ends all other sessions', async () => {
  const { terminal, sentences } = await terminalForTest()
  const [one, other] = [consoleOf(terminal, sentences), consoleOf(terminal, sentences)]
  await one.logIn()
  await other.logIn()
  expect(await one.call('PUT', 'account', { account: 'admin', password: 'wrong1', newPassword: 'Secret77' })).toMatchObject({
    code: 525,
    fields: { password: expect.any(String) },
  })
  expect((await other.call('GET', 'account')).code).toBe(200)
  expect((await one.call('PUT', 'account', { account: 'admin', password: passwordSaid(sentences), newPassword: 'Secret77' })).code).toBe(
    200,
  )
  expect((await one.call('GET', 'account')).code).toBe(200)
  expect((await other.call('GET', 'account')).code).toBe(401)
})

test('an account the server sets takes the place of the one here, and is not changed here', async () => {
  const { terminal, server, sentences } = await terminalForTest()
  const client = consoleOf(terminal, sentences)
  await client.logIn()
  server.secrets = { ...server.secrets, console: { account: 'keeper', password: 'Keeper99' } }
  const { manifest } = server.audience
  server.audience.manifest = { ...manifest, revision: 'with-secrets', settings: { ...manifest.settings, secretsRevision: 's-1' } }
  server.changed()
  await until('the secrets were asked for', () => server.secretsCalls > 0)
  const accountNow = async () => (await client.call('GET', 'account')).data as unknown as { account: string; ofServer: boolean }
  let now = await accountNow()
  while (!now.ofServer) now = await accountNow()
  expect(now.account).toBe('keeper')
  expect((await client.logIn()).code).toBe(400)
  expect((await client.logIn('keeper', 'Keeper99')).code).toBe(200)
  expect(await client.call('PUT', 'account', { account: 'keeper', password: 'Keeper99', newPassword: 'Another99' })).toMatchObject({
    code: 510,
    fields: { newPassword: 'Set by the server; change it there.' },
  })
})

test('a page of another site, a forged host and a form of a browser do nothing at all', async () => {
  const { terminal, sentences } = await terminalForTest()
  const client = consoleOf(terminal, sentences)
  await client.logIn()
  expect(await client.call('POST', 'logout', {}, { origin: 'https://elsewhere.example' })).toMatchObject({ status: 403, code: 999 })
  const plain = await fetch(`${terminal.url}console/api/logout`, { method: 'POST', headers: { cookie: client.cookie() } })
  expect(plain.status).toBe(403)
  expect((await client.call('GET', 'people')).code).toBe(200)
})

const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address

test.skipIf(!outside)('another machine gets in only where the terminal was started so', async () => {
  const statusFrom = (port: number) =>
    fetch(`http://${outside}:${port}/console/api/login`, { method: 'POST', headers: { 'x-gatehouse-console': '1' }, body: '{}' }).then(
      ({ status }) => status,
    )
  const closed = await terminalForTest({ host: '0.0.0.0' })
  expect(await statusFrom(closed.terminal.port)).toBe(403)
  const open = await terminalForTest({ host: '0.0.0.0', allowConsole: true })
  expect(await statusFrom(open.terminal.port)).toBe(200)
})

test('broken requests are answered, never with 5xx', async () => {
  const { terminal, sentences } = await terminalForTest()
  const { call, logIn } = consoleOf(terminal, sentences)
  await logIn()
  for (const [method, path, body] of [
    ['POST', 'people', Buffer.from('{"name":')],
    ['POST', 'people', []],
    ['PUT', 'people/nobody', { name: 'A', workNumber: '1' }],
    ['GET', 'people?page=0', undefined],
    ['POST', 'people/delete', { ids: [] }],
    ['POST', 'pictures', Buffer.alloc(0)],
    ['POST', 'bulk', { count: 'many' }],
    ['POST', 'bulk/none?name=1_a.jpg', Buffer.from([0xff, 0xd8, 0xff])],
    ['PUT', 'settings', { volume: 'loud' }],
    ['PUT', 'settings', 7],
    ['POST', 'time/set', { moment: -1 }],
    ['PUT', 'network', { networkMode: 9 }],
    ['POST', 'network/wifi', {}],
    ['PUT', 'screenSaver/picture', Buffer.alloc(0)],
    ['POST', 'transfer/export', { what: 'all' }],
    ['POST', 'transfer/import', { upload: 'none', password: 'password' }],
    ['POST', 'uploads', { size: -1 }],
    ['PUT', 'uploads/none?offset=x', Buffer.from('a')],
    ['POST', 'device/upgrade', {}],
    ['POST', 'device/upgradeKey', {}],
  ] as const) {
    const { status, code, message } = await call(method, path, body)
    expect([path, status]).toEqual([path, 200])
    expect([path, code === 200 || code === 999]).toEqual([path, false])
    expect(message).not.toBe('')
  }
})
