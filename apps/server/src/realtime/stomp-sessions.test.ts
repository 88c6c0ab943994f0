/** A live connection lasts as long as its session and its permissions. */
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { userCalls } from '@gatehouse/contract/identity/users'
import { REALTIME_ENDPOINT, topics } from '@gatehouse/contract/realtime'
import type { PermissionCode } from '@gatehouse/contract'
import { grantToken } from '@gatehouse/dev-env/accounts'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { until } from '../../../../tests/support/until.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const TOPIC = topics.accessRecord
const MAY_HEAR = [TOPIC.permission as PermissionCode]
let number = 0

interface Listener {
  userId: string
  roleId: string
  client: Client
  socket: WebSocket
  heard: string[]
  /** The server's message when it ended the connection. */
  ended(): Promise<string>
}

/** A listener to the records of the first park. */
async function listener(): Promise<Listener> {
  const { id: roleId } = await world.call(roleCalls.create, {
    body: { name: `Listener ${++number}`, permissions: MAY_HEAR, organisationId: world.park.id },
  })
  const { id: userId } = await world.call(userCalls.create, {
    body: { account: `listener${number}`, realName: 'Listener', organisationId: world.park.id, roles: [roleId] },
  })
  const { bearer } = await grantToken(world.server, userId, world.park.id)
  const socket = new WebSocket(world.url.replace(/^http/, 'ws') + REALTIME_ENDPOINT, 'v12.stomp')
  const heard: string[] = []
  socket.on('message', (data: Buffer) => heard.push(data.toString()))
  await once(socket, 'open')
  socket.send(`CONNECT\nAuthorization:Bearer ${bearer}\n\n\0`)
  await until('the connection', () => heard.some((text) => text.startsWith('CONNECTED')))
  socket.send(`SUBSCRIBE\nid:s\ndestination:${TOPIC.destination.replace('{areaCode}', world.park.areaCode)}\nreceipt:r\n\n\0`)
  await until('the subscription', () => heard.some((text) => text.startsWith('RECEIPT')))
  return {
    userId,
    roleId,
    client: createClient(world.url, { bearer }),
    socket,
    heard,
    async ended() {
      await until('the end of the connection', () => socket.readyState === WebSocket.CLOSED)
      return /message:(.*)/.exec(heard.find((text) => text.startsWith('ERROR')) ?? '')?.[1] ?? ''
    },
  }
}

test('it ends when its session is revoked', async () => {
  const { client, ended } = await listener()
  await client.call(identityCalls.revoke, {})
  expect(await ended()).toBe('100412')
})

test('it ends when its account is disabled', async () => {
  const { userId, ended } = await listener()
  await world.call(userCalls.disable, { params: { id: userId } })
  expect(await ended()).toBe('901')
})

test('it ends when the permission to hear what it listens to is taken, and not when another one is', async () => {
  const [one, other] = [await listener(), await listener()]
  const change = (id: string, permissions: PermissionCode[]) =>
    world.call(roleCalls.change, { body: { id, name: `Listener ${++number}`, permissions, organisationId: world.park.id } })
  await change(one.roleId, ['person'])
  expect(await one.ended()).toBe('100510')
  await change(other.roleId, [...MAY_HEAR, 'person'])
  await change(other.roleId, MAY_HEAR)
  await world.settled()
  expect(other.socket.readyState).toBe(WebSocket.OPEN)
  other.socket.terminate()
})
