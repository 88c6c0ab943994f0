import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PhotoRefusal } from '@gatehouse/face-engine'
import { expect, onTestFinished, test } from 'vitest'
import { MODEL, scratchFolder, until } from '../device/testing/folder.ts'
import { dropMeta, readMeta, writeMeta } from '../store/meta.ts'
import { openStore } from '../store/store.ts'
import type { Capture } from './capture.ts'
import { takeFolder, type PictureFolderParts } from './folder.ts'
import { templateOf } from './testing/painted.ts'

/** What is on the disk of a camera: captures as `picture#face`, and the mark. */
interface Disk {
  captures: string[]
  mark: string | null
}

const captureOf = (name: string): Capture & { name: string } => ({
  name,
  enteredAt: 0,
  capturedAt: 0,
  leftAt: 0,
  quality: 1,
  faceWidth: 50,
  embedding: templateOf('red'),
  picture: new Uint8Array(),
})

/** Take a folder whose files say how many faces they show. */
function start(folder: string, disk: Disk, parts: Partial<PictureFolderParts> = {}) {
  const log: string[] = []
  const taking = takeFolder({
    folder,
    async capturesOf(picture) {
      const text = Buffer.from(picture).toString()
      if (text.startsWith('broken')) throw new PhotoRefusal('unreadable', {})
      const [name, count] = text.split(' ')
      return Array.from({ length: Number(count) }, (_, face) => captureOf(`${name}#${face + 1}`))
    },
    take(capture, mark) {
      disk.captures.push((capture as Capture & { name: string }).name)
      disk.mark = mark
    },
    mark: {
      read: () => disk.mark,
      clear: () => void (disk.mark = null),
    },
    keepsTaken: () => true,
    every: 10,
    log: (sentence) => void log.push(sentence),
    ...parts,
  })
  onTestFinished(taking.stop)
  return { log, stop: taking.stop }
}

const write = (folder: string, name: string, text: string) => writeFileSync(join(folder, name), text)
const waiting = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.jpg'))

test('takes pictures in the order of their names, each once, and moves them', async () => {
  const [folder, disk]: [string, Disk] = [scratchFolder(), { captures: [], mark: null }]
  for (const [name, text] of [
    ['10.jpg', 'ten 1'],
    ['9.jpg', 'nine 2'],
    ['2.JPG', 'two 0'],
    ['note.txt', 'none 5'],
  ] as const)
    write(folder, name, text)
  start(folder, disk)
  await until('two pictures are taken', () => disk.captures.length === 3)
  expect(disk.captures).toEqual(['nine#1', 'nine#2', 'ten#1'])
  // Later pictures come too, also under a name that was there before.
  write(folder, '9.jpg', 'again 1')
  await until('it is taken', () => waiting(folder).length === 0 && disk.captures.length === 4)
  expect(readdirSync(join(folder, 'taken')).toSorted()).toEqual(['10.jpg', '2.JPG', '9-2.jpg', '9.jpg'])
  expect(existsSync(join(folder, 'note.txt'))).toBe(true)
})

test('what is no picture is set aside, and stops nothing', async () => {
  const [folder, disk]: [string, Disk] = [scratchFolder(), { captures: [], mark: null }]
  write(folder, '1.jpg', 'broken')
  write(folder, '2.jpg', 'two 1')
  const { log } = start(folder, disk)
  await until('the other one is taken', () => disk.captures.length === 1)
  expect(readdirSync(join(folder, 'refused'))).toEqual(['1.jpg'])
  expect(log.join()).toContain('1.jpg is no picture')
})

test('a camera that ends between two faces of a picture takes the others after the restart, and none twice', async () => {
  const [folder, disk]: [string, Disk] = [scratchFolder(), { captures: ['before#1'], mark: null }]
  write(folder, '1.jpg', 'one 3')
  write(folder, '2.jpg', 'two 1')
  const ending = start(folder, disk, {
    take(capture, mark) {
      if (disk.captures.length === 3) throw new Error('killed')
      disk.captures.push((capture as Capture & { name: string }).name)
      disk.mark = mark
    },
  })
  await until('it is killed', () => ending.log.some((sentence) => sentence.includes('killed')))
  await ending.stop()
  expect(disk.captures).toEqual(['before#1', 'one#1', 'one#2'])

  start(folder, disk)
  await until('all are taken', () => waiting(folder).length === 0)
  expect(disk.captures).toEqual(['before#1', 'one#1', 'one#2', 'one#3', 'two#1'])
})

test('a camera that ends before a taken picture is moved does not take it again', async () => {
  const [folder, disk]: [string, Disk] = [scratchFolder(), { captures: [], mark: null }]
  write(folder, '1.jpg', 'one 2')
  const ending = start(folder, disk, {
    take(capture, mark) {
      disk.captures.push((capture as Capture & { name: string }).name)
      disk.mark = mark
      if (disk.captures.length === 2) throw new Error('killed before it was moved')
    },
  })
  await until('it is killed', () => ending.log.length > 0)
  await ending.stop()
  start(folder, disk)
  await until('it is moved', () => waiting(folder).length === 0)
  expect(disk.captures).toEqual(['one#1', 'one#2'])
})

test('a camera that ends between two faces loses none when all captures before were sent more than a week ago', async () => {
  let now = 1_790_000_000_000
  const [folder, dataFolder] = [scratchFolder(), scratchFolder()]
  const open = () => openStore({ folder: dataFolder, code: 'CAM-1', model: MODEL, clock: () => now })
  let store = open()
  onTestFinished(() => store.close())
  const stored: string[] = []
  let endsAfter = Infinity
  /** Take the folder as the program does: captures and mark in one store. */
  const startHere = () =>
    start(
      folder,
      { captures: [], mark: null },
      {
        take(capture, mark) {
          if (stored.length === endsAfter) throw new Error('killed')
          const { name, enteredAt, capturedAt, leftAt, quality, faceWidth } = capture as Capture & { name: string }
          const item = { enteredAt, capturedAt, leftAt, quality, faceWidth, template: null, modelId: '' }
          store.numbered.append('capture', item, undefined, () => writeMeta(store.database, 'mark', mark))
          stored.push(name)
        },
        mark: { read: () => readMeta(store.database, 'mark'), clear: () => dropMeta(store.database, 'mark') },
      },
    )
  write(folder, '1.jpg', 'one 4')
  const first = startHere()
  await until('the first picture is taken', () => waiting(folder).length === 0)
  store.numbered.settle('capture', store.numbered.epoch('capture')!, 4)
  now += 8 * 86_400_000
  store.prune()
  expect(store.numbered.latest('capture', 1), 'nothing is left of them').toEqual([])

  endsAfter = 5
  write(folder, '2.jpg', 'two 3')
  await until('it is killed', () => first.log.some((sentence) => sentence.includes('killed')))
  await first.stop()
  store.close()
  store = open()
  endsAfter = Infinity
  const second = startHere()
  await until('the second picture is taken', () => waiting(folder).length === 0)
  await second.stop()
  expect(stored).toEqual(['one#1', 'one#2', 'one#3', 'one#4', 'two#1', 'two#2', 'two#3'])
  expect(store.numbered.waiting('capture', 10)?.items.map(({ seq }) => seq)).toEqual([5, 6, 7])
})

test('a folder that is not there is refused at the start', () => {
  expect(() => start(join(scratchFolder(), 'missing'), { captures: [], mark: null })).toThrow(
    /--folder .*missing cannot be read and written/,
  )
})
