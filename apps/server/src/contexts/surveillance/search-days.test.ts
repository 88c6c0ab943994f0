/** Days of captures in memory: what is searched is whole, whatever fails or happens while a day is read. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Scope } from '../../platform/session/session.ts'
import { createSearchDays } from './search-days.ts'
import type { CaptureTemplates } from './search-templates.ts'

const [MODEL, DIMENSIONS, DAY] = ['model of this test', 4, 19_000]
const CAPTURES = 4500
let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

/** Return a park with a day of captures that are read in three parts; their templates are never opened. */
async function parkWithDay(): Promise<Scope> {
  const scope = { parkId: newId() }
  await query(
    world.connectionString,
    `INSERT INTO capture (id, park_id, device_id, device_name, device_type, entered_at, captured_at, left_at, received_at, quality,
      face_width, model_id, template)
     SELECT gen_random_uuid(), $1, $1, '', 1, at, at, at, at, 1, 100, $2, '\\x00'
     FROM (SELECT to_timestamp($3::bigint * 86400 + n) AS at FROM generate_series(1, $4) AS n) AS times`,
    [scope.parkId, MODEL, DAY, CAPTURES],
  )
  return scope
}

/** @param before called before each part of a day is opened */
function daysOf(before: () => Promise<void>) {
  const columnsOf: CaptureTemplates['columnsOf'] = async (_scope, rows) => {
    await before()
    return {
      ids: rows.map(({ id }) => id),
      times: Float64Array.from(rows, ({ capturedAt }) => capturedAt),
      deviceIds: rows.map(({ deviceId }) => deviceId),
      numbers: new Float32Array(rows.length * DIMENSIONS),
    }
  }
  const days = createSearchDays(world.server.platform, { columnsOf }, { modelId: MODEL, dimensions: DIMENSIONS }, 1e9)
  const scan = async (scope: Scope) => {
    const probe = { modelId: MODEL, embedding: new Float32Array(DIMENSIONS) }
    const search = days.worker().begin([probe], { limit: 1, within: Infinity })
    try {
      return await days.scan(scope, [DAY], search, () => Promise.resolve({ from: 0, until: (DAY + 1) * 86_400_000 }))
    } finally {
      search.end()
    }
  }
  return { days, scan }
}

test('a day that could not be read to its end is searched by nobody, and read again by the next', async () => {
  const scope = await parkWithDay()
  let parts = 0
  const { days, scan } = daysOf(() => (++parts === 2 ? Promise.reject(new Error('cannot be opened')) : Promise.resolve()))
  try {
    expect(await Promise.allSettled([scan(scope), scan(scope)])).toMatchObject([
      { status: 'rejected', reason: { message: 'cannot be opened' } },
      { status: 'rejected', reason: { message: 'cannot be opened' } },
    ])
    expect(await days.worker().memory()).toEqual([])
    expect(await scan(scope)).toBe(CAPTURES)
    expect(await scan(scope)).toBe(CAPTURES)
    expect(parts).toBe(2 + 3)
  } finally {
    await days.close()
  }
})

test('a day that is forgotten while it is read is whole for those who wait, and read again by others', async () => {
  const scope = await parkWithDay()
  const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let parts = 0
  const { days, scan } = daysOf(async () => {
    if (++parts !== 2) return
    reached.resolve()
    await goOn.promise
  })
  try {
    const first = scan(scope)
    await reached.promise
    await days.refresh(scope, { captureIds: null, days: [DAY + 1] })
    await days.refresh(scope, { captureIds: null, days: [DAY] })
    const second = scan(scope)
    goOn.resolve()
    expect(await Promise.all([first, second])).toEqual([CAPTURES, CAPTURES])
    expect((await days.worker().memory()).map(({ captures }) => captures)).toEqual([CAPTURES])
    await days.refresh(scope, { captureIds: null, days: null })
    expect(await days.worker().memory()).toEqual([])
  } finally {
    await days.close()
  }
})
