/** Voice prompts and screen savers: which files are accepted, how they are stored, and when they are deleted. */
import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import type { Answer } from '@gatehouse/dev-env/client'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { flatPng } from '../../../../../tests/support/pictures.ts'
import { sound } from './testing/files.ts'

const { upload, changePark, file } = configurationCalls
const DAY = 86_400_000

let world: World
let offset = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + offset } })
})
afterAll(() => world?.stop())

const store = (kind: 'voice' | 'screenSaver', bytes: Uint8Array, site: Site = world) => site.ask(upload, { body: { kind }, file: bytes })
const issuesOf = (answer: Answer) => (answer.data as { fields?: { path: string; rule: string }[] } | undefined)?.fields ?? []

test('a screen saver is a PNG by its bytes; a renamed picture, a torso and a bomb are refused', async () => {
  const jpeg = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  const webp = await sharp(jpeg).webp().toBuffer()
  const png = await sharp(jpeg).png().toBuffer()
  expect(await store('screenSaver', png)).toMatchObject({ status: 200, code: 0, data: { kind: 'screenSaver', size: png.length } })
  const headless = Buffer.concat([png.subarray(0, 8), jpeg])
  for (const [name, bytes] of Object.entries({
    jpeg,
    webp,
    headless,
    torso: png.subarray(0, 60),
    nothing: Buffer.alloc(0),
    empty: flatPng(0, 5),
  }))
    expect(issuesOf(await store('screenSaver', bytes)), name).toEqual([{ path: 'file', rule: 'nativePng' }])
  expect(issuesOf(await store('screenSaver', flatPng(30_000, 30_000)))).toMatchObject([{ path: 'file', rule: 'pixels' }])
  expect(issuesOf(await world.ask(upload, { body: { kind: 'screenSaver' } }))).toEqual([{ path: 'file', rule: 'required' }])
})

test('where fifty screen savers wait to be opened, the next is refused as too busy', { tags: 'extended' }, async () => {
  // Each takes far longer to decode than to send.
  const large = flatPng(8_000, 7_000)
  const answers = await Promise.all(Array.from({ length: 150 }, () => store('screenSaver', large)))
  const codes = answers.map(({ code }) => code)
  expect(codes.filter((code) => code === 0).length).toBeGreaterThan(50)
  expect(new Set(codes)).toEqual(new Set([0, 900000]))
})

test('a sound larger than two minutes is refused as too large', async () => {
  const answer = await store('voice', sound({ frames: 5100 }))
  expect([answer.status, issuesOf(answer)]).toEqual([413, [{ path: 'file', rule: 'max.file', params: { limit: 2 * 1_048_576 } }]])
})

test('files stand encrypted on the disk and are handed to those who set up the park', async () => {
  const marked = Buffer.concat([sound(), Buffer.from('a marker nobody else writes')])
  const { data } = await store('voice', marked)
  const folder = join(world.dataDir, 'files')
  const stored = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name.includes(data.id),
  )
  expect(stored).toHaveLength(1)
  expect(readFileSync(join(stored[0]!.parentPath, stored[0]!.name)).includes('a marker nobody else writes')).toBe(false)
  expect((await world.ask(file, { params: { id: data.id } })).status).toBe(200)
  expect((await (await world.addPark()).ask(file, { params: { id: data.id } })).status).toBe(404)
})

test('a file whose bytes are gone from the disk is not found, and is no fault of the server', async () => {
  const { data } = await store('voice', sound())
  rmSync(join(world.dataDir, 'files', data.id.slice(-2), `${data.id}.full`))
  expect(await world.ask(file, { params: { id: data.id } })).toMatchObject({ status: 404, code: 404 })
})

test('a file that no setting names is dropped after a day, one that a template or the park names stays', async () => {
  const site = await world.addPark()
  const made = async () => (await store('screenSaver', flatPng(16, 9), site)).data.id
  const [unused, ofPark, ofTemplate] = [await made(), await made(), await made()]
  await site.call(changePark, { body: { settings: { screenSaver: ofPark } } })
  await site.call(configurationCalls.addTemplate, {
    body: { name: 'Foyer', deviceType: 3, model: 4, settings: { screenSaver: ofTemplate } },
  })
  const job = world.server.contexts.configuration.jobs!.find(({ name }) => name === 'configuration.dropUnusedFiles')!
  const there = async () => Promise.all([unused, ofPark, ofTemplate].map(async (id) => (await site.ask(file, { params: { id } })).status))
  await job.run()
  expect(await there()).toEqual([200, 200, 200])
  offset = DAY + 1
  await job.run()
  // No session lasts that long.
  offset = 0
  expect(await there()).toEqual([404, 200, 200])
  await world.server.platform.storage.sweep()
  expect(readdirSync(join(world.dataDir, 'files'), { recursive: true }).filter((name) => String(name).includes(unused))).toEqual([])
})
