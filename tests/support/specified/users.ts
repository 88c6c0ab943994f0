/** Accounts of the console (M02), by point 7.2 of calls.txt and the entity User. */
import { expect } from 'vitest'
import { chooseFirst, loggedIn, login, newName, newUser, PASSWORD } from './accounts.ts'
import { bears, type SpecifiedCall } from './specified.ts'

const DAY = 86_400_000

export const userCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-012',
    service: 'as',
    method: 'POST',
    path: '/users',
    does: 'creates a user with every field of one; refuses a name that is taken, no role, and a phone that is none',
    async holds(ground) {
      const { roleId } = await newUser(ground)
      const fields = {
        account: newName(),
        administratorName: '前台',
        realName: '王小明',
        roles: [roleId],
        email: `${newName()}@example.org`,
        phone: '+8613800138000',
        organisationId: ground.park.park.id,
        expiry: ground.world.clock.now() + 30 * DAY,
        idCard: '110101199003078515',
        passwordValidity: '1y',
      }
      const { id } = await ground.done('as', 'POST', '/users', fields)
      expect(await ground.done('as', 'GET', `/users/${String(id)}`)).toMatchObject({ ...fields, id, status: 1, lastLogin: null })
      expect(await ground.ask('as', 'POST', '/users', { ...fields, email: '' })).toMatchObject({ code: 100402 })
      expect(await ground.ask('as', 'POST', '/users', { ...fields, account: newName() })).toMatchObject({ code: 100112 })
      expect((await ground.ask('as', 'POST', '/users', { ...fields, account: newName(), email: '', roles: [] })).status).toBe(400)
      expect(await ground.ask('as', 'POST', '/users', { ...fields, account: newName(), email: '', phone: 'none' })).toMatchObject({
        code: 900114,
      })
    },
  },
  {
    id: 'CALL-014',
    service: 'as',
    method: 'GET',
    path: '/users/check/username',
    does: 'tells whether an account name is free',
    async holds(ground) {
      const { account } = await newUser(ground)
      const check = (name: string) => ground.done('as', 'GET', `/users/check/username?username=${name}`)
      expect(await check(account)).toEqual({ available: false })
      expect(await check(account.toUpperCase())).toEqual({ available: false })
      expect(await check(newName())).toEqual({ available: true })
    },
  },
  {
    id: 'CALL-015',
    service: 'as',
    method: 'GET',
    path: '/users',
    does: 'lists users in pages, with everything a user has',
    async holds(ground) {
      const [{ id, account }] = [await newUser(ground), await newUser(ground)]
      const pages = [
        await ground.listed('as', 'GET', '/users?page=1&size=1'),
        await ground.listed('as', 'GET', '/users?page=2&size=1'),
      ] as const
      expect(pages.map(({ length }) => length)).toEqual([1, 1])
      expect(pages[0][0]!['id']).not.toBe(pages[1][0]!['id'])
      const [found, ...others] = await ground.listed('as', 'GET', `/users?account=${account}`)
      expect(others.filter((other) => !String(other['account']).includes(account))).toEqual([])
      bears(found!, 'User')
      expect(await ground.listed('as', 'GET', `/users?account=${account}`)).toContainEqual(expect.objectContaining({ id, account }))
    },
  },
  {
    id: 'CALL-016',
    service: 'as',
    method: 'GET',
    path: '/users/{id}',
    does: 'reads one user; the last login and the change of the password are of the time they were',
    async holds(ground) {
      const before = ground.world.clock.now()
      const { id, account } = await loggedIn(ground)
      const read = await ground.done('as', 'GET', `/users/${id}`)
      bears(read, 'User')
      expect(read).toMatchObject({ id, account, realName: 'Ada Lovelace', status: 1, passwordValidity: 'forever' })
      for (const field of ['lastLogin', 'passwordChangedAt']) expect(read[field]).toBeGreaterThanOrEqual(before)
      expect((await ground.ask('as', 'GET', '/users/01970000-0000-7000-8000-000000000000')).status).toBe(404)
    },
  },
  {
    id: 'CALL-017',
    service: 'as',
    method: 'PUT',
    path: '/users',
    does: 'takes back what was read, with what changed, and keeps the rest; a disabled account is not edited',
    async holds(ground) {
      const { id, roleId } = await newUser(ground, { phone: '13800138000', passwordValidity: '3m' })
      const { id: second } = await ground.done('as', 'POST', '/roles', { name: newName(), permissions: { device: ['device.list'] } })
      const read = await ground.done('as', 'GET', `/users/${id}`)
      const expiry = ground.world.clock.now() + DAY
      await ground.done('as', 'PUT', '/users', { ...read, realName: '王大明', roles: [second], expiry })
      const changed = await ground.done('as', 'GET', `/users/${id}`)
      expect(changed).toMatchObject({ realName: '王大明', roles: [second], expiry, phone: '13800138000', passwordValidity: '3m' })
      await ground.done('as', 'PUT', '/users', { id, roles: [roleId, second] })
      const { roles } = await ground.done<{ roles: string[] }>('as', 'GET', `/users/${id}`)
      expect(roles.toSorted()).toEqual([roleId, second as string].toSorted())
      expect((await ground.ask('as', 'PUT', '/users', { id, roles: [] })).status).toBe(400)
      await ground.done('as', 'PUT', `/users/${id}/disable`)
      expect((await ground.ask('as', 'PUT', '/users', { id, realName: 'Nemo' })).status).toBe(400)
      expect(await ground.done('as', 'GET', `/users/${id}`)).toMatchObject({ realName: '王大明' })
    },
  },
  {
    id: 'CALL-018',
    service: 'as',
    method: 'DELETE',
    path: '/users/{id}',
    does: 'deletes a user, who is out at once; not a disabled one, and not oneself',
    async holds(ground) {
      const user = await loggedIn(ground)
      await ground.done('as', 'PUT', `/users/${user.id}/disable`)
      expect((await ground.ask('as', 'DELETE', `/users/${user.id}`)).status).toBe(400)
      await ground.done('as', 'PUT', `/users/${user.id}/enable`)
      await ground.done('as', 'DELETE', `/users/${user.id}`)
      expect((await ground.ask('as', 'GET', `/users/${user.id}`)).status).toBe(404)
      expect((await user.ask('as', 'GET', '/users/profile')).status).toBe(401)
      expect(await login(ground, user.account, PASSWORD)).toMatchObject({ status: 400, code: 100401 })
      const { id: own } = await ground.done('as', 'GET', '/users/profile')
      expect((await ground.ask('as', 'DELETE', `/users/${String(own)}`)).status).toBe(400)
    },
  },
  {
    id: 'CALL-020',
    service: 'as',
    method: 'PUT',
    path: '/users/{id}/disable',
    does: 'disables an account: its session ends and its login is refused by 901',
    async holds(ground) {
      const user = await loggedIn(ground)
      await ground.done('as', 'PUT', `/users/${user.id}/disable`)
      expect(await ground.done('as', 'GET', `/users/${user.id}`)).toMatchObject({ status: 0 })
      expect(await user.ask('as', 'GET', '/users/profile')).toMatchObject({ code: 901 })
      expect(await login(ground, user.account, PASSWORD)).toMatchObject({ status: 400, code: 901 })
    },
  },
  {
    id: 'CALL-019',
    service: 'as',
    method: 'PUT',
    path: '/users/{id}/enable',
    does: 'enables an account that was disabled: it logs in again',
    async holds(ground) {
      const user = await loggedIn(ground)
      await ground.done('as', 'PUT', `/users/${user.id}/disable`)
      expect((await login(ground, user.account, PASSWORD)).status).toBe(400)
      await ground.done('as', 'PUT', `/users/${user.id}/enable`)
      expect(await ground.done('as', 'GET', `/users/${user.id}`)).toMatchObject({ status: 1 })
      expect((await login(ground, user.account, PASSWORD)).status).toBe(200)
    },
  },
  {
    id: 'CALL-022',
    service: 'as',
    method: 'POST',
    path: '/users/{id}/passwd',
    does: 'gives another user an initial password, shown or sent by e-mail, in place of the one there was',
    async holds(ground) {
      const user = await loggedIn(ground)
      const { initialPassword } = await ground.done<{ initialPassword: string }>('as', 'POST', `/users/${user.id}/passwd`)
      expect((await user.ask('as', 'GET', '/users/profile')).status).toBe(401)
      expect(await login(ground, user.account, PASSWORD)).toMatchObject({ status: 400, code: 100401 })
      // Valid for one purpose: to choose another one.
      expect(await login(ground, user.account, initialPassword)).toMatchObject({ status: 400, code: 902 })
      await chooseFirst(ground, user.account, initialPassword, 'Turnstile-9')
      expect((await login(ground, user.account, 'Turnstile-9')).status).toBe(200)
      const { id } = await newUser(ground, { email: `${newName()}@example.org` })
      const sent = await ground.done('as', 'POST', `/users/${id}/passwd`, { sendByEmail: true })
      expect(sent).not.toHaveProperty('initialPassword')
    },
  },
]
