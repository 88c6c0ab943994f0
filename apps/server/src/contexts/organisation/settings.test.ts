import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { Conflict } from '../../platform/http/refusal.ts'
import { createSettings, defineSetting } from './settings.ts'

const door = defineSetting(
  'test.door',
  z.object({ seconds: z.number(), note: z.string(), password: z.string() }),
  { seconds: 5, note: '', password: '' },
  ['password'],
)

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())
const settings = () => world.server.contexts.organisation.settings

test('what nobody has set is as the code says', () => {
  expect(settings().show(world.park.id, door)).toEqual({ seconds: 5, note: '', password: '', secretsSet: [], version: 0 })
})

test('a setting is each owner’s own, and still there after a restart', async () => {
  await settings().write(world.park.id, door, { seconds: 9, note: 'slow', password: '' })
  await settings().write(INSTALLATION_ID, door, { seconds: 3, note: '', password: '' })
  await world.interrupted(async () => {})
  expect(settings().read(world.park.id, door)).toMatchObject({ seconds: 9, note: 'slow' })
  expect(settings().read(INSTALLATION_ID, door)).toMatchObject({ seconds: 3 })
})

test('a secret is encrypted at rest, shown to nobody, and stays when it is left empty', async () => {
  const other = await world.addPark()
  await settings().write(other.park.id, door, { seconds: 1, note: '', password: 'open-sesame' })
  await settings().write(other.park.id, door, { seconds: 2, note: '', password: '' })
  expect(settings().show(other.park.id, door)).toEqual({ seconds: 2, note: '', password: '', secretsSet: ['password'], version: 2 })
  expect(settings().read(other.park.id, door).password).toBe('open-sesame')
  const rows = await query<{ row: string }>(
    world.connectionString,
    `select row_to_json(setting)::text || encode(coalesce(secrets, ''), 'escape') as row from setting`,
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { row } of rows) expect(row).not.toContain('open-sesame')
})

test('a reading that began before a change does not undo it when it ends', async () => {
  const { park } = await world.addPark()
  const { platform } = world.server
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isSlow = false
  const open: typeof platform.crypto.open = async (...sealed) => {
    const opened = await platform.crypto.open(...sealed)
    if (isSlow) {
      isSlow = false
      reached.resolve()
      await released.promise
    }
    return opened
  }
  const own = createSettings({
    ...platform,
    crypto: { ...platform.crypto, open },
    events: { ...platform.events, consume() {} },
  })
  await own.write(park.id, door, { seconds: 1, note: '', password: 'first' })
  isSlow = true
  const reading = own.refresh(park.id, door)
  await reached.promise
  await own.write(park.id, door, { seconds: 2, note: '', password: 'second' })
  released.resolve()
  await reading
  expect(own.read(park.id, door)).toMatchObject({ seconds: 2, password: 'second' })
})

test('of two who change the same version one is told', async () => {
  const { park } = await world.addPark()
  await settings().write(park.id, door, { seconds: 1, note: '', password: '' }, 0)
  await expect(settings().write(park.id, door, { seconds: 2, note: '', password: '' }, 0)).rejects.toThrow(Conflict)
  expect(settings().read(park.id, door).seconds).toBe(1)
})
