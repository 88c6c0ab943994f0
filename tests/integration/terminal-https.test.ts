/** Terminals at a server that uses https with a certificate of its own: nothing has to be installed at the terminal. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { startCore } from '../support/device.ts'
import { until } from '../support/until.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ config: { tls: { kind: 'self', names: [] } } })
})
afterAll(() => world?.stop())

test(
  'a terminal that is given http goes over to https and to the broker over TLS by the keys the server vouches for, and is ' +
    'removed over them',
  async () => {
    const device = await world.device()
    const folder = join(world.dataDir, 'terminal')
    const start = () => {
      const core = startCore({ folder, server: world.url.replace('https:', 'http:'), code: device.code, secret: device.secret })
      onTestFinished(() => core.stop())
      return core
    }
    const first = start()
    const state = () => first.device.state()
    await until('it is online', () => state().link.kind === 'online')
    expect([state().security, first.device.client.address.origin]).toEqual(['vouched', world.url])
    expect(first.store.trust()?.keys).not.toEqual([])
    await until(
      'the server sees it online',
      async () => (await world.call(deviceCalls.read, { params: { id: device.id } })).onlineStatus === 1,
    )
    await first.stop()

    const again = start()
    await until('it is online again', () => again.device.state().link.kind === 'online')
    await world.call(deviceCalls.delete, { query: { ids: [device.id] } })
    await until('it knows that it was removed', () => again.device.state().link.kind === 'removed')
  },
)
