/** Limits on what uploads may store on the disk. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { uploadCalls } from '@gatehouse/contract/system/upload'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { drawnFace } from '../../../../../tests/support/fixtures.ts'
import { flatPng } from '../../../../../tests/support/pictures.ts'
import { linkTokenIn } from '../../../../../tests/support/cases/enrolment.ts'

const GIBIBYTE = 1024 ** 3
const ROOMY = { free: 500 * GIBIBYTE, total: 1000 * GIBIBYTE }

let world: World
let face: Buffer
let picture: Uint8Array
let space = ROOMY
beforeAll(async () => {
  world = await startWorld({ space: async () => space })
  face = await drawnFace()
  picture = await flatPng(64, 64)
})
afterAll(() => world?.stop())
beforeEach(() => {
  space = ROOMY
})

const upload = (client: Client) => client.ask(uploadCalls.uploadImage, { body: { use: 'logo' }, file: picture })
const hindered = (rule: string) => ({ status: 409, code: 409, data: { fields: [{ path: 'file', rule }] } })
/** Make the files that count against a share as many or as large as requested. */
async function stretch(change: { files?: number; bytes?: number }): Promise<void> {
  if (change.bytes !== undefined)
    await query(world.connectionString, 'UPDATE file SET size = $1 WHERE uploaded_by IS NOT NULL', [change.bytes])
  if (change.files !== undefined)
    await query(
      world.connectionString,
      `INSERT INTO file (id, park_id, use, content_type, kept, created_at, uploaded_by, size)
       SELECT gen_random_uuid(), park_id, use, content_type, kept, created_at, uploaded_by, size
         FROM file, generate_series(1, $1) WHERE uploaded_by IS NOT NULL`,
      [change.files - 1],
    )
}
beforeEach(() => query(world.connectionString, 'UPDATE file SET uploaded_by = NULL'))

describe('a user who uploads and leaves', () => {
  test.each([
    ['files', { files: 20_000 }],
    ['bytes', { bytes: 1024 * 1_048_576, files: 2 }],
  ])('is refused after a share of %s, in words; others are not, nor they themselves a day later', async (_, change) => {
    const [one, other] = [await world.session({ permissions: ['screen'] }), await world.session({ permissions: ['screen'] })]
    expect(await upload(one)).toMatchObject({ status: 200, code: 0 })
    await stretch(change)
    const refused = await upload(one)
    expect(refused).toMatchObject(hindered('uploadShare'))
    expect(refused.message).toBe('You have uploaded 20000 files or 2048 MB today that nothing uses yet. Use them, or go on tomorrow.')
    expect(await one.ask(faceCalls.cache, { body: {}, file: face })).toMatchObject(hindered('uploadShare'))
    expect(await upload(other)).toMatchObject({ status: 200, code: 0 })
    await query(world.connectionString, `UPDATE file SET created_at = created_at - interval '1 day' WHERE uploaded_by IS NOT NULL`)
    expect(await upload(one)).toMatchObject({ status: 200, code: 0 })
  })

  test('is not held up by photographs that have become somebody’s', async () => {
    const counted = () => query(world.connectionString, `SELECT 1 FROM file WHERE uploaded_by IS NOT NULL`)
    await world.call(faceCalls.cache, { body: {}, file: face })
    expect(await counted()).toHaveLength(1)
    await world.person({ photo: face })
    expect(await counted()).toHaveLength(1)
  })
})

test('a link has a share, whoever uses it, and what was handed in goes on counting', async () => {
  const linkToken = await linkTokenIn({ world, site: world })
  const submit = () =>
    world.client.as(null).ask(enrolmentCalls.submit, { body: { name: 'Visiting Vera', workNumber: 'V1' }, file: face, linkToken })
  expect(await submit()).toMatchObject({ status: 200, code: 0 })
  expect(await query(world.connectionString, `SELECT kept FROM file WHERE uploaded_by LIKE 'link %'`)).toEqual([{ kept: true }])
  await query(
    world.connectionString,
    `INSERT INTO file (id, park_id, use, content_type, kept, created_at, uploaded_by, size)
    SELECT gen_random_uuid(), park_id, 'face', 'image/webp', true, now(), 'link ' || id, 1073741824
      FROM enrolment_link, generate_series(1, 2)`,
  )
  expect(await submit()).toMatchObject(hindered('uploadShareLink'))
})

describe('a disk that is nearly full', () => {
  test.each([
    ['with less than a gibibyte left', { free: GIBIBYTE, total: 1000 * GIBIBYTE }],
    ['a small one with less than a twentieth left', { free: 0.4 * GIBIBYTE, total: 10 * GIBIBYTE }],
  ])('%s takes no uploads of people', async (_, full) => {
    space = full
    const refused = await upload(world.client)
    expect(refused).toMatchObject(hindered('diskFull'))
    expect(refused.message).toBe("The server's disk is nearly full, so nothing more can be uploaded. Tell your administrator.")
  })

  test('that is small takes them down to a twentieth', async () => {
    space = { free: 0.6 * GIBIBYTE, total: 10 * GIBIBYTE }
    expect(await upload(world.client)).toMatchObject({ status: 200, code: 0 })
  })
})
