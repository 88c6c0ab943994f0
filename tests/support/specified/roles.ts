/** Roles and permission groups (M02), as point 7.2 of calls.txt and the entity Role name them. */
import { expect } from 'vitest'
import { bears, type Ground, type Json, type SpecifiedCall } from './specified.ts'

let roles = 0
/** Create a role that may see and manage people. */
async function madeRole({ done }: Pick<Ground, 'done'>, options: Json = {}): Promise<Json> {
  const name = `Role ${++roles}`
  const { id } = await done('as', 'POST', '/roles', { name, permissions: { person: ['person', 'person.list'] }, ...options })
  return { id, name }
}

export const roleCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-023',
    service: 'as',
    method: 'GET',
    path: '/roles',
    does: 'lists roles in pages, with everything a role has',
    async holds(ground) {
      const made = await madeRole(ground)
      const first = await ground.listed('as', 'GET', '/roles?page=1&size=2')
      expect(first).toHaveLength(2)
      const all = await ground.listed('as', 'GET', '/roles?page=1&size=100')
      const found = all.find(({ id }) => id === made['id'])!
      bears(found, 'Role')
      expect(found).toMatchObject({ name: made['name'], permissions: { person: ['person', 'person.list'] }, roleSign: 'other' })
    },
  },
  {
    id: 'CALL-024',
    service: 'as',
    method: 'POST',
    path: '/roles',
    does: 'creates a role from its permissions by module; refuses one without any, and a name that is taken',
    async holds(ground) {
      const { id } = await ground.done('as', 'POST', '/roles', {
        name: 'Reception',
        permissions: { person: ['person.list'], access: ['access.record'] },
        roleLabel: 2,
        roleSign: 'parkAdmin',
      })
      const read = await ground.done('as', 'GET', `/roles/${String(id)}`)
      expect(read).toMatchObject({ name: 'Reception', roleLabel: 2, roleSign: 'parkAdmin' })
      expect(read['permissions']).toMatchObject({ person: ['person.list'], access: ['access.record'] })
      expect(await ground.ask('as', 'POST', '/roles', { name: 'Empty', permissions: {} })).toMatchObject({ code: 100200 })
      expect(await ground.ask('as', 'POST', '/roles', { name: 'Reception', permissions: { person: ['person.list'] } })).toMatchObject({
        code: 100203,
      })
    },
  },
  {
    id: 'CALL-025',
    service: 'as',
    method: 'PUT',
    path: '/roles',
    does: 'takes back what was read, with what changed, and keeps the rest',
    async holds(ground) {
      const { id } = await madeRole(ground)
      const read = await ground.done('as', 'GET', `/roles/${String(id)}`)
      await ground.done('as', 'PUT', '/roles', { ...read, name: 'Renamed' })
      expect(await ground.done('as', 'GET', `/roles/${String(id)}`)).toMatchObject({ name: 'Renamed', permissions: read['permissions'] })
      await ground.done('as', 'PUT', '/roles', { id, permissions: { device: ['device.list'] } })
      const changed = await ground.done('as', 'GET', `/roles/${String(id)}`)
      expect(changed['name']).toBe('Renamed')
      expect(changed['permissions']).toMatchObject({ device: ['device.list'] })
      expect(changed['permissions']).not.toMatchObject({ person: ['person', 'person.list'] })
    },
  },
  {
    id: 'CALL-026',
    service: 'as',
    method: 'GET',
    path: '/roles/{id}',
    does: 'reads one role; another park does not see it',
    async holds(ground) {
      const { id, name } = await madeRole(ground)
      const read = await ground.done('as', 'GET', `/roles/${String(id)}`)
      bears(read, 'Role')
      expect(read).toMatchObject({ id, name })
      const other = await ground.elsewhere()
      expect((await other.ask('as', 'GET', `/roles/${String(id)}`)).status).toBe(404)
    },
  },
  {
    id: 'CALL-027',
    service: 'as',
    method: 'DELETE',
    path: '/roles/{id}',
    does: 'deletes a role, but none that somebody holds',
    async holds(ground) {
      const { id } = await madeRole(ground)
      const { id: userId } = await ground.done('as', 'POST', '/users', {
        account: 'holder1',
        realName: 'Holder',
        roles: [id],
        organisationId: ground.park.park.id,
      })
      expect(await ground.ask('as', 'DELETE', `/roles/${String(id)}`)).toMatchObject({ code: 100201 })
      await ground.done('as', 'DELETE', `/users/${String(userId)}`)
      await ground.done('as', 'DELETE', `/roles/${String(id)}`)
      expect((await ground.ask('as', 'GET', `/roles/${String(id)}`)).status).toBe(404)
    },
  },
  {
    id: 'CALL-028',
    service: 'as',
    method: 'GET',
    path: '/roles/subRole',
    does: 'names the roles that may be given below a node, by which a user is created',
    async holds(ground) {
      const made = await madeRole(ground)
      const given = await ground.done<Json[]>('as', 'GET', `/roles/subRole?organisationId=${ground.park.park.id}`)
      expect(given).toContainEqual(expect.objectContaining(made))
      const { id } = await ground.done('as', 'POST', '/users', {
        account: 'sub1',
        realName: 'Sub',
        roles: [made['id']],
        organisationId: ground.park.park.id,
      })
      expect(await ground.done('as', 'GET', `/users/${String(id)}`)).toMatchObject({ roles: [made['id']] })
    },
  },
  {
    id: 'CALL-029',
    service: 'as',
    method: 'GET',
    path: '/roles/permissions',
    does: 'tells the permissions of a role',
    async holds(ground) {
      const { id } = await madeRole(ground)
      const answered = JSON.stringify(await ground.done<unknown>('as', 'GET', `/roles/permissions?id=${String(id)}`))
      expect(answered).toContain('"person.list"')
      expect(answered).not.toContain('"device.list"')
    },
  },
  {
    id: 'CALL-030',
    service: 'as',
    method: 'GET',
    path: '/permissions/group',
    does: 'names permission groups by module, from which a role is made',
    async holds(ground) {
      const groups = await ground.done<{ module: string; permissions: string[] }[]>('as', 'GET', '/permissions/group')
      expect(groups.map(({ module }) => module)).toEqual(
        expect.arrayContaining(['alert', 'person', 'visitor', 'attendance', 'device', 'access']),
      )
      const { module, permissions } = groups.find(({ permissions: codes }) => codes.includes('person.list'))!
      const { id } = await madeRole(ground, { permissions: { [module]: permissions } })
      expect(await ground.done('as', 'GET', `/roles/${String(id)}`)).toMatchObject({ permissions: { [module]: permissions } })
    },
  },
]
