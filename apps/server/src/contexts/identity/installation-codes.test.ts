/** Calls for the whole installation require role sign, root and a code; an upgrade keeps them for all users who had them. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '@gatehouse/contract'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { messageCalls } from '@gatehouse/contract/system/messages'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { noKeys } from '../../platform/database/migrations.ts'
import { installationCodesMigration } from './installation-codes-migration.ts'

let world: World
let root: string
beforeAll(async () => {
  world = await startWorld()
  root = world.server.contexts.organisation.service.root().id
})
afterAll(() => world?.stop())

test('an operator at the root with one permission may do nothing to the installation', async () => {
  const operator = await world.session({ permissions: ['screen'], roleSign: 'operator', organisationId: root })
  for (const [call, input] of [
    [installationCalls.restart, {}],
    [installationCalls.details, {}],
    [messageCalls.messages, { query: {} }],
  ] as [Call, object][])
    expect(await operator.ask(call, input as never), call.url).toMatchObject({ status: 403, code: 100510 })
  const allowed = await world.session({ permissions: ['system.domainName'], roleSign: 'operator', organisationId: root })
  expect(await allowed.ask(installationCalls.details, {})).toMatchObject({ status: 200, code: 0 })
})

test('an upgrade grants the codes to administrators at the root, and to operators who had the system area', async () => {
  async function role(roleSign: string, permissions: string[], organisationId: string): Promise<string> {
    const id = randomUUID()
    const [{ userId }] = (await query<{ userId: string }>(
      world.connectionString,
      `WITH made AS (INSERT INTO role (id, name, role_sign, permissions, organisation_id, created_at)
        VALUES ($1::uuid, $5, $2, $3, $4, now()) RETURNING id)
       SELECT id AS "userId" FROM user_account WHERE organisation_id = $4 LIMIT 1`,
      [id, roleSign, permissions, organisationId, id],
    )) as [{ userId: string }]
    await query(world.connectionString, 'INSERT INTO user_role (user_id, role_id) VALUES ($1, $2)', [userId, id])
    return id
  }
  const park = world.park.id
  await world.session({ organisationId: park })
  const made = {
    administrator: await role('admin', [], root),
    operator: await role('operator', ['system', 'system.log'], root),
    withLog: await role('operator', ['system.log'], root),
    ofPark: await role('admin', ['system'], park),
    other: await role('other', ['system'], root),
  }
  await installationCodesMigration.up(world.server.platform.db.withoutPlugins(), noKeys)
  const after = await query<{ id: string; permissions: string[] }>(world.connectionString, 'SELECT id, permissions FROM role')
  const of = (id: string) => after.find((one) => one.id === id)!.permissions
  expect(of(made.administrator)).toEqual(['system.base', 'system.domainName', 'system.area', 'system.log'])
  expect(of(made.operator)).toEqual(['system', 'system.log', 'system.base', 'system.domainName'])
  expect(of(made.withLog)).toEqual(['system.log'])
  expect(of(made.ofPark)).toEqual(['system'])
  expect(of(made.other)).toEqual(['system'])
})
