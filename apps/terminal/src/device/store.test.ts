import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { bytesOfEmbedding } from '@gatehouse/face-engine'
import { StoreUnusable } from './database.ts'
import { openStore, type Store, type StoreOptions } from './store.ts'
import { embeddingFrom, MODEL, scratchFolder } from './testing-folder.ts'
import { manifestOf, OPEN_RULE, personWith } from './testing-server.ts'

function open(folder: string, change: Partial<StoreOptions> = {}): Store {
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

const record = {
  occurredAt: 1_760_000_000_000,
  personId: null,
  personName: '',
  result: 0,
  failReason: 904,
  verifyType: 1,
  direction: 1,
  score: 12.5,
  checks: '[]',
  revision: 'r',
  hasPicture: true,
}

test('a killed terminal has lost no record it spoke of, and numbers go on without a gap', async () => {
  const folder = scratchFolder()
  let spoken = 0
  for (const target of [200, 450]) {
    const writer = spawn(process.execPath, [join(import.meta.dirname, 'testing-writer.ts'), folder], { stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const chunk of writer.stdout.setEncoding('utf8')) {
      spoken = Number((chunk as string).trimEnd().split('\n').at(-1)) || spoken
      if (spoken >= target) break
    }
    writer.kill('SIGKILL')
    if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit')
    expect(writer.signalCode).toBe('SIGKILL')
  }

  const store = open(folder)
  const { epoch, records } = store.outbox.waiting(new Map(), 100_000)!
  expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => index + 1))
  expect(records.length).toBeGreaterThanOrEqual(spoken)
  expect(store.outbox.append('device-1', record)).toMatchObject({ epoch, seq: records.length + 1 })
})

test('a record that cannot be written uses up no number', () => {
  const { outbox } = open(scratchFolder())
  outbox.append('device-1', record)
  expect(() => outbox.append('device-1', { ...record, personName: 'x'.repeat(65) })).toThrow(/personName/)
  expect(outbox.append('device-1', record).seq).toBe(2)
})

test('persons, faces, strategies, rules and settings survive a restart', () => {
  const folder = scratchFolder()
  const first = open(folder)
  first.holdings.apply(manifestOf([{ id: 'ann', version: 3 }]))
  first.holdings.put([personWith('ann', embeddingFrom(1), { version: 3, name: 'Ann' })])
  first.holdings.complete()
  first.close()

  const { holdings } = open(folder)
  expect(holdings.settings()).toMatchObject({ zone: 'Asia/Shanghai', threshold: 80 })
  expect(holdings.person('ann')).toMatchObject({ name: 'Ann', version: 3, enabled: true })
  expect(holdings.strategiesOf('ann').map(({ id }) => id)).toEqual(['all'])
  expect(holdings.timeRules().get('always')).toEqual(OPEN_RULE)
  expect(holdings.nearest(embeddingFrom(1))).toMatchObject({ personId: 'ann', distance: 0 })
  expect(holdings.held()).toEqual({ revision: 'r-ann.3', persons: 1, failed: [] })
})

test('templates and pictures are unreadable on the disk, and the key is readable by its owner only', () => {
  const folder = scratchFolder()
  const store = open(folder)
  store.bind('device-1')
  const embedding = embeddingFrom(5)
  store.holdings.apply(manifestOf([{ id: 'ann', version: 1 }]))
  store.holdings.put([personWith('ann', embedding)])
  const image = Buffer.from('a picture of somebody, in the clear')
  store.pictures.add(store.outbox.append('device-1', record).id, image)
  store.close()

  const onDisk = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))))
  expect(onDisk.includes(Buffer.from('Name of ann'))).toBe(true)
  expect(onDisk.includes(Buffer.from(bytesOfEmbedding(embedding)).subarray(0, 32))).toBe(false)
  expect(onDisk.includes(image)).toBe(false)
  expect(statSync(join(folder, 'key')).mode & 0o777).toBe(0o600)
})

test('under another key nobody is recognised until persons are fetched again; records stay', () => {
  const folder = scratchFolder()
  const store = open(folder)
  store.bind('device-1')
  store.holdings.apply(manifestOf([{ id: 'ann', version: 1 }]))
  store.holdings.put([personWith('ann', embeddingFrom(5))])
  const { id } = store.outbox.append('device-1', record)
  store.pictures.add(id, Buffer.from('picture'))
  store.close()
  writeFileSync(join(folder, 'key'), Buffer.alloc(32, 7))

  const { holdings, outbox, pictures } = open(folder)
  expect(holdings.nearest(embeddingFrom(5))).toBeNull()
  expect(holdings.apply(manifestOf([{ id: 'ann', version: 1 }]))).toEqual(['ann'])
  expect(outbox.acknowledge(outbox.epoch(), 1)).toBe(1)
  expect(pictures.next()).toBeNull()
})

