import { afterAll, beforeAll, expect, test } from 'vitest'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { until } from '../../../../../tests/support/until.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const entriesOf = (park: string, table: string) =>
  query<{ row: string }>(world.connectionString, `SELECT row_to_json(${table})::text AS row FROM ${table} WHERE park_id = $1`, [park])

test('a park that is deleted takes the names of its people out of the logs; that something was done stays', async () => {
  const gone = await world.addPark()
  const stays = await world.addPark()
  for (const site of [gone, stays]) {
    const person = await site.person({ name: 'Wendeline Quist' })
    await site.call(peopleCalls.read, { query: { id: person.id } })
  }
  await until(
    'the reads to be written',
    async () => (await entriesOf(gone.park.id, 'read_log')).length > 0 && (await entriesOf(stays.park.id, 'read_log')).length > 0,
  )
  const before = await entriesOf(gone.park.id, 'operation_log')
  expect(before.some(({ row }) => row.includes('Wendeline'))).toBe(true)

  await world.call(areaCalls.delete, { params: { id: gone.park.id } })

  const after = await entriesOf(gone.park.id, 'operation_log')
  expect(after).toHaveLength(before.length)
  for (const { row } of after) expect(row).not.toContain('Wendeline')
  expect(await entriesOf(gone.park.id, 'read_log')).toEqual([])
  expect((await entriesOf(stays.park.id, 'operation_log')).some(({ row }) => row.includes('Wendeline'))).toBe(true)
  expect(await entriesOf(stays.park.id, 'read_log')).not.toEqual([])
})
