/** Links that open a data screen: what a link opens, for how long, and who can end it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERMISSION_CODES, isWrite } from '@gatehouse/contract'
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { SCREEN_LINK_PERMISSIONS, screenLinkCalls } from '@gatehouse/contract/identity/screen-links'
import { userCalls } from '@gatehouse/contract/identity/users'
import { mask } from '@gatehouse/contract/masking'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { topics, type Topic } from '@gatehouse/contract/realtime'
import { screenCalls } from '@gatehouse/contract/system/screens'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { listen } from '@gatehouse/dev-env/live'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { accountName, codeSentTo, sealed, settledUser, type MadeUser } from '../../../../../tests/support/accounts.ts'
import { ALL_CALLS, ask, named } from '../../../../../tests/support/all-calls.ts'
import { clockAhead } from '../../../../../tests/support/clock-ahead.ts'
import { recordAt } from '../../../../../tests/support/fixtures.ts'
import { until } from '../../../../../tests/support/until.ts'

const DAY = 86_400_000
const MAKES = [...SCREEN_LINK_PERMISSIONS.toMake, 'access.record', 'person.list', 'device.list'] as const

const { clock, after } = clockAhead()
let world: World
beforeAll(async () => {
  world = await startWorld({ clock })
})
afterAll(() => world?.stop())

/** Create a link as a user. Return it with the client it opens. */
async function linkOf(maker: Client, body: { name?: string; endsAt?: number } = {}): Promise<{ id: string; token: string; wall: Client }> {
  const { id, token } = await maker.call(screenLinkCalls.create, { body: { name: 'Lobby', ...body } })
  return { id, token, wall: createClient(world.url, { bearer: token }) }
}
const maker = (options: Parameters<World['session']>[0] = {}) => world.session({ permissions: [...MAKES], ...options })
const listed = async (id: string, reader: Pick<Client, 'call'> = world) =>
  (await reader.call(screenLinkCalls.list, { query: { size: 100 } })).content.find((link) => link.id === id)