test('a damaged key file is refused with a sentence', () => {
  const folder = scratchFolder()
  open(folder).close()
  writeFileSync(join(folder, 'key'), 'short')
  expect(() => open(folder)).toThrow(StoreUnusable)
})

test('another model starts without persons, and keeps the records', () => {
  const folder = scratchFolder()
  const store = open(folder)
  store.holdings.apply(manifestOf([{ id: 'ann', version: 1 }]))
  store.holdings.put([personWith('ann', embeddingFrom(5))])
  store.holdings.complete()
  store.outbox.append('device-1', record)
  store.close()

  const other = open(folder, { model: { modelId: 'better-512', dimensions: 512 } })
  expect(other.holdings.counts()).toEqual({ persons: 0, faces: 0, failed: 0 })
  expect(other.holdings.held()).toBeNull()
  expect(other.outbox.length()).toBe(1)
  expect(other.holdings.apply(manifestOf([{ id: 'ann', version: 1 }]))).toEqual(['ann'])
})

test('a folder of another device, of another installation or in use is refused with a sentence', () => {
  const folder = scratchFolder()
  const store = open(folder)
  expect(() => open(folder)).toThrow(/another terminal runs on this data folder/)
  store.bind('device-1')
  expect(() => store.bind('device-2')).toThrow(/another installation/)
  store.close()
  expect(() => open(folder, { code: 'GATE-2' })).toThrow(/belongs to device "GATE-1", and this terminal is "GATE-2"/)
  expect(() => open(folder)).not.toThrow()
})

test('records the restored server lost are sent again, with their pictures; those kept long enough are dropped', () => {
  let now = 1_760_000_000_000
  const store = open(scratchFolder(), { clock: () => now })
  const { outbox, pictures } = store
  const ids = [1, 2, 3].map(() => outbox.append('device-1', record).id)
  pictures.add(ids[2]!, Buffer.from('picture'))
  expect(outbox.acknowledge(outbox.epoch(), 3)).toBe(3)
  pictures.sent(ids[2]!)
  expect([outbox.length(), pictures.length()]).toEqual([0, 0])

  now += 6 * 86_400_000
  store.prune()
  expect(outbox.reconcile(1)).toBe('resending')
  expect(outbox.waiting(new Map(), 10)?.records.map(({ seq }) => seq)).toEqual([2, 3])
  expect(outbox.acknowledge(outbox.epoch(), 3)).toBe(2)
  expect(pictures.next()).toEqual({ recordId: ids[2], image: Buffer.from('picture') })

  now += 8 * 86_400_000
  store.prune()
  expect(outbox.reconcile(0)).toBe('agreed')
  expect(outbox.append('device-1', record).seq).toBe(4)
})

test('a store that was itself restored numbers in a new epoch, and what still waits keeps its old one', () => {
  const { outbox } = open(scratchFolder())
  const before = outbox.epoch()
  outbox.append('device-1', record)
  expect(outbox.reconcile(5)).toBe('newEpoch')
  expect(outbox.epoch()).not.toBe(before)
  expect(outbox.append('device-1', record)).toMatchObject({ seq: 1, epoch: outbox.epoch() })
  expect(outbox.waiting(new Map(), 10)).toMatchObject({ epoch: before, records: [{ seq: 1 }] })
  expect(outbox.waiting(new Map([[before, 1]]), 10)).toMatchObject({ epoch: outbox.epoch(), records: [{ seq: 1 }] })
})

test('the oldest pictures give way to new ones, records stay', () => {
  const { outbox, pictures } = open(scratchFolder(), { pictureQuota: 3_000 })
  const image = Buffer.alloc(1_000, 1)
  const ids = [1, 2, 3].map(() => outbox.append('device-1', record).id)
  expect(ids.map((id) => pictures.add(id, image))).toEqual([0, 0, 1])
  expect([outbox.length(), pictures.length()]).toEqual([3, 2])
  expect(pictures.next()).toBeNull()
  outbox.acknowledge(outbox.epoch(), 3)
  expect(pictures.next()?.recordId).toBe(ids[1])
})
