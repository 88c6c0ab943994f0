/** Photos of an import: whose they are according to their names, which are accepted, and that each is analysed once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import sharp from 'sharp'
import { addressOf } from '@gatehouse/contract'
import { importCalls, type ImportRow, type PersonImport } from '@gatehouse/contract/imports/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { sql } from '../../platform/database/database.ts'
import { until } from '../../../../../tests/support/until.ts'
import { workbookOf, zipOf, type Cell, type ZipPart } from './testing/files.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

type Answered = { status: number; code: number; data: PersonImport & { fields?: { path: string; rule: string; params?: object }[] } }

async function begin(site: Site, more: { mode?: 'createOnly' | 'createAndChange' } = {}) {
  const group = await site.personGroup()
  const { id } = await site.call(importCalls.create, { body: { groupId: group.id, ...more } })
  const params = { id }
  async function handIn(
    call: typeof importCalls.addRows | typeof importCalls.addPhotos,
    bytes: Uint8Array,
    filename: string,
  ): Promise<Answered> {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)]), filename)
    const { bearer } = site.client.credentials as { bearer: string }
    const response = await fetch(site.client.url + addressOf(call, params), {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'accept-language': 'en' },
      body: form,
    })
    return { status: response.status, ...((await response.json()) as { code: number; data: Answered['data'] }) }
  }
  const read = () => site.call(importCalls.read, { params })
  return {
    params,
    group,
    read,
    sheet: (...rows: Cell[][]) => handIn(importCalls.addRows, workbookOf([['Name', 'Work no.'], ...rows]), 'people.xlsx'),
    zip: (...parts: ZipPart[]) => handIn(importCalls.addPhotos, zipOf(parts), 'photos.zip'),
    photo: (bytes: Uint8Array, filename: string) => handIn(importCalls.addPhotos, bytes, filename),
    rows: async (query: { outcome?: ImportRow['outcome']; withIssue?: number } = {}) =>
      (await site.call(importCalls.rows, { params, query: { size: 100, ...query } })).content,
    stray: async () => (await site.call(importCalls.strayPhotos, { params, query: { size: 100 } })).content,
    async run() {
      await site.call(importCalls.start, { params, body: {} })
      await until('the import to end', async () => (await read()).state !== 'running', 120)
      return read()
    },
  }
}

const issues = ({ issues: found }: Pick<ImportRow, 'issues'>) => found.map(({ field, code, rule }) => [field, code ?? rule])
const personsOf = async (site: Site) => (await site.call(peopleCalls.list, { query: { size: 100, sort: 'workNumber' } })).content
const numbersOf = async (park: string) => {
  const { rows } = await sql<{
    faces: number
    templates: number
    nobodys: number
  }>`SELECT count(DISTINCT face.id)::int AS faces, count(face_template.*)::int AS templates,
    count(*) FILTER (WHERE face.person_id IS NULL)::int AS nobodys
    FROM face LEFT JOIN face_template ON face_template.face_id = face.id WHERE face.park_id = ${park}::uuid`.execute(
    world.server.platform.db,
  )
  return rows[0]!
}
/** Return a picture without a face. */
const plain = (seed = 0) =>
  sharp({ create: { width: 120, height: 120, channels: 3, background: { r: seed % 256, g: 90, b: Math.floor(seed / 256) } } })
    .jpeg()
    .toBuffer()
/** The first bytes of a picture of an iPhone. */
const HEIC = Buffer.concat([
  Buffer.from([0, 0, 0, 0x18]),
  Buffer.from('ftypheic'),
  Buffer.from([0, 0, 0, 0]),
  Buffer.from('mif1heic'),
  Buffer.alloc(200),
])