describe('what a link opens', () => {
  let shown: string
  let linkId: string
  beforeAll(async () => {
    const { id, token } = await linkOf(await maker({ roleSign: 'admin' }))
    ;[shown, linkId] = [token, id]
  })

  test('is read by calls that change nothing, and asks for no more than a link can show', () => {
    const marked = ALL_CALLS.filter(({ dataScreen }) => dataScreen === true)
    expect(marked.map(({ method, url }) => `${method} ${url.slice(url.indexOf('/v1/') + 3)}`).toSorted()).toEqual([
      'GET /access/record/today',
      'GET /areaCodes/parkInfo',
      'GET /device/summary',
      'GET /person/base/summary',
      'GET /system/screen/passages',
      'GET /system/screen/settings',
      'GET /users/profile',
    ])
    expect(marked.filter(isWrite)).toEqual([])
    const asked = [...marked, ...Object.values(topics).filter((topic) => 'dataScreen' in topic)].map(({ permission }) => permission)
    for (const permission of asked) expect(['self', ...SCREEN_LINK_PERMISSIONS.shown]).toContain(permission)
  })

  const takesSessions = ALL_CALLS.filter(({ permission }) => !['public', 'basic', 'device'].includes(permission))
  test.each(named(takesSessions.filter(({ dataScreen }) => dataScreen === true)))('%s answers', async (_, call) => {
    expect((await ask(world, call, { bearer: shown })).status).toBe(200)
  })
  test('is nothing else: every other call that takes a session refuses the token', async () => {
    for (const [name, call] of named(takesSessions.filter(({ dataScreen }) => dataScreen !== true)))
      expect(await ask(world, call, { bearer: shown }), name).toMatchObject({ status: 403, code: 100510 })
  })

  test('is of its park, and says nothing of who made the link', async () => {
    const elsewhere = await world.addPark()
    const wall = createClient(world.url, { bearer: shown })
    const profile = await wall.call(identityCalls.profile, {})
    expect(profile).toMatchObject({ username: '', realName: '', email: '', telephone: '', roles: [], areaCode: world.park.areaCode })
    expect(profile).toMatchObject({ id: linkId, roleSign: 'other', capabilities: { atRoot: false } })
    expect(profile.capabilities.permissions.toSorted()).toEqual([...SCREEN_LINK_PERMISSIONS.shown].toSorted())
    expect((await wall.call(organisationCalls.parkInfo, {})).areaCode).toBe(world.park.areaCode)
    expect((await wall.ask(organisationCalls.choicePark, { body: { areaCode: elsewhere.park.areaCode } })).status).toBe(403)
    expect((await wall.ask(ownCalls.sessions, {})).status).toBe(403)
  })

  test('shows no more than its maker may see: a block without its permission is refused', async () => {
    const { wall } = await linkOf(await maker({ permissions: ['system.screen', 'screen', 'device.list'] }))
    expect((await wall.ask(deviceCalls.summary, {})).status).toBe(200)
    for (const call of [peopleCalls.summary, statisticsCalls.today, screenCalls.passages])
      expect((await wall.ask(call, {})).status).toBe(403)
  })

  test('is masked where its maker sees names masked, and leaves out the watch list whoever made it', async () => {
    const site = await world.addPark()
    const [device, group] = [await site.device(), await site.personGroup()]
    const { id: watchList } = await site.call(specialCalls.createGroup, { body: { name: 'Watched' } })
    const { id: watched } = await site.call(specialCalls.create, { body: { name: 'Moriarty', workNumber: 'W-1', groupId: watchList } })
    const seen = await site.person({ name: 'Grace Hopper', groupId: group.id })
    const passed = (person: { id: string; name: string }, epoch: string) =>
      recordAt(world, { site, device }, person, { epoch, revision: 'none' })
    await passed(seen, 'seen')
    await passed({ id: watched, name: 'Moriarty' }, 'watched')
    const shownTo = async (client: Client) => (await client.call(screenCalls.passages, {})).map(({ personName }) => personName).toSorted()
    const everything = { permissions: PERMISSION_CODES, park: site.park, roleSign: 'admin' }
    const [open, masked] = [await world.session(everything), await world.session({ ...everything, masking: true })]
    expect(await shownTo(open)).toEqual(['Grace Hopper', 'Moriarty'])
    expect(await shownTo((await linkOf(open)).wall)).toEqual(['Grace Hopper'])
    expect(await shownTo((await linkOf(masked)).wall)).toEqual([mask('name', 'Grace Hopper')])
  })

  test('is heard live on the topics of a screen and on no other, until it is revoked', async () => {
    const { id, token } = await linkOf(await maker({ permissions: PERMISSION_CODES }))
    const hear = (topic: Topic) => listen({ url: world.url, bearer: token, areaCode: world.park.areaCode }, topic)
    for (const topic of [topics.accessRecord, topics.deviceStatus]) await (await hear(topic)).stop()
    for (const topic of [topics.doors, topics.deviceFetched]) await expect(hear(topic)).rejects.toThrow('100510')
    await world.call(screenLinkCalls.revoke, { params: { id } })
    await expect(hear(topics.accessRecord)).rejects.toThrow('100412')
  })
})

