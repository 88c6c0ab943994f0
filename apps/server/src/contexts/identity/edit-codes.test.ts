/** A user who sees devices and persons need not be able to change them. An upgrade keeps this permission for all users who had it. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isWrite } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { ALL_CALLS, ask } from '../../../../../tests/support/all-calls.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { noKeys } from '../../platform/database/migrations.ts'
import { editCodesMigration } from './edit-codes-migration.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

/** Writing calls under `device.list` or `person.list` that require another code of ours: they do not change the register. */
const OF_THEIR_OWN = ['own:door.open', 'own:device.pair', 'own:person.erase']

test.each([
  ['device.list', 'own:device.edit'],
  ['person.list', 'own:person.edit'],
] as const)('whoever has %s alone changes nothing', async (looks, edits) => {
  const looking = await world.session({ permissions: [looks] })
  const writes = ALL_CALLS.filter((call) => call.permission === looks && isWrite(call))
  expect(writes.length).toBeGreaterThan(10)
  for (const call of writes) {
    expect(
      call.besides?.some((code) => code === edits || OF_THEIR_OWN.includes(code)),
      call.url,
    ).toBe(true)
    expect(await ask(world, call, looking.credentials), `${call.method} ${call.url}`).toMatchObject({ status: 403, code: 100510 })
  }
})

test('whoever has both does', async () => {
  const device = await world.device()
  const editor = await world.session({ permissions: ['device.list', 'own:device.edit', 'person.list', 'own:person.edit'] })
  expect(await editor.call(deviceCalls.move, { body: { ids: [device.id], groupId: null } })).toBeDefined()
  expect(await editor.call(deviceCalls.delete, { query: { ids: [device.id] } })).toEqual({ deleted: 1 })
  expect(await editor.call(peopleCalls.createGroup, { body: { name: 'New', type: 1 } })).toMatchObject({ id: expect.any(String) })
})

test('an upgrade grants it to roles and API users who had the code that looks', async () => {
  async function role(permissions: string[]): Promise<string> {
    const id = randomUUID()
    await query(
      world.connectionString,
      "INSERT INTO role (id, name, role_sign, permissions, created_at) VALUES ($1::uuid, $1::text, 'other', $2, now())",
      [id, permissions],
    )
    return id
  }
  async function client(permissions: string[]): Promise<string> {
    const id = randomUUID()
    await query(
      world.connectionString,
      `INSERT INTO api_client (id, name, api_key, secret_hash, purpose, permissions, organisation_id, enabled, access_seconds,
        refresh_seconds, created_at, updated_at)
       VALUES ($1::uuid, $1::text, $1::text, '', '', $2, $3, true, 60, 60, now(), now())`,
      [id, permissions, world.park.id],
    )
    return id
  }
  const made = {
    guard: await role(['device', 'device.list']),
    clerk: await role(['person.list', 'device.list', 'own:person.edit']),
    other: await role(['device', 'access.record']),
    payroll: await client(['person.list']),
    idle: await client(['access.record']),
  }
  await editCodesMigration.up(world.server.platform.db.withoutPlugins(), noKeys)
  const after = await query<{ id: string; permissions: string[] }>(
    world.connectionString,
    'SELECT id, permissions FROM role UNION ALL SELECT id, permissions FROM api_client',
  )
  const of = (id: string) => after.find((one) => one.id === id)!.permissions
  expect(of(made.guard)).toEqual(['device', 'device.list', 'own:device.edit'])
  expect(of(made.clerk)).toEqual(['person.list', 'device.list', 'own:person.edit', 'own:device.edit'])
  expect(of(made.other)).toEqual(['device', 'access.record'])
  expect(of(made.payroll)).toEqual(['person.list', 'own:person.edit'])
  expect(of(made.idle)).toEqual(['access.record'])
})
