import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { createKeptFiles } from './kept-file.ts'

const PIECE = 2 * 1_048_576
const SIZE = 5 * 1_048_576 + 17

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const files = () => createKeptFiles(world.server.platform.storage)
const scope = () => ({ parkId: world.park.id })
const noted = async (): Promise<void> => {}
/** In pieces of no even size. */
const streamOf = (bytes: Buffer): Readable =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += 60_001) yield bytes.subarray(at, at + 60_001)
    })(),
  )
const pieceOf = (id: string): Promise<Buffer | null> => world.server.platform.storage.load(scope(), id, 'full')

test('a large file comes back as it was, whole and in any part', async () => {
  const bytes = randomBytes(SIZE)
  const file = await files().write(scope(), streamOf(bytes), noted)
  expect([file.size, file.fileIds.length]).toEqual([SIZE, 3])
  await world.server.platform.transaction((tx) => files().keep(tx, scope(), file.fileIds))
  const { size, read } = files().open(scope(), file)
  expect(size).toBe(SIZE)
  for (const [start, end] of [
    [0, SIZE],
    [0, 1],
    [PIECE - 1, PIECE + 1],
    [PIECE, 2 * PIECE],
    [PIECE + 5, SIZE],
    [SIZE - 1, SIZE],
  ] as const)
    expect((await buffer(read(start, end))).equals(bytes.subarray(start, end)), `${start} to ${end}`).toBe(true)
})

test('tells its pieces as they are on disk, and leaves none where the stream or whoever is told breaks off', async () => {
  const reportedIds: string[][] = []
  const broken = Readable.from(
    (async function* () {
      yield randomBytes(PIECE + 1)
      throw new Error('the source broke')
    })(),
  )
  await expect(files().write(scope(), broken, async (ids) => void reportedIds.push([...ids]))).rejects.toThrow('the source broke')
  expect(reportedIds).toHaveLength(1)
  expect(await pieceOf(reportedIds[0]![0]!)).toBeNull()

  const source = streamOf(randomBytes(SIZE))
  await expect(
    files().write(scope(), source, async (ids) => {
      reportedIds.push([...ids])
      if (ids.length === 2) throw new Error('nobody wants it')
    }),
  ).rejects.toThrow('nobody wants it')
  expect(source.destroyed).toBe(true)
  expect(await Promise.all(reportedIds.at(-1)!.map(pieceOf))).toEqual([null, null])
})

test('is of its park alone', async () => {
  const other = await world.addPark()
  const { fileIds } = await files().write(scope(), streamOf(Buffer.from('of this park')), noted)
  await expect(world.server.platform.storage.load({ parkId: other.park.id }, fileIds[0]!, 'full')).rejects.toThrow('authenticate')
  await files().discard(fileIds)
  expect(await pieceOf(fileIds[0]!)).toBeNull()
})
