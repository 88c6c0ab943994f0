import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import type { NewItem } from '../device/numbered.ts'
import { MODEL, scratchFolder } from '../device/testing/folder.ts'
import { learnNumbered } from './learning-numbered.ts'
import { MIGRATIONS } from './database.ts'
import { readMeta, writeMeta } from './meta.ts'
import { openStore, type StoreOptions, type TerminalStore } from './store.ts'

const DAY = 86_400_000

function open(folder: string, change: Partial<StoreOptions> = {}): TerminalStore {
  const store = openStore({ folder, code: 'GATE-1', model: MODEL, ...change })
  onTestFinished(() => {
    try {
      store.close()
    } catch {
      // Closed by the test.
    }
  })
  return store
}

const FORCED: NewItem<'event'> = { kind: 'forced', occurredAt: 1_790_000_000_000, endOf: null }
const capture = (change: Partial<NewItem<'capture'>> = {}): NewItem<'capture'> => ({
  enteredAt: 1,
  capturedAt: 2,
  leftAt: 3,
  quality: 0.5,
  faceWidth: 120,
  template: null,
  modelId: 'model-1',
  ...change,
})
const numbersOf = (store: TerminalStore, kind: 'event' | 'capture' = 'event') =>
  store.numbered.waiting(kind, 100)?.items.map(({ seq }) => seq) ?? []

test('numbers each kind from 1 without gaps, over restarts too, and a refused item uses no number', () => {
  const folder = scratchFolder()
  const store = open(folder)
  const first = store.numbered.append('event', FORCED)
  expect(() => store.numbered.append('event', { ...FORCED, occurredAt: -1 })).toThrow(/occurredAt/)
  expect(store.numbered.append('event', FORCED)).toEqual({ epoch: first.epoch, seq: 2 })
  expect(store.numbered.append('capture', capture()).seq).toBe(1)
  store.close()
  const again = open(folder)
  expect(again.numbered.append('event', FORCED)).toEqual({ epoch: first.epoch, seq: 3 })
  expect(numbersOf(again)).toEqual([1, 2, 3])
  expect(numbersOf(again, 'capture')).toEqual([1])
  expect([again.numbered.length('event'), again.numbered.length('capture')]).toEqual([3, 1])
})

test('what is written with an item is stored with it, or neither is', () => {
  const store = open(scratchFolder())
  const write = (value: string) => () => writeMeta(store.database, 'mark', value)
  store.numbered.append('event', FORCED, undefined, write('first'))
  expect(() => store.numbered.append('event', { ...FORCED, occurredAt: -1 }, undefined, write('second'))).toThrow(/occurredAt/)
  expect([readMeta(store.database, 'mark'), numbersOf(store)]).toEqual(['first', [1]])
})

test('asks about no epoch before the first item, and about those with items afterwards', () => {
  const store = open(scratchFolder())
  expect(store.numbered.questions('event')).toEqual([])
  const { epoch } = store.numbered.append('event', FORCED)
  expect(store.numbered.questions('event')).toEqual([{ epoch, oldestSeq: 1, items: [] }])
  expect(store.numbered.questions('capture')).toEqual([])
})

test('what is acknowledged stays for seven days, and the numbers go on after it is gone', () => {
  let now = 1_790_000_000_000
  const store = open(scratchFolder(), { clock: () => now })
  const { epoch } = store.numbered.append('event', FORCED, Buffer.from('picture'))
  store.numbered.append('event', FORCED)
  expect(store.numbered.settle('event', epoch, 1)).toBe('agreed')
  store.numbered.pictureSent('event', { epoch, seq: 1 })
  now += 6.9 * DAY
  store.prune()
  expect(store.numbered.questions('event')).toEqual([{ epoch, oldestSeq: 1, items: [] }])
  now += 0.2 * DAY
  store.prune()
  expect(store.numbered.waiting('event', 10)).toMatchObject({ epoch, oldestSeq: 2, items: [{ seq: 2 }] })
  store.numbered.settle('event', epoch, 2)
  now += 8 * DAY
  store.prune()
  expect(store.numbered.questions('event')).toEqual([{ epoch, oldestSeq: 3, items: [] }])
  expect(store.numbered.append('event', FORCED)).toEqual({ epoch, seq: 3 })
})

