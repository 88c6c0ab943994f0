/** What a store keeps of a person erased at the server: the record by its number, and nothing that identifies the person. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { createKeptRecords } from '../console/kept-records.ts'
import { MODEL, scratchFolder } from '../device/testing/folder.ts'
import { openStore, type TerminalStore } from './store.ts'

const NAME = 'Quirinus Vandersloot'
const [HIM, HER] = ['0198f3a0-2222-7000-8000-000000000a07', '0198f3a0-2222-7000-8000-000000000b07']
const [FIRST, SECOND] = ['0198f3a0-7777-7000-8000-000000000001', '0198f3a0-7777-7000-8000-000000000002']
const picture = Buffer.from('a picture')

const passage = (personId: string | null, change: Partial<RecordObject> = {}): Omit<RecordObject, 'seq'> => ({
  occurredAt: 1_760_000_000_000,
  personId,
  personName: personId === HIM ? NAME : 'Ada Lovelace',
  result: 1,
  failReason: null,
  verifyType: 1,
  direction: 1,
  score: 84.2,
  checks: '[]',
  revision: 'r',
  hasPicture: true,
  ...change,
})

function open(folder: string): TerminalStore {
  const store = openStore({ folder, code: 'GATE-1', model: MODEL })
  onTestFinished(() => {
    try {
      store.close()
    } catch {
      // Closed by the test.
    }
  })
  return store
}

/** Record passages of both, each with a picture; return the ids of the records. */
function recording({ outbox, pictures }: TerminalStore, ...records: Omit<RecordObject, 'seq'>[]): string[] {
  return records.map((record) => {
    const { id } = outbox.append('device-1', record)
    pictures.add(id, picture)
    return id
  })
}

/** Whether a text is in any file on the disk. */
const isOnDisk = (folder: string, text: string): boolean =>
  readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(text))
const keptIn = (store: TerminalStore): RecordObject[] =>
  createKeptRecords(store.database, store.vault)
    .all()
    .flatMap(({ records }) => records)
const sendPictures = ({ pictures }: TerminalStore): string[] => {
  const sent: string[] = []
  for (let next = pictures.next(); next; next = pictures.next()) {
    sent.push(next.recordId)
    pictures.sent(next.recordId)
  }
  return sent
}

test('a record the server has loses name, ids, picture and measurements at once; the number stays, and so do records of others', () => {
  const folder = scratchFolder()
  const store = open(folder)
  const measured = { contactId: HER, contactName: 'Ottoline Vandersloot', temperature: 36.6, temperatureStatus: 2, mask: 1 }
  recording(store, passage(HIM, measured), passage(HER), passage(null, { personName: '' }))
  store.outbox.acknowledge(store.outbox.epoch(), 3)
  expect(sendPictures(store)).toHaveLength(3)
  expect([isOnDisk(folder, HIM), isOnDisk(folder, NAME)]).toEqual([true, false])

  store.erasures.take([HIM], FIRST)
  const [his, hers, strangers] = keptIn(store)
  expect(his).toEqual({ ...passage(null, { mask: 1 }), personName: '', hasPicture: false, seq: 1 })
  expect(hers).toEqual({ ...passage(HER), seq: 2 })
  expect(strangers).toMatchObject({ seq: 3, hasPicture: true })
  expect(store.database.prepare('SELECT count(*) AS pictures FROM picture').get()).toEqual({ pictures: 2 })
  expect([store.erasures.newest(), store.erasures.carriedOut()]).toEqual([FIRST, FIRST])
  for (const text of [NAME, 'Ottoline', HIM]) expect([text, isOnDisk(folder, text)]).toEqual([text, false])
  expect(isOnDisk(folder, HER)).toBe(true)
})

test('a record that waits for the server goes to it with the name, and loses it with the acknowledgement; the picture goes at once', () => {
  const folder = scratchFolder()
  const store = open(folder)
  const [delivered] = recording(store, passage(HIM), passage(HIM), passage(HER))
  const epoch = store.outbox.epoch()
  store.outbox.acknowledge(epoch, 1)
  store.erasures.take([HIM], FIRST)
  expect(store.outbox.waiting(new Map(), 10)!.records).toMatchObject([
    { seq: 2, personId: HIM, personName: NAME },
    { seq: 3, personId: HER },
  ])
  expect([store.erasures.newest(), store.erasures.carriedOut()]).toEqual([FIRST, null])
  expect(keptIn(store)[0]).toMatchObject({ personId: null })
  expect(store.pictures.length()).toBe(1)
  store.close()

  const again = open(folder)
  expect(again.erasures.carriedOut()).toBeNull()
  again.outbox.acknowledge(epoch, 2)
  expect(again.erasures.carriedOut()).toBe(FIRST)
  expect(keptIn(again).map(({ personId, personName }) => [personId, personName])).toEqual([
    [null, ''],
    [null, ''],
    [HER, 'Ada Lovelace'],
  ])
  expect(isOnDisk(folder, NAME)).toBe(false)
  again.outbox.acknowledge(epoch, 3)
  expect(sendPictures(again)).not.toContain(delivered)
})

test('what the server says at pairing to have counts as acknowledged; a restored one gets the numbers again, without the name', () => {
  const store = open(scratchFolder())
  recording(store, passage(HIM), passage(HER))
  const epoch = store.outbox.epoch()
  store.erasures.take([HIM], FIRST)
  expect(store.outbox.reconcile([{ epoch, ackSeq: 2 }])).toBe('agreed')
  expect(store.erasures.carriedOut()).toBe(FIRST)
  expect(store.outbox.reconcile([{ epoch, ackSeq: 0 }])).toBe('resending')
  expect(store.outbox.waiting(new Map(), 10)!.records).toMatchObject([
    { seq: 1, personId: null, personName: '', hasPicture: false },
    { seq: 2, personId: HER },
  ])
  // The erasure remains, and nothing is left for it to wait for.
  expect(store.erasures.carriedOut()).toBe(FIRST)
})

test('erasures are taken in any portion and again; a server that knows of none begins anew', () => {
  const folder = scratchFolder()
  const store = open(folder)
  recording(store, passage(HIM), passage(HER))
  store.outbox.acknowledge(store.outbox.epoch(), 2)
  store.erasures.take([], FIRST)
  store.erasures.take([HIM, '0198f3a0-2222-7000-8000-00000000dead'], SECOND)
  store.erasures.take([HIM], SECOND)
  store.close()
  const again = open(folder)
  expect(again.erasures.newest()).toBe(SECOND)
  expect(keptIn(again).map(({ personId }) => personId)).toEqual([null, HER])
  again.erasures.take([], null)
  expect(again.erasures.newest()).toBeNull()
})

test('records brought from an export are looked through too: all erasures are asked for again', () => {
  const store = open(scratchFolder())
  store.erasures.take([HIM], FIRST)
  createKeptRecords(store.database, store.vault).take('device-1', [{ epoch: 'of before', records: [{ ...passage(HIM), seq: 1 }] }])
  expect(store.erasures.newest()).toBeNull()
  store.erasures.take([HIM], FIRST)
  expect(store.erasures.carriedOut()).toBeNull()
  store.outbox.acknowledge('of before', 1)
  expect(keptIn(store)).toMatchObject([{ personId: null, personName: '' }])
})
