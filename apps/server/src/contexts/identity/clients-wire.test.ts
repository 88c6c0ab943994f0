/** API users by the names of the specification alone. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { sendingAs, type Send } from '../../../../../tests/support/as-written.ts'

const CLIENTS = '/asService/uface/v1/clients'

let world: World
let send: Send
beforeAll(async () => {
  world = await startWorld()
  send = sendingAs(world.client)
})
afterAll(() => world?.stop())

const read = async (id: unknown): Promise<Record<string, unknown>> => (await send('GET', `${CLIENTS}?id=${String(id)}`)).data
let number = 0
async function made(): Promise<Record<string, unknown>> {
  const fields = { name: `Program ${++number}`, purpose: 'Payroll', accessTokenValidity: 600, refreshTokenValidity: 7200 }
  const { code, data } = await send('POST', `${CLIENTS}/api-client`, { ...fields, permissions: ['person', 'person.list'] })
  expect({ code, data }).toMatchObject({ code: 0, data: { ApiKey: expect.any(String), ApiSecret: expect.any(String) } })
  const client = await read(data['id'])
  expect(client).toMatchObject({ ...fields, ApiKey: data['ApiKey'], status: 1 })
  return client
}

test('a change keeps what it leaves out: how long tokens last, the purpose, the masking', async () => {
  const client = await made()
  expect(await send('PUT', CLIENTS, { id: client['id'], name: 'Another name' })).toMatchObject({ status: 200, code: 0 })
  expect(await read(client['id'])).toEqual({ ...client, name: 'Another name', version: 2 })
  await send('PUT', CLIENTS, { id: client['id'], purpose: null, accessTokenValidity: null, refreshTokenValidity: null })
  expect(await read(client['id'])).toMatchObject({ purpose: '', accessTokenValidity: 7200, refreshTokenValidity: 604_800 })
})

test('an API user that was read can be sent back whole, and nothing of it that a change does not change', async () => {
  const client = await made()
  expect(await send('PUT', CLIENTS, { ...client, lastUsedAt: 5 })).toMatchObject({ status: 200, code: 0 })
  const again = await read(client['id'])
  expect(again).toEqual({ ...client, version: 2 })
  for (const [path, value] of [
    ['ApiKey', 'another'],
    ['status', 0],
  ] as const)
    expect((await send('PUT', CLIENTS, { ...again, [path]: value })).data.fields).toMatchObject([{ path, rule: 'readOnly' }])
  expect((await send('PUT', CLIENTS, { ...again, tokenValidity: 60 })).data.fields).toMatchObject([
    { path: 'tokenValidity', rule: 'unknownField' },
  ])
})