test('a server restored from a backup is sent again what it lost, with the pictures sent since then', () => {
  const store = open(scratchFolder())
  const { epoch } = store.numbered.append('event', FORCED)
  const withPicture = store.numbered.append('event', FORCED, Buffer.from('a picture'))
  store.numbered.append('event', FORCED)
  store.numbered.settle('event', epoch, 3)
  expect(store.numbered.nextPicture('event')).toEqual({ ...withPicture, image: Buffer.from('a picture') })
  store.numbered.pictureSent('event', withPicture)
  expect(store.numbered.nextPicture('event')).toBeNull()
  expect(store.numbered.settle('event', epoch, 1)).toBe('resending')
  expect(numbersOf(store)).toEqual([2, 3])
  expect(store.numbered.nextPicture('event'), 'not before its item').toBeNull()
  store.numbered.settle('event', epoch, 3)
  expect(store.numbered.nextPicture('event')).toMatchObject(withPicture)
})

test('a store restored from a backup numbers anew once the server has more than it made', () => {
  const store = open(scratchFolder())
  const { epoch } = store.numbered.append('event', FORCED)
  store.numbered.settle('event', epoch, 1)
  const waiting = store.numbered.append('event', FORCED, Buffer.from('a picture'))
  store.numbered.append('event', { ...FORCED, endOf: waiting.seq })
  store.numbered.append('event', { ...FORCED, endOf: 1 })
  expect(store.numbered.settle('event', epoch, 9)).toBe('newEpoch')
  // What the server may have something else under is sent under new numbers, with its picture; the end of what it had is left out.
  const batch = store.numbered.waiting('event', 10)!
  expect(batch.epoch).not.toBe(epoch)
  expect(batch.items).toMatchObject([
    { seq: 1, endOf: null, hasPicture: true },
    { seq: 2, endOf: 1, hasPicture: false },
  ])
  expect(store.numbered.nextPicture('event'), 'not before its item').toBeNull()
  store.numbered.settle('event', batch.epoch, 2)
  expect(store.numbered.nextPicture('event')).toEqual({ epoch: batch.epoch, seq: 1, image: Buffer.from('a picture') })
  const next = store.numbered.append('event', FORCED)
  expect(next).toEqual({ epoch: batch.epoch, seq: 3 })
  expect(store.numbered.settle('event', 'an epoch of somebody else', 9)).toBe('agreed')
})

test('pictures give way to newer ones of all kinds, items never do', () => {
  const store = open(scratchFolder(), { numberedPictureQuota: 2_500 })
  const picture = Buffer.alloc(1_000, 1)
  const { epoch } = store.numbered.append('event', FORCED, picture)
  store.numbered.append('event', FORCED, picture)
  const capturedIn = store.numbered.append('capture', capture(), picture)
  store.numbered.append('event', FORCED, Buffer.alloc(3_000))
  store.numbered.settle('event', epoch, 3)
  store.numbered.settle('capture', capturedIn.epoch, 1)
  expect(store.numbered.nextPicture('event')).toMatchObject({ seq: 2 })
  store.numbered.dropPicture('event', { epoch, seq: 2 })
  expect(store.numbered.nextPicture('event')).toBeNull()
  expect(store.numbered.nextPicture('capture')).toMatchObject({ seq: 1 })
  expect(store.makeRoom()).toBe(1)
  expect(store.numbered.nextPicture('capture')).toBeNull()
})

test('a capture and all pictures are sealed on the disk; what was sealed under a lost key is given up', () => {
  const folder = scratchFolder()
  const template = Buffer.from('biometric data of somebody').toString('base64')
  const store = open(folder)
  store.numbered.append('capture', capture({ template }), Buffer.from('what somebody looks like'))
  const { epoch } = store.numbered.append('capture', capture({ template }))
  store.numbered.append('event', FORCED)
  store.close()
  const bytes = readdirSync(folder).map((file) => readFileSync(join(folder, file)))
  expect(bytes.some((each) => each.includes(template) || each.includes('what somebody looks like'))).toBe(false)
  rmSync(join(folder, 'key'))
  const again = open(folder)
  again.numbered.append('capture', capture())
  expect(again.numbered.waiting('capture', 10)).toMatchObject({ epoch, oldestSeq: 3, items: [{ seq: 3 }] })
  expect(numbersOf(again)).toEqual([1])
})

test('a removed device lets go of all of it, and a store of the previous version is extended', () => {
  const folder = scratchFolder()
  const store = open(folder)
  const { epoch } = store.numbered.append('event', FORCED, Buffer.from('picture'))
  store.bind('device-1')
  expect(store.release()).toBe(1)
  expect(numbersOf(store)).toEqual([])
  expect(store.numbered.append('event', FORCED).epoch).not.toBe(epoch)
  store.close()
  const file = new DatabaseSync(join(folder, 'terminal.sqlite'))
  file.exec('DROP TABLE numbered_picture; DROP TABLE numbered_item; DROP TABLE numbered_epoch')
  file.exec(`PRAGMA user_version = ${MIGRATIONS.indexOf(learnNumbered)}`)
  file.close()
  expect(open(folder).numbered.append('event', FORCED).seq).toBe(1)
})