describe.skipIf(openPhotographs().kind !== 'real')('real photographs', () => {
  let site: Site
  const people = ['colin_powell', 'kofi_annan', 'halle_berry', 'andre_agassi'] as const
  const photo = (identity: (typeof people)[number], number: number) => world.photographs.person(identity).photo(number)
  beforeAll(async () => {
    site = await world.addPark()
  })

  test('are matched by work number, whatever folder or archiver, made faces once, and those refused say why', async () => {
    const one = await begin(site)
    const odd = async (file: string) => (await world.photographs.odd(file))!
    await one.sheet(
      ['Colin', '1001'],
      ['Kofi', '1002'],
      ['Halle', 'A-1'],
      ['Cat', '1004'],
      ['Both', '1005'],
      ['Phone', '1006'],
      ['Big', '1007'],
      ['None', '1008'],
    )
    const { data } = await one.zip(
      { name: 'photos/a/1001.jpg', bytes: await photo('colin_powell', 1), deflate: true },
      { name: '../../1001_2.JPEG', bytes: await photo('colin_powell', 2) },
      // 照片\1002-1.jpg as Windows in China writes it.
      { name: Buffer.concat([Buffer.from([0xd5, 0xd5, 0xc6, 0xac]), Buffer.from('\\1002-1.jpg')]), bytes: await photo('kofi_annan', 1) },
      { name: 'A-1.jpg', bytes: await photo('halle_berry', 1) },
      { name: 'sub/', bytes: Buffer.alloc(0) },
      { name: '__MACOSX/._1001.jpg', bytes: Buffer.from('x') },
      { name: '.DS_Store', bytes: Buffer.from('x') },
      { name: '1004.jpg', bytes: await odd('noface_cat.jpg') },
      { name: '1005.jpg', bytes: await photo('andre_agassi', 1) },
      { name: '1005_2.jpg', bytes: await photo('kofi_annan', 2) },
      { name: '1006.heic', bytes: HEIC },
      { name: '1007.png', bytes: await odd('huge_144mp_flat.png'), deflate: true },
      { name: '9999.jpg', bytes: await photo('andre_agassi', 2) },
      { name: 'lies.jpg', bytes: Buffer.alloc(5000, 1), deflate: true, declaredSize: 100 },
    )
    expect(data).toMatchObject({ photos: 11, photosMatched: 9, rows: { create: 8 } })
    expect((await one.stray()).map(({ filename, reason, words }) => [filename, reason, words.slice(0, 26)])).toEqual([
      ['1006.heic', 'unreadable', 'This is a HEIC picture, wh'],
      ['1007.png', 'unreadable', expect.any(String)],
      ['9999.jpg', 'unknownNumber', 'No person has this work nu'],
      ['lies.jpg', 'unreadable', expect.any(String)],
    ])
    expect((await one.rows({ withIssue: 1 })).map((row) => [row.workNumber, ...issues(row)])).toEqual([
      ['1006', ['photo', 200205]],
      ['1007', ['photo', 200206]],
    ])
    const [first] = await one.rows()
    expect(first!.photos.map(({ filename }) => filename)).toEqual(['1001.jpg', '1001_2.JPEG'])
    expect((await fetch(world.url + first!.photos[0]!.thumbnail)).status).toBe(200)

    expect(await one.run()).toMatchObject({
      state: 'done',
      rows: { create: 8, refused: 0 },
      work: { done: 8, total: 8, failed: 0 },
      photosRefused: 5,
    })
    expect((await personsOf(site)).map(({ name, facePhotos }) => [name, facePhotos.length])).toEqual([
      ['Colin', 2],
      ['Kofi', 1],
      ['Cat', 0],
      ['Both', 1],
      ['Phone', 0],
      ['Big', 0],
      ['None', 0],
      ['Halle', 1],
    ])
    const rows = await one.rows({ withIssue: 1 })
    expect(rows.map((row) => [row.workNumber, row.outcome, row.finished, ...issues(row)])).toEqual([
      ['1004', 'create', true, ['photo', 200204]],
      ['1005', 'create', true, ['photo', 200203]],
      ['1006', 'create', true, ['photo', 200205]],
      ['1007', 'create', true, ['photo', 200206]],
    ])
    expect(rows[2]!.issues[0]).toMatchObject({ rule: 'heic', params: { filename: '1006.heic' } })
    expect((await fetch(world.url + (await one.rows())[0]!.photos[0]!.thumbnail)).status).toBe(200)
    // Five photos belong to persons; the sixth was embedded and belongs to no one.
    expect(await numbersOf(site.park.id)).toEqual({ faces: 6, templates: 6, nobodys: 1 })
    expect((await site.call(importCalls.photoBoard, { query: {} })).find(({ groupId }) => groupId === one.group.id)).toMatchObject({
      persons: 8,
      withoutPhoto: 4,
      parentId: null,
    })
  })

  test('handed in again they are known, and the board empties as the missing ones come', async () => {
    const again = await begin(site)
    expect((await again.zip({ name: '1001.jpg', bytes: await photo('colin_powell', 1) })).data).toMatchObject({
      photos: 1,
      photosMatched: 0,
    })
    expect((await again.stray()).map(({ filename, reason }) => [filename, reason])).toEqual([['1001.jpg', 'twice']])
    // For a registered person, without a spreadsheet: a third and a fourth photo.
    await again.photo(await photo('colin_powell', 3), '1001-3.jpg')
    await again.photo(await photo('colin_powell', 4), '1001-4.jpg')
    await again.photo(await photo('andre_agassi', 3), 'who.jpg')
    expect((await again.rows()).map(({ line, name, outcome }) => [line, name, outcome])).toEqual([[null, 'Colin', 'photo']])
    expect((await again.stray()).map(({ filename, reason }) => [filename, reason])).toEqual([
      ['1001-4.jpg', 'tooMany'],
      ['1001.jpg', 'twice'],
      ['who.jpg', 'unknownNumber'],
    ])
    const who = (await again.stray()).find(({ filename }) => filename === 'who.jpg')!
    await site.call(importCalls.assignPhoto, { params: again.params, body: { photoId: who.id, workNumber: '1004' } })
    expect(await again.run()).toMatchObject({ state: 'done', rows: { photo: 2 } })
    expect((await personsOf(site)).map(({ name, facePhotos }) => [name, facePhotos.length]).slice(0, 3)).toEqual([
      ['Colin', 3],
      ['Kofi', 1],
      ['Cat', 1],
    ])
    expect((await site.call(importCalls.photoBoard, { query: {} })).reduce((sum, { withoutPhoto }) => sum + withoutPhoto, 0)).toBe(3)
    // A row for a registered person adds its photos, and changes nothing else.
    const rows = await begin(site)
    await rows.photo(await photo('halle_berry', 2), 'A-1.jpg')
    await rows.sheet(['Halle B', 'A-1'], ['Kofi A', '1002'])
    expect((await rows.rows()).map((row) => [row.workNumber, row.outcome, ...issues(row)])).toEqual([
      ['A-1', 'photo'],
      ['1002', 'refused', ['workNumber', 200215]],
    ])
    await rows.run()
    expect((await personsOf(site)).find(({ workNumber }) => workNumber === 'A-1')).toMatchObject({
      name: 'Halle',
      facePhotos: [expect.any(String), expect.any(String)],
    })
  })

  test('an import that is ended stops at once and goes on when it is started again', async () => {
    const park = await world.addPark()
    const one = await begin(park)
    const shots = await Promise.all(people.map((identity) => photo(identity, 1)))
    await one.sheet(...Array.from({ length: 40 }, (_, at): Cell[] => [`P${at}`, `${at}`]))
    await one.zip(...Array.from({ length: 40 }, (_, at): ZipPart => ({ name: `${at}.jpg`, bytes: shots[at % shots.length]! })))
    await park.call(importCalls.start, { params: one.params, body: {} })
    expect((await park.call(importCalls.read, { params: one.params })).can).toEqual({
      change: false,
      start: false,
      cancel: true,
      delete: false,
    })
    expect(await park.ask(importCalls.delete, { params: one.params })).toMatchObject({ code: 900109 })
    expect((await one.sheet(['Late', '99'])).status).toBe(400)
    await until('the first rows', async () => ((await one.read()).work?.done ?? 0) >= 3, 60)
    const ended = await park.call(importCalls.cancel, { params: one.params, body: {} })
    expect(ended).toMatchObject({ state: 'cancelled', work: { state: 'cancelled', total: 40 } })
    expect(ended.can).toEqual({ change: true, start: ended.open > 0, cancel: false, delete: true })
    const done = (await one.rows()).filter(({ finished }) => finished).length
    expect(await personsOf(park)).toHaveLength(done)
    expect(done).toBeLessThan(40)
    expect(await one.run()).toMatchObject({ state: 'done', rows: { create: 40 } })
    expect((await personsOf(park)).every(({ facePhotos }) => facePhotos.length === 1)).toBe(true)
    expect(await numbersOf(park.park.id)).toEqual({ faces: 40, templates: 40, nobodys: 0 })
    const { rows: files } = await sql<{
      kept: number
    }>`SELECT count(*)::int AS kept FROM file WHERE park_id = ${park.park.id}::uuid AND use = 'capture' AND kept`.execute(
      world.server.platform.db,
    )
    expect(files[0]!.kept).toBe(0)
  }, 180_000)
})

