/** How long a session of the console lasts, and what happens when two parties use the same refresh token. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { clientCalls } from '@gatehouse/contract/identity/clients'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { createClient, logIn, type Credentials } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { settledUser, type MadeUser } from '../../../../../tests/support/accounts.ts'
import { clockAhead } from '../../../../../tests/support/clock-ahead.ts'

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]
const CONSOLE: NonNullable<Credentials> = { basic: ['console', ''] }

const { clock, after } = clockAhead()
let world: World
let user: MadeUser
beforeAll(async () => {
  world = await startWorld({ clock, config: { sessionHours: 12 } })
  user = await settledUser(world)
})
afterAll(() => world?.stop())

const refresh = (refreshToken: string, credentials: Credentials = CONSOLE) =>
  createClient(world.url, credentials).ask(identityCalls.token, { body: { grant_type: 'refresh_token', refresh_token: refreshToken } })
const profile = (bearer: string) => createClient(world.url, { bearer }).ask(identityCalls.profile, {})
const asApiUser = async (refreshTokenValidity: number): Promise<{ basic: [id: string, secret: string] }> => {
  const made = await world.call(clientCalls.create, {
    body: { name: `Robot ${refreshTokenValidity}`, permissions: ['person.list'], organisationId: world.park.id, refreshTokenValidity },
  })
  return { basic: [made.ApiKey, made.ApiSecret] }
}

describe('a session of a user', () => {
  test('ends so many hours after the login, however often it is refreshed and kept, and says so in every answer', async () => {
    const first = await logIn(createClient(world.url), user)
    expect(first.refresh_expires_in).toBe(12 * 3600)
    let tokens = first
    for (let hour = 1; hour < 12; hour++) {
      const { data } = await after(hour * HOUR, () => refresh(tokens.refresh_token))
      const left = (12 - hour) * 3600
      expect(Math.abs(data.refresh_expires_in - left)).toBeLessThan(60)
      expect(data.expires_in).toBe(Math.min(2 * 3600, data.refresh_expires_in))
      tokens = data
    }
    const client = createClient(world.url, { bearer: tokens.access_token })
    await after(11 * HOUR + 30 * MINUTE, async () => {
      for (const kept of [(await client.call(identityCalls.keep, {})).expiresIn, (await client.call(identityCalls.expire, {})).seconds])
        expect(Math.abs(kept - 1800)).toBeLessThan(60)
    })
    await after(12 * HOUR, async () => {
      expect(await profile(tokens.access_token)).toMatchObject({ status: 401, code: 40120 })
      expect(await refresh(tokens.refresh_token)).toMatchObject({ status: 400, code: 100412 })
    })
  })

  test('of an API user lasts as its own settings say', async () => {
    const robot = await asApiUser(30 * 86_400)
    const { data } = await createClient(world.url, robot).ask(identityCalls.token, { body: { grant_type: 'client_credentials' } })
    const later = await after(20 * 24 * HOUR, () => refresh(data.refresh_token, robot))
    expect(later.data).toMatchObject({ expires_in: data.expires_in, refresh_expires_in: 30 * 86_400 })
    const last = await after(45 * 24 * HOUR, () => refresh(later.data.refresh_token, robot))
    expect(last.code).toBe(0)
  })
})

describe('a refresh token that was replaced', () => {
  test('ends its session where it comes again later, and the log has it as a refused login', async () => {
    const owner = await settledUser(world)
    const [stolen, other] = [await logIn(createClient(world.url), owner), await logIn(createClient(world.url), owner)]
    const { data: rotated } = await refresh(stolen.refresh_token)
    const { data: again } = await refresh(rotated.refresh_token)
    await after(11 * SECOND, async () => {
      expect(await refresh(stolen.refresh_token)).toMatchObject({ status: 400, code: 100412 })
      expect(await profile(again.access_token)).toMatchObject({ status: 401, code: 100412 })
      expect((await refresh(again.refresh_token)).code).toBe(100412)
      // Another session of the same user is another family.
      expect((await profile(other.access_token)).status).toBe(200)
    })
    const { content } = await world.call(auditCalls.operations, { query: { size: 100, all: true } })
    const entries = content.filter(({ account, url }) => account === owner.account && url.endsWith('/auth/token'))
    const refused = entries.filter(({ subjects }) => subjects.some(({ entity }) => entity === 'refusedLogin'))
    expect(refused).toHaveLength(1)
    const { changes } = await world.call(auditCalls.operation, { params: { id: refused[0]!.id } })
    expect(changes[0]!.fields).toEqual(expect.arrayContaining([{ field: 'usedAgain', before: null, after: true }]))
  })

  test('is refused within ten seconds of its replacement without ending anything: two tabs', async () => {
    const { refresh_token: used } = await logIn(createClient(world.url), user)
    const { data } = await refresh(used)
    expect((await profile(data.access_token)).status).toBe(200)
    await after(9 * SECOND, async () => expect((await refresh(used)).code).toBe(100412))
    expect((await profile(data.access_token)).status).toBe(200)
    expect((await refresh(data.refresh_token)).code).toBe(0)
  })

  test('is answered the same tokens again, with all their time, as long as nobody has used them: the answer was lost', async () => {
    const { refresh_token: used } = await logIn(createClient(world.url), user)
    const { data: lost } = await refresh(used)
    // Long after the access token in the lost answer expired.
    const { data, code } = await after(5 * HOUR, () => refresh(used))
    expect(code).toBe(0)
    expect(data).toMatchObject({ access_token: lost.access_token, refresh_token: lost.refresh_token, expires_in: 2 * 3600 })
    expect(Math.abs(data.refresh_expires_in - 7 * 3600)).toBeLessThan(60)
    await after(6 * HOUR, async () => expect((await profile(data.access_token)).status).toBe(200))
    // After the first use, a second one may come from another party.
    await after(6 * HOUR, async () => {
      expect((await refresh(used)).code).toBe(100412)
      expect((await profile(data.access_token)).status).toBe(401)
    })
  })

  test('is one of two holders’ where the new refresh token was used first, and the new access token never', async () => {
    const { refresh_token: used } = await logIn(createClient(world.url), user)
    const { data: second } = await refresh(used)
    const { data: third } = await refresh(second.refresh_token)
    await after(MINUTE, async () => {
      expect((await refresh(used)).code).toBe(100412)
      expect((await profile(third.access_token)).status).toBe(401)
    })
  })

  test('gives every one of many tabs the same tokens, where all refresh at once', async () => {
    const { refresh_token: used } = await logIn(createClient(world.url), user)
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(used)))
    expect(new Set(answers.map(({ code, data }) => `${code} ${data.access_token} ${data.refresh_token}`)).size).toBe(1)
    expect((await profile(answers[0]!.data.access_token)).status).toBe(200)
  })

  test('gives nothing again once its session was ended, nor to another client', async () => {
    const robot = await asApiUser(3600)
    const { refresh_token: used } = await logIn(createClient(world.url), user)
    const { data } = await refresh(used)
    expect((await refresh(used, robot)).code).toBe(100412)
    const { data: again } = await refresh(used)
    expect(again.access_token).toBe(data.access_token)
    await createClient(world.url, { bearer: again.access_token }).call(identityCalls.revoke, {})
    expect((await refresh(used)).code).toBe(100412)
  })

  test('of an API user ends its session as well, and only for that API user', async () => {
    const robot = await asApiUser(86_400)
    const { data } = await createClient(world.url, robot).ask(identityCalls.token, { body: { grant_type: 'client_credentials' } })
    const { data: rotated } = await refresh(data.refresh_token, robot)
    await after(MINUTE, async () => {
      expect((await refresh(data.refresh_token)).code).toBe(100412)
      expect((await profile(rotated.access_token)).status).toBe(200)
      expect((await refresh(data.refresh_token, robot)).code).toBe(100412)
      expect((await profile(rotated.access_token)).status).toBe(401)
    })
  })

  test('goes with its session', async () => {
    const { refresh_token: used } = await logIn(createClient(world.url), user)
    await refresh(used)
    await after(13 * HOUR, async () => {
      await world.server.contexts.identity.sessions.dropExpired()
      expect((await refresh(used)).code).toBe(100412)
    })
  })
})
