/** Files whose row was never committed are removed; all others stay. */
import { existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { portrait } from '@gatehouse/dev-env/portraits'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { afterAll, beforeAll, expect, test } from 'vitest'

const HOUR = 3_600_000
let world: World
let offset = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + offset } })
})
afterAll(() => world?.stop())

test('a capture left behind by a crash goes within eleven days', async () => {
  const { storage, transaction } = world.server.platform
  const scope = { parkId: world.park.id }
  const picture = await portrait('left behind')
  const [lost, kept, fresh] = (await Promise.all([1, 2, 3].map(() => storage.writeCapture(scope, picture)))) as [string, string, string]
  await transaction((tx) => storage.keepCapture(tx as never, scope, kept))
  const pathOf = (id: string) => join(world.dataDir, 'files', id.slice(-2), `${id}.full`)
  const longAgo = new Date(Date.now() - 48 * HOUR)
  for (const id of [lost, kept]) utimesSync(pathOf(id), longAgo, longAgo)

  let removed = 0
  for (let hour = 0; hour < 256; hour++) {
    offset = hour * HOUR
    removed += await storage.sweep()
  }
  expect([lost, kept, fresh].map((id) => existsSync(pathOf(id)))).toEqual([false, true, true])
  expect(removed).toBe(1)
})
