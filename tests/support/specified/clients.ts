/** API users (M02), by point 7.2 of calls.txt and the entity ApiUser. */
import { expect } from 'vitest'
import { askToken, newName, type TokenAnswer } from './accounts.ts'
import { bears, type Ground, type Json, type SpecifiedCall } from './specified.ts'

interface MadeClient {
  id: string
  name: string
  ApiKey: string
  ApiSecret: string
}

async function madeClient({ done }: Ground, options: Json = {}): Promise<MadeClient> {
  const name = `Program ${newName()}`
  return { ...(await done<Omit<MadeClient, 'name'>>('as', 'POST', '/clients/api-client', { name, purpose: 'Payroll', ...options })), name }
}
const tokensOf = (ground: Ground, { ApiKey, ApiSecret }: Pick<MadeClient, 'ApiKey' | 'ApiSecret'>): Promise<TokenAnswer> =>
  askToken(ground, { grant_type: 'client_credentials', areaCode: ground.park.park.areaCode }, [ApiKey, ApiSecret])

export const clientCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-031',
    service: 'as',
    method: 'GET',
    path: '/clients/api-client',
    does: 'lists API users in pages, without their secrets',
    async holds(ground) {
      const [made] = [await madeClient(ground), await madeClient(ground)]
      expect(await ground.listed('as', 'GET', '/clients/api-client?page=1&size=1')).toHaveLength(1)
      const all = await ground.listed('as', 'GET', '/clients/api-client?page=1&size=100')
      const found = all.find(({ id }) => id === made.id)!
      // The secret is shown once, when it is created.
      bears(found, 'ApiUser', { without: ['ApiSecret'] })
      expect(found).toMatchObject({ name: made.name, purpose: 'Payroll', status: 1, ApiKey: made.ApiKey })
      expect(JSON.stringify(all)).not.toContain(made.ApiSecret)
    },
  },
  {
    id: 'CALL-032',
    service: 'as',
    method: 'POST',
    path: '/clients/api-client',
    does: 'creates an API user of name, purpose and validities, whose key and secret obtain tokens that last as long as was said',
    async holds(ground) {
      const fields = { name: `Program ${newName()}`, purpose: 'Visitors', accessTokenValidity: 600, refreshTokenValidity: 1800 }
      const made = await ground.done<MadeClient>('as', 'POST', '/clients/api-client', fields)
      expect(await ground.done('as', 'GET', `/clients?id=${made.id}`)).toMatchObject({ ...fields, ApiKey: made.ApiKey, status: 1 })
      const { access_token: token, expires_in: seconds } = await tokensOf(ground, made)
      expect(seconds).toBe(600)
      const { realName } = await ground.by(token).done('as', 'GET', '/users/profile')
      expect(realName).toBe(fields.name)
      const expired = await ground.after(601_000, () => ground.by(token).ask('as', 'GET', '/users/profile'))
      expect(expired).toMatchObject({ status: 401, code: 40_120 })
      expect(await ground.ask('as', 'POST', '/clients/api-client', fields)).toMatchObject({ code: 900004 })
    },
  },
  {
    id: 'CALL-033',
    service: 'as',
    method: 'PUT',
    path: '/clients',
    does: 'takes back what was read, with what changed, and keeps the rest',
    async holds(ground) {
      const { id } = await madeClient(ground, { refreshTokenValidity: 7200 })
      const read = await ground.done('as', 'GET', `/clients?id=${id}`)
      await ground.done('as', 'PUT', '/clients', { ...read, purpose: 'Canteen', accessTokenValidity: 900 })
      const changed = await ground.done('as', 'GET', `/clients?id=${id}`)
      expect(changed).toMatchObject({ name: read['name'], ApiKey: read['ApiKey'], purpose: 'Canteen', refreshTokenValidity: 7200 })
      const name = `Program ${newName()}`
      await ground.done('as', 'PUT', '/clients', { id, name })
      expect(await ground.done('as', 'GET', `/clients?id=${id}`)).toMatchObject({ name, purpose: 'Canteen', accessTokenValidity: 900 })
    },
  },
  {
    id: 'CALL-034',
    service: 'as',
    method: 'GET',
    path: '/clients',
    does: 'reads one API user, without its secret; there is none by another id',
    async holds(ground) {
      const made = await madeClient(ground)
      const read = await ground.done('as', 'GET', `/clients?id=${made.id}`)
      // The secret is shown once, when it is created.
      bears(read, 'ApiUser', { without: ['ApiSecret'] })
      expect(read).toMatchObject({ id: made.id, name: made.name, ApiKey: made.ApiKey, status: 1 })
      expect(JSON.stringify(read)).not.toContain(made.ApiSecret)
      expect((await ground.ask('as', 'GET', '/clients?id=01970000-0000-7000-8000-000000000000')).status).toBe(404)
    },
  },
  {
    id: 'CALL-035',
    service: 'as',
    method: 'DELETE',
    path: '/clients',
    does: 'deletes an API user, whose token ends',
    async holds(ground) {
      const made = await madeClient(ground)
      const { access_token: token } = await tokensOf(ground, made)
      await ground.by(token).done('as', 'GET', '/users/profile')
      await ground.done('as', 'DELETE', `/clients?id=${made.id}`)
      expect((await ground.by(token).ask('as', 'GET', '/users/profile')).status).toBe(401)
      expect((await ground.ask('as', 'GET', `/clients?id=${made.id}`)).status).toBe(404)
      expect(await tokensOf(ground, made)).toMatchObject({ status: 401, code: 100412 })
      // For a call that deletes, the id may also be in the body.
      const other = await madeClient(ground)
      await ground.done('as', 'DELETE', '/clients', { id: other.id })
      expect((await ground.ask('as', 'GET', `/clients?id=${other.id}`)).status).toBe(404)
    },
  },
  {
    id: 'CALL-036',
    service: 'as',
    method: 'POST',
    path: '/clients/enable',
    does: 'disables an API user, which then obtains no token, and enables it again',
    async holds(ground) {
      const made = await madeClient(ground)
      await ground.done('as', 'POST', '/clients/enable', { id: made.id, status: 0 })
      expect(await ground.done('as', 'GET', `/clients?id=${made.id}`)).toMatchObject({ status: 0 })
      expect(await tokensOf(ground, made)).toMatchObject({ status: 400, code: 901 })
      await ground.done('as', 'POST', '/clients/enable', { id: made.id, status: 1 })
      expect(await ground.done('as', 'GET', `/clients?id=${made.id}`)).toMatchObject({ status: 1 })
      expect((await tokensOf(ground, made)).status).toBe(200)
    },
  },
  {
    id: 'CALL-037',
    service: 'as',
    method: 'POST',
    path: '/clients/{id}/resetClientSecret',
    does: 'gives an API user another secret and ends what the one before opened',
    async holds(ground) {
      const made = await madeClient(ground)
      const { access_token: token } = await tokensOf(ground, made)
      const reset = await ground.done<MadeClient>('as', 'POST', `/clients/${made.id}/resetClientSecret`)
      expect(reset.ApiKey).toBe(made.ApiKey)
      expect(reset.ApiSecret).not.toBe(made.ApiSecret)
      expect((await ground.by(token).ask('as', 'GET', '/users/profile')).status).toBe(401)
      expect(await tokensOf(ground, made)).toMatchObject({ status: 401, code: 100412 })
      expect((await tokensOf(ground, reset)).status).toBe(200)
    },
  },
]
