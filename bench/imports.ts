/**
 * Measures an import of persons with photos on two workers, compared with the same workers embedding and re-encoding the same photos bare:
 * every seventh of them, before the import and after it. `IMPORT_ROWS=5000` for the full size; default 1,000.
 */
import sharp from 'sharp'
import { addressOf } from '@gatehouse/contract'
import { csvOf } from '@gatehouse/contract/files'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { startWorld } from '@gatehouse/dev-env/world'
import { FacePool, PhotoRefusal } from '@gatehouse/face-engine'
import { zipOf } from '@gatehouse/server/contexts/imports/testing/files'
import type { BenchResult } from './result.ts'
import { settings } from './settings.ts'

const WORKERS = 2
/** Pictures per zip, as the call accepts them. */
const ZIP_PICTURES = 1000
/** Photos of the bare run at a time: as many as the import processes. */
const HANDS = WORKERS + 2
const LOOK_EVERY_MS = 200
/** The bare runs take one photo of this many; the cycle of the persons has another length, so that all of them are included. */
const BARE_SHARE = 7

/** Encode a photo bare, in the same way as storage does. */
async function encoded(photo: Uint8Array): Promise<void> {
  const picture = sharp(photo).autoOrient()
  await Promise.all([
    picture.clone().resize(96, 96, { fit: 'cover' }).webp({ quality: 80 }).toBuffer(),
    picture.clone().resize(320, 320, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 82 }).toBuffer(),
    picture.clone().resize(1600, 1600, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 88 }).toBuffer(),
  ])
}

/** Return the seconds engine and encoder take for all of them. */
async function bare(pool: FacePool, photos: readonly Uint8Array[]): Promise<number> {
  const start = performance.now()
  const waiting = photos.values()
  const hand = async (): Promise<void> => {
    for (const photo of waiting) {
      try {
        await pool.analyse(photo)
        await encoded(photo)
      } catch (error) {
        if (!(error instanceof PhotoRefusal)) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: HANDS }, hand))
  return (performance.now() - start) / 1000
}

export async function run(): Promise<BenchResult[]> {
  const rows = settings.IMPORT_ROWS
  const { people } = openPhotographs()
  const sources = await Promise.all(people.map((person) => person.photo(1)))
  const photos: Buffer[] = []
  for (let at = 0; at < rows; at++)
    photos.push(
      await sharp(sources[at % sources.length])
        .modulate({ brightness: 1 + (Math.floor(at / sources.length) % 90) / 1000 })
        .jpeg({ quality: 90 })
        .toBuffer(),
    )

  const facePool = new FacePool({ workers: WORKERS })
  const world = await startWorld({ facePool, checkAnswers: false, config: { faceWorkers: WORKERS } })
  try {
    await Promise.all(sources.slice(0, 2 * WORKERS).map((photo) => facePool.analyse(photo).catch(() => null)))
    const sample = photos.filter((_, at) => at % BARE_SHARE === 0)
    const first = await bare(facePool, sample)
    const { id: groupId } = await world.personGroup()
    const { id } = await world.call(importCalls.create, { body: { groupId } })
    const { bearer } = world.client.credentials as { bearer: string }
    const handIn = async (
      call: typeof importCalls.addRows | typeof importCalls.addPhotos,
      bytes: Uint8Array,
      filename: string,
    ): Promise<void> => {
      const form = new FormData()
      form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), filename)
      const response = await fetch(world.url + addressOf(call, { id }), {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}` },
        body: form,
      })
      if (response.status !== 200) throw new Error(`${filename} is answered with ${response.status}: ${await response.text()}`)
    }
    const sheet = csvOf([['name', 'workNumber'], ...photos.map((_, at) => [`Person ${at}`, `N${at}`])])
    const uploading = performance.now()
    await handIn(importCalls.addRows, Buffer.from(sheet), 'people.csv')
    for (let from = 0; from < rows; from += ZIP_PICTURES)
      await handIn(
        importCalls.addPhotos,
        zipOf(photos.slice(from, from + ZIP_PICTURES).map((bytes, at) => ({ name: `N${from + at}.jpg`, bytes }))),
        'photos.zip',
      )
    const uploaded = (performance.now() - uploading) / 1000

    const before = process.memoryUsage.rss()
    let peak = before
    const start = performance.now()
    await world.call(importCalls.start, { params: { id }, body: {} })
    const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), LOOK_EVERY_MS)
    let one = await world.call(importCalls.read, { params: { id } })
    while (one.state === 'running') {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      one = await world.call(importCalls.read, { params: { id } })
    }
    clearInterval(timer)
    const seconds = (performance.now() - start) / 1000
    if (one.state !== 'done' || one.rows.create !== rows) throw new Error(`the import ended as ${JSON.stringify(one)}`)
    // Once more after the import, so that other load of the machine affects both.
    const second = await bare(facePool, sample)
    const bareRate = (2 * sample.length) / (first + second)
    return [
      {
        name: `${rows} rows with a photograph each: the run`,
        value: seconds,
        unit: 's',
        ratioTo: 'embedding and re-encoding bare',
        ratio: (seconds * bareRate) / rows,
        goal: 1.25,
      },
      { name: 'rows of the run', value: rows / seconds, unit: '1/s' },
      { name: 'photographs bare', value: bareRate, unit: '1/s' },
      { name: 'handing the files in, with the preview', value: uploaded, unit: 's' },
      { name: 'memory beyond that at the start, at most', value: (peak - before) / 1e6, unit: 'MB', goal: 150 },
      { name: 'photographs the engine refused', value: one.photosRefused, unit: '' },
    ]
  } finally {
    await world.stop()
    await facePool.close()
  }
}
