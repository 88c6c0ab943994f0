/**
 * The server is killed repeatedly while it imports persons with photos: at the end every row is done exactly once and every photo was
 * embedded exactly once. The seed determines the moments.
 */
import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { addressOf } from '@gatehouse/contract'
import { csvOf } from '@gatehouse/contract/files'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { createClient, logIn } from '@gatehouse/dev-env/client'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { createSite } from '@gatehouse/dev-env/site'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { zipOf } from '@gatehouse/server/contexts/imports/testing/files'
import { scratchDatabase } from '@gatehouse/server/platform/postgres/scratch'
import { query } from '../support/embedded-postgres.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ADMIN, startServerProcess } from '../support/server-process.ts'
import { hastenTakeover } from '../support/takeover.ts'
import { until } from '../support/until.ts'
import { depth, SEED } from './depth.ts'

/** Enough that the import is still running at most of the kills. */
const ROWS = depth({ usual: 45, soak: 200 })
const KILLS = depth({ usual: 3, soak: 5 })
const KILLS_IN_THE_MIDST = depth({ usual: 2, soak: 3 })
/** Maximum delay of the kill after the moment that was waited for, in milliseconds. */
const LATEST_MS = 700
const LAST_LINES = 30
const say = (words: string) => process.stdout.write(`${words}\n`)

interface Numbers {
  persons: number
  finished: number
  used: number
  refused: number
  faces: number
  templates: number
  nobodys: number
}

test(`nothing is imported twice and nothing is lost, however often the server dies meanwhile, seed ${SEED}`, async () => {
  const random = randomOf(`${SEED} import`)
  const folder = scratchFolder()
  const database = await scratchDatabase()
  onTestFinished(database.drop)
  const { connectionString } = database
  mkdirSync(join(folder, 'logs'))
  const log = join(folder, 'logs', 'server.log')
  const dataDir = join(folder, 'server')
  const server = await startServerProcess({ connectionString, dataDir, log })
  onTestFinished(server.kill)
  onTestFinished(({ task }) => {
    if (task.result?.state === 'fail') say(`--- server.log\n${readFileSync(log, 'utf8').split('\n').slice(-LAST_LINES).join('\n')}`)
  })
  const { access_token: bearer } = await logIn(createClient(server.url), ADMIN)
  let number = 0
  const site = createSite({ url: server.url, bearer, park: { areaCode: '' } as never, next: () => ++number })
  const { id: groupId } = await site.personGroup()
  const { id } = await site.call(importCalls.create, { body: { groupId } })

  async function handIn(
    call: typeof importCalls.addRows | typeof importCalls.addPhotos,
    bytes: Uint8Array,
    filename: string,
  ): Promise<void> {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)]), filename)
    const response = await fetch(server.url + addressOf(call, { id }), {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}` },
      body: form,
    })
    expect(await response.json()).toMatchObject({ code: 0 })
  }
  const { people } = openPhotographs()
  /** Return photos that differ in every byte, of no more people than there are. */
  const photo = async (at: number): Promise<Buffer> =>
    sharp(await people[at % people.length]!.photo(1))
      .modulate({ brightness: 1 + (at % 9) / 200 })
      .jpeg({ quality: 88 + Math.floor(at / people.length) })
      .toBuffer()
  await handIn(
    importCalls.addRows,
    Buffer.from(
      csvOf([
        ['name', 'workNumber', 'phone'],
        ...Array.from({ length: ROWS }, (_, at) => [`Person ${at}`, `N${at}`, `13800${String(at).padStart(6, '0')}`]),
      ]),
    ),
    'people.csv',
  )
  await handIn(
    importCalls.addPhotos,
    zipOf(await Promise.all(Array.from({ length: ROWS }, async (_, at) => ({ name: `N${at}.jpg`, bytes: await photo(at) })))),
    'photos.zip',
  )
  expect(await site.call(importCalls.read, { params: { id } })).toMatchObject({ photos: ROWS, photosMatched: ROWS, rows: { create: ROWS } })

  const numbers = async (): Promise<Numbers> =>
    (
      await query<Numbers>(
        connectionString,
        `SELECT (SELECT count(*)::int FROM person) AS persons, (SELECT count(*)::int FROM person_import_row WHERE finished) AS finished,
          (SELECT count(*)::int FROM person_import_photo WHERE state = 'used') AS used, (SELECT count(*)::int FROM person_import_photo
            WHERE state = 'refused') AS refused,
          (SELECT count(*)::int FROM face WHERE person_id IS NOT NULL) AS faces, (SELECT count(*)::int
            FROM face_template) AS templates, (SELECT count(*)::int FROM face WHERE person_id IS NULL) AS nobodys`,
      )
    )[0]!

  await site.call(importCalls.start, { params: { id }, body: {} })
  let midst = 0
  for (let round = 1; round <= KILLS; round++) {
    const before = await numbers()
    const target = Math.min(ROWS, before.finished + Math.floor(random.between(1, ROWS / (KILLS + 2))))
    await until('the import to come so far', async () => (await numbers()).finished >= target, 300)
    await delay(Math.floor(random.between(0, LATEST_MS)))
    await server.kill()
    const after = await numbers()
    // At any moment, a person and the mark of their row exist together, or neither does.
    expect(after.persons).toBe(after.finished)
    expect(after.faces).toBe(after.used)
    if (after.finished < ROWS) midst++
    say(
      `seed ${SEED}, round ${round}: killed after ${after.finished} of ${ROWS} rows, ${after.nobodys} photographs embedded and ` +
        'not given yet',
    )
    await server.start()
    // The first takeover is waited for at both depths.
    if (round >= depth({ usual: 2, soak: Infinity })) await hastenTakeover(connectionString)
  }
  expect(midst).toBeGreaterThanOrEqual(KILLS_IN_THE_MIDST)
  const done = await until(
    'the import to end',
    async () => {
      const one = await site.call(importCalls.read, { params: { id } })
      return one.state === 'running' ? null : one
    },
    600,
  )
  expect(done).toMatchObject({
    state: 'done',
    rows: { create: ROWS, refused: 0 },
    work: { state: 'done', done: ROWS, total: ROWS, failed: 0 },
  })
  const end = await numbers()
  expect(end).toMatchObject({
    persons: ROWS,
    finished: ROWS,
    used: ROWS - end.refused,
    faces: ROWS - end.refused,
    templates: ROWS - end.refused,
    nobodys: 0,
  })
  const twice = await query<{ work_number: string }>(
    connectionString,
    'SELECT work_number FROM person GROUP BY work_number HAVING count(*) > 1',
  )
  expect(twice).toEqual([])
  const photos = await query<{ count: number }>(
    connectionString,
    'SELECT count(*)::int AS count FROM person WHERE face_count <> (SELECT count(*) FROM face WHERE face.person_id = person.id)',
  )
  expect(photos).toEqual([{ count: 0 }])
  expect(readdirSync(join(dataDir, 'received'))).toEqual([])
  say(`seed ${SEED}: ${end.persons} persons, ${end.templates} templates, ${end.refused} photographs refused`)
})