describe('a link', () => {
  test('is made by whoever may set and see the screen, and has typed the password lately', async () => {
    const body = { name: 'Lobby' }
    for (const permissions of [['system.screen'], ['screen'], ['person.list']] as const)
      expect(await (await world.session({ permissions: [...permissions] })).ask(screenLinkCalls.create, { body })).toMatchObject({
        status: 403,
        code: 100510,
      })
    expect(await (await maker({ confirmed: false })).ask(screenLinkCalls.create, { body })).toMatchObject({
      status: 403,
      data: { fields: [{ rule: 'passwordNeeded' }] },
    })
  })

  test('is listed with who made it, its end and its last use, in its park alone, and its token nowhere', async () => {
    const { id, token, wall } = await linkOf(await maker(), { name: 'Reception', endsAt: Math.floor(clock.now() / 1000) * 1000 + DAY })
    expect(await listed(id)).toMatchObject({ name: 'Reception', state: 'works', lastUsedAt: null })
    await wall.call(screenCalls.read, {})
    const link = await listed(id)
    expect(Math.abs(link!.lastUsedAt! - clock.now())).toBeLessThan(60_000)
    expect(link!.madeBy).not.toBe('')
    expect(await listed(id, await world.addPark())).toBeUndefined()
    const { content } = await world.call(auditCalls.operations, { query: { size: 100, all: true } })
    expect(JSON.stringify(content)).not.toContain(token)
  })

  test('outlasts the session of its maker, and works until its end', async () => {
    const owner = await maker()
    const [endless, ending] = [await linkOf(owner), await linkOf(owner, { endsAt: clock.now() + 3 * DAY })]
    await owner.call(identityCalls.revoke, {})
    await after(2 * DAY, async () => {
      for (const { wall } of [endless, ending]) expect((await wall.ask(screenCalls.read, {})).status).toBe(200)
    })
    await after(4 * DAY, async () => {
      expect((await endless.wall.ask(screenCalls.read, {})).status).toBe(200)
      expect(await ending.wall.ask(screenCalls.read, {})).toMatchObject({ status: 401, code: 40120 })
    })
  })

  test('ends at once when somebody who sets the screen revokes it', async () => {
    const { id, wall } = await linkOf(await maker())
    expect((await wall.ask(screenCalls.read, {})).status).toBe(200)
    const elsewhere = await world.addPark()
    expect((await elsewhere.ask(screenLinkCalls.revoke, { params: { id } })).status).toBe(404)
    await (await world.session({ permissions: ['system.screen'] })).call(screenLinkCalls.revoke, { params: { id } })
    expect(await wall.ask(screenCalls.read, {})).toMatchObject({ status: 401, code: 100412 })
    expect(await listed(id)).toBeUndefined()
  })

  test('opens nothing while its maker is disabled, and goes with the account', async () => {
    const user = await settledUser(world)
    const owner = await world.as(user)
    const { id, wall } = await linkOf(owner)
    expect((await wall.ask(screenCalls.read, {})).status).toBe(200)
    await world.call(userCalls.disable, { params: { id: user.id } })
    expect(await wall.ask(screenCalls.read, {})).toMatchObject({ status: 403, code: 901 })
    expect(await listed(id)).toMatchObject({ state: 'suspended' })
    await world.call(userCalls.enable, { params: { id: user.id } })
    await world.call(userCalls.delete, { params: { id: user.id } })
    expect(await wall.ask(screenCalls.read, {})).toMatchObject({ status: 401, code: 100412 })
    expect(await listed(id)).toBeUndefined()
  })

  test('ends for good when the password of its maker is reset, by an administrator or by a code, wherever it hangs', async () => {
    const resets = {
      byAdministrator: async ({ id }: MadeUser) =>
        void (await world.call(userCalls.resetPassword, { params: { id }, body: { sendByEmail: false } })),
      byCode: async ({ account }: MadeUser) => {
        const nobody = createClient(world.url)
        await nobody.call(ownCalls.sendCode, { query: { account } })
        const code = await until('the code', () => codeSentTo(world, `${account}@example.org`))
        const { ticket } = await nobody.call(ownCalls.checkCode, { body: { account, code } })
        const passwords = await sealed(nobody, { newPassword: 'Third-pass-3', confirmPassword: 'Third-pass-3' })
        await nobody.call(ownCalls.resetPassword, { body: { ticket, ...passwords } })
      },
    }
    for (const [name, reset] of Object.entries(resets)) {
      const account = accountName()
      const user = await settledUser(world, { account, email: `${account}@example.org` })
      const [owner, other] = [await world.as(user), await linkOf(await maker())]
      const [{ id, wall }, over] = [await linkOf(owner), await linkOf(owner, { endsAt: clock.now() + DAY })]
      expect((await wall.ask(screenCalls.read, {})).status, name).toBe(200)
      await reset(user)
      for (const ended of [wall, over.wall]) expect((await ended.ask(screenCalls.read, {})).status, name).toBe(401)
      expect(await listed(id), name).toMatchObject({ state: 'ended' })
      expect((await other.wall.ask(screenCalls.read, {})).status, name).toBe(200)
      const { content } = await world.call(auditCalls.operations, { query: { size: 20, all: true } })
      const { subjects } = content.find(({ subjects: parts }) => parts.some((part) => part.id === id && parts.length > 1))!
      expect(subjects.map(({ entity }) => entity).toSorted(), name).toEqual(['screenLink', 'screenLink', 'user'])
    }
  })

  test('outlasts the password that its maker changes', async () => {
    const user = await settledUser(world)
    const owner = await world.as(user)
    const { wall } = await linkOf(owner)
    const passwords = { oldPassword: user.password, newPassword: 'Third-pass-3', confirmPassword: 'Third-pass-3' }
    await owner.call(ownCalls.changePassword, { body: await sealed(owner, passwords) })
    expect((await wall.ask(screenCalls.read, {})).status).toBe(200)
  })

  test('needs an end that is to come, where it has one', async () => {
    expect(await (await maker()).ask(screenLinkCalls.create, { body: { name: 'Late', endsAt: clock.now() - 1 } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'endsAt', rule: 'inFuture' }] },
    })
  })
})
