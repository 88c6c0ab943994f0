/** Who can read the messages of the outbox: a code or a first password gives access to its account. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import mails from '@gatehouse/contract/i18n/en/mails.json' with { type: 'json' }
import chinese from '@gatehouse/contract/i18n/zh-CN/mails.json' with { type: 'json' }
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { secondFactorCalls } from '@gatehouse/contract/identity/second-factor'
import { userCalls } from '@gatehouse/contract/identity/users'
import { mask } from '@gatehouse/contract/masking'
import { messageCalls } from '@gatehouse/contract/system/messages'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { ADMIN, startWorld, type SessionOptions, type World } from '@gatehouse/dev-env/world'
import { accountName, sealed, settledUser, type MadeUser } from '../../../../../tests/support/accounts.ts'
import { setUpSecondFactor } from '../../../../../tests/support/authenticator.ts'
import { until } from '../../../../../tests/support/until.ts'
import { usersOf } from '../../../../../tests/support/users.ts'
import type { StoredMessage } from '../../platform/messages/messages.ts'

let world: World
let users: ReturnType<typeof usersOf>
let nobody: Client
let root: string
beforeAll(async () => {
  world = await startWorld()
  users = usersOf(world)
  nobody = createClient(world.url)
  root = world.server.contexts.organisation.service.root().id
})
afterAll(() => world?.stop())

const messages = () => world.server.platform.messages
const db = () => world.server.platform.db
beforeEach(async () => {
  await db().deleteFrom('message').execute()
  // A code of the last minute is not sent again.
  await sql`DELETE FROM verification_code`.execute(db())
})

const atRoot = (options: SessionOptions): Promise<Client> => world.session({ organisationId: root, ...options })
const read = (client: Client, id: string) => client.ask(messageCalls.message, { params: { id } })
const retry = (client: Client, id: string) => client.ask(messageCalls.retryMessage, { params: { id } })
const rowsOf = async (client: Pick<Client, 'call'>) => (await client.call(messageCalls.messages, { query: {} })).content

/** Return the only message of the outbox, and its secret. */
async function onlyMessage(): Promise<StoredMessage & { text: string; secret: string }> {
  const message = await until('the message', async () => (await messages().list({ page: 1, size: 2 })).content[0])
  const text = (await messages().textOf(message.id)) ?? ''
  return { ...message, text, secret: /password is (\S+)/.exec(text)?.[1] ?? /\b\d{6}\b/.exec(text)?.[0] ?? '' }
}

const recover = (account: string) => nobody.call(ownCalls.sendCode, { query: { account } })
/** Give the administrator an address. */
async function chiefAt(email: string): Promise<void> {
  await world.call(ownCalls.updatePersonal, { body: { realName: 'Chief', email } })
  await db().deleteFrom('message').execute()
}
async function somebody(fields: object = {}): Promise<MadeUser & { email: string }> {
  const email = `${accountName()}@example.org`
  const user = await settledUser(world, { email, ...fields })
  // The message about the new password.
  await db().deleteFrom('message').execute()
  return { ...user, email }
}