describe('a zip that is not taken', () => {
  let one: Awaited<ReturnType<typeof begin>>
  beforeAll(async () => {
    one = await begin(await world.addPark())
  })
  const rules = ({ data }: Answered) => data.fields?.map(({ path, rule }) => [path, rule])

  test('holds more than 1,000 pictures [VAL-224]', { tags: 'extended' }, async () => {
    const picture = await plain()
    const parts = (count: number) => Array.from({ length: count }, (_, at): ZipPart => ({ name: `${at}.jpg`, bytes: picture }))
    expect(await one.zip(...parts(1001))).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'file', rule: 'zipPictures', params: { limit: 1000, count: 1001 } }] },
    })
    expect((await one.read()).photos).toBe(0)
    // Files of the archiver do not count.
    const { data } = await one.zip(...parts(1000), { name: '__MACOSX/._1.jpg', bytes: picture })
    expect(data.photos).toBe(1000)
  })

  test('is larger than 300 MB [VAL-217]', { tags: 'extended' }, async () => {
    expect((await one.photo(Buffer.alloc(300 * 1_048_576 + 1), 'a.zip')).status).toBe(413)
  })

  test('is protected, broken, or unpacks to more than can be', async () => {
    expect(rules(await one.zip({ name: '1.jpg', bytes: await plain(), encrypted: true }))).toEqual([['file', 'zipEncrypted']])
    expect(rules(await one.photo(zipOf([{ name: '1.jpg', bytes: await plain() }]).subarray(0, 200), 'a.zip'))).toEqual([
      ['file', 'zipUnreadable'],
    ])
    const many = Array.from({ length: 200 }, (_, at): ZipPart => ({
      name: `b${at}.jpg`,
      bytes: Buffer.alloc(10),
      declaredSize: 9_000_000,
      deflate: true,
    }))
    expect(rules(await one.zip(...many))).toEqual([['file', 'zipTooLarge']])
  })

  test('a picture alone is answered at once: HEIC with 200205 and a hint', async () => {
    expect(await one.photo(HEIC, '1.heic')).toMatchObject({ status: 200, code: 200205, data: { fields: [{ path: 'file', rule: 'heic' }] } })
    expect(await one.photo(Buffer.from('no picture'), '1.jpg')).toMatchObject({ status: 200, code: 200205 })
    expect(await one.photo(Buffer.alloc(10 * 1_048_576 + 1, await plain()), '1.jpg')).toMatchObject({ status: 200, code: 200206 })
  })
})
