/** Roles under the names of the specification alone: permissions by module. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { sendingAs, type Send } from '../../../../../tests/support/as-written.ts'

const ROLES = '/asService/uface/v1/roles'

let world: World
let send: Send
beforeAll(async () => {
  world = await startWorld()
  send = sendingAs(world.client)
})
afterAll(() => world?.stop())

const read = async (id: unknown): Promise<Record<string, unknown>> => (await send('GET', `${ROLES}/${String(id)}`)).data
let number = 0
async function made(overrides: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const permissions = { person: ['person', 'person.list'], device: ['device'] }
  const { code, data } = await send('POST', ROLES, { name: `Written ${++number}`, permissions, ...overrides })
  expect(code).toBe(0)
  return read(data['id'])
}

test('a role is made of permissions by module, and answers them so', async () => {
  expect(await made()).toMatchObject({ permissions: { person: ['person', 'person.list'], device: ['device'] } })
  // The former format is accepted for one more version.
  expect(await made({ permissions: ['device', 'person'] })).toMatchObject({ permissions: { person: ['person'], device: ['device'] } })
})

test('a change keeps what it leaves out, and a role that was read comes back whole', async () => {
  const role = await made({ remark: 'Of the front desk', roleLabel: 1, roleSign: 'parkAdmin' })
  expect(await send('PUT', ROLES, { id: role['id'], name: 'Renamed' })).toMatchObject({ status: 200, code: 0 })
  const renamed = await read(role['id'])
  expect(renamed).toEqual({ ...role, name: 'Renamed', version: 2 })
  expect(await send('PUT', ROLES, { ...renamed, users: 12 })).toMatchObject({ status: 200, code: 0 })
  expect(await read(role['id'])).toEqual({ ...renamed, version: 3 })
  await send('PUT', ROLES, { id: role['id'], remark: null, roleLabel: null, roleSign: null })
  expect(await read(role['id'])).toMatchObject({ remark: '', roleLabel: 2, roleSign: 'other', permissions: role['permissions'] })
  expect(await send('PUT', ROLES, { id: role['id'], permissions: {} })).toMatchObject({ code: 100200 })
})

test('a module that does not exist, or a code of another one, is refused by name', async () => {
  const name = 'Refused'
  const unknown = await send('POST', ROLES, { name, permissions: { person: ['person'], people: ['person'] } })
  expect(unknown).toMatchObject({ status: 400, data: { fields: [{ path: 'permissions.people', rule: 'unknownField' }] } })
  const misplaced = await send('POST', ROLES, { name, permissions: { person: ['device'] } })
  expect(misplaced).toMatchObject({ status: 400, data: { fields: [{ path: 'permissions' }] } })
})