test('a message is written in the language its receiver logged in with, whoever causes it and wherever', async () => {
  const user = await somebody()
  const subject = async () => (await onlyMessage()).subject
  await recover(user.account)
  expect(await subject()).toBe(mails.passwordCode.subject)
  await fetch(world.url + identityCalls.token.url, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa('console:')}`,
      'accept-language': 'zh-CN',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      grant_type: 'password',
      username: user.account,
      password: (await sealed(nobody, { password: user.password })).password,
    }),
  })
  await db().deleteFrom('message').execute()
  await world.call(userCalls.resetPassword, { params: { id: user.id }, body: { sendByEmail: false } })
  expect(await subject()).toBe(chinese.passwordChanged.subject)
})

test('a subject that held a code, as those of former versions did, is listed without it', async () => {
  await world.server.platform.transaction((tx) =>
    messages().send(tx, { channel: 'email', to: 'a@b.example', subject: '998281 is your code', text: '', userId: null }),
  )
  expect((await rowsOf(world.client)).map(({ subject }) => subject)).toEqual(['****** is your code'])
})

test('an operator who outranks nobody learns no recovery code of the administrator', async () => {
  await chiefAt('chief@example.org')
  const operator = await atRoot({ permissions: ['system.base'], roleSign: 'operator' })
  await recover(ADMIN.account)
  const { id, secret } = await onlyMessage()
  expect(secret).toMatch(/^\d{6}$/)
  // That a mail was not delivered is visible all the same.
  const rows = await rowsOf(operator)
  expect(rows).toMatchObject([
    { id, channel: 'email', to: 'c***@example.org', subject: '', userId: null, state: 'kept', attempts: 0, textState: 'withheld' },
  ])
  const answers = [rows, await read(operator, id), await retry(operator, id)]
  expect(answers.slice(1)).toMatchObject([
    { status: 403, code: 100510 },
    { status: 403, code: 100510 },
  ])
  for (const answer of answers) expect(JSON.stringify(answer)).not.toContain(secret)
})

describe('a message about somebody is read by', () => {
  let id = ''
  let user: Awaited<ReturnType<typeof somebody>>
  beforeEach(async () => {
    user = await somebody({ roles: [await users.role(['person', 'person.list'])] })
    await recover(user.account)
    ;({ id } = await onlyMessage())
  })
  const outcome = async (client: Client) => {
    const [{ status, data }, rows] = [await read(client, id), await rowsOf(client)]
    // Without a mail server nothing can be retried, whether readable or not.
    expect(rows[0]!.can).toEqual({ read: status === 200, retry: false })
    expect((await retry(client, id)).code).not.toBe(0)
    return { status, text: data?.text ?? null, shown: rows.map(({ textState, to }) => `${textState} ${to}`) }
  }
  const hidden = () => ({ status: 403, text: null, shown: [`withheld u***@example.org`] })
  const readable = () => ({ status: 200, text: expect.stringContaining(user.account), shown: [`readable ${user.email}`] })

  test('who has all that they have', async () => {
    expect(await outcome(world.client)).toEqual(readable())
    expect(
      await outcome(await atRoot({ permissions: ['person', 'person.list', 'system.base', 'system.user'], roleSign: 'operator' })),
    ).toEqual(readable())
  })

  test('nobody who lacks something of it, or may not reset a password', async () => {
    expect(await outcome(await atRoot({ permissions: ['person', 'system.base', 'system.user'], roleSign: 'operator' }))).toEqual(hidden())
    expect(await outcome(await atRoot({ permissions: ['person', 'person.list', 'system.base'], roleSign: 'operator' }))).toEqual(hidden())
  })

  test('nobody who sees personal data masked', async () => {
    expect(await outcome(await atRoot({ roleSign: 'admin', masking: true }))).toEqual(hidden())
  })

  test('nobody once they are deleted', async () => {
    await world.call(userCalls.delete, { params: { id: user.id } })
    expect(await outcome(world.client)).toEqual(hidden())
  })
})

test('nobody reads a message about themselves: a session is no password', async () => {
  await chiefAt('chief@example.org')
  await recover(ADMIN.account)
  const { id, secret } = await onlyMessage()
  const own = world.client
  expect(await read(own, id)).toMatchObject({ status: 403, code: 100510 })
  expect(JSON.stringify(await rowsOf(own))).not.toContain(secret)
  expect((await read(await atRoot({ roleSign: 'admin' }), id)).data).toMatchObject({ text: expect.stringContaining(secret) })
})

test('a message that names nobody is read by administrators of the installation alone', async () => {
  const { id } = await world.call(messageCalls.testMessage, { body: { to: 'somebody@example.org' } })
  expect(await read(await atRoot({ roleSign: 'operator' }), id)).toMatchObject({ status: 403, code: 100510 })
  expect(await read(await atRoot({ roleSign: 'admin' }), id)).toMatchObject({ status: 200, data: { textState: 'readable' } })
})

test('what a mail server says of a message that is withheld does not tell the address', async () => {
  await recover((await somebody({ email: 'ursula@example.org' })).account)
  const { id } = await onlyMessage()
  await db().updateTable('message').set({ state: 'failed', reason: '550 <ursula@example.org>: unknown' }).where('id', '=', id).execute()
  const [row] = await rowsOf(await atRoot({ permissions: ['system.base'], roleSign: 'operator' }))
  expect(row).toMatchObject({ state: 'failed', reason: '550 <u***@example.org>: unknown' })
})

describe('who read a text stands in the log of reads', () => {
  /** Read the text of a message about a user, and return the name under which another user of the park then sees them in the log. */
  async function namedIn(fields: object, viewer: SessionOptions): Promise<string | null> {
    const user = await somebody({ realName: 'Grace Hopper', ...fields })
    await recover(user.account)
    const { id } = await onlyMessage()
    await (await atRoot({ roleSign: 'admin' })).call(messageCalls.message, { params: { id } })
    const reader = await world.session({ permissions: ['system.log'], ...viewer })
    const entry = await until('the note', async () => {
      const { content } = await reader.call(auditCalls.reads, { query: { subject: user.id } })
      return content.find(({ url }) => url === messageCalls.message.url)
    })
    expect(entry.subjects[0]!.id).toBe(user.id)
    return entry.subjects[0]!.name
  }

  test('with the name of the user it was about', async () => {
    expect(await namedIn({}, {})).toBe('Grace Hopper')
  })

  test('whose name is masked where names are', async () => {
    expect(await namedIn({}, { masking: true })).toBe(mask('name', 'Grace Hopper'))
  })

  test('and who does not belong to the part of the tree of whoever looks is not named', async () => {
    expect(await namedIn({ organisationId: root }, {})).toBeNull()
  })
})

describe('of each message the product sends', () => {
  /** Those about users; a visitor is none (`contexts/visitors/appointments.test.ts`), nor is an alarm (`contexts/alarms`). */
  type OfUsers = Exclude<keyof typeof mails, `visit${string}` | `alarm${string}`>
  /** Change a user's own data, of which the former address is notified. */
  async function changed(to: { email?: string; telephone?: string }): Promise<string> {
    const user = await somebody()
    const client = await world.as(user)
    await client.call(ownCalls.updatePersonal, { body: { realName: 'Somebody', ...to } })
    return user.id
  }
  /** Messages that contain nothing that would give access to an account. */
  const NOTICES: readonly OfUsers[] = [
    'passwordChanged',
    'emailChanged',
    'telephoneChanged',
    'secondFactorSet',
    'secondFactorRemoved',
    'secondFactorReset',
  ]
  /** Create a user who has just set up a second factor, of which the address was notified. */
  async function enrolled() {
    const user = await somebody()
    const client = await world.as(user)
    return { id: user.id, client, ...(await setUpSecondFactor(client, world.clock)) }
  }
  /** Functions that cause each message to be sent, and return the id of its user. */
  const SENT: Record<OfUsers, () => Promise<string>> = {
    async passwordChanged() {
      const user = await settledUser(world, { email: `${accountName()}@example.org` })
      return user.id
    },
    async emailChanged() {
      return changed({ email: 'elsewhere@example.org' })
    },
    async telephoneChanged() {
      return changed({ telephone: '13900001112' })
    },
    async secondFactorSet() {
      return (await enrolled()).id
    },
    async secondFactorRemoved() {
      const { id, client, recoveryCodes } = await enrolled()
      await db().deleteFrom('message').execute()
      await client.call(secondFactorCalls.remove, { body: { code: recoveryCodes[0]! } })
      return id
    },
    async secondFactorReset() {
      const { id } = await enrolled()
      await db().deleteFrom('message').execute()
      await (await atRoot({ roleSign: 'admin' })).call(secondFactorCalls.reset, { params: { id } })
      return id
    },
    async firstPassword() {
      const { data } = await users.create({ email: `${accountName()}@example.org`, sendByEmail: true })
      return data.id
    },
    async passwordCode() {
      const user = await somebody()
      await recover(user.account)
      return user.id
    },
    async phoneCode() {
      const user = await somebody()
      await (await world.as(user)).call(ownCalls.phoneCode, { query: { phone: '13900001111' } })
      return user.id
    },
  }

  test.each(Object.keys(SENT) as OfUsers[])('%s: it names its user, and lists tell nothing secret of it', async (name) => {
    const userId = await SENT[name]()
    const message = await onlyMessage()
    expect(message.userId).toBe(userId)
    expect(message.secret === '').toBe(NOTICES.includes(name))
    if (message.secret !== '') expect(message.subject).not.toContain(message.secret)
    const lists = await Promise.all([world.client, await atRoot({ roleSign: 'operator', permissions: ['system.base'] })].map(rowsOf))
    expect(lists).toMatchObject([[{ textState: 'readable', userId }], [{ textState: 'withheld', userId: null }]])
    if (message.secret !== '') expect(JSON.stringify(lists)).not.toContain(message.secret)
  })
})
