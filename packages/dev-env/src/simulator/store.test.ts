import { describe, expect, test } from 'vitest'
import type { HoldingsChange, TakenPerson } from '@gatehouse/terminal/device/store'
import { recordId } from '@gatehouse/terminal/device/record-id'
import { Catalogue } from './catalogue.ts'
import { PowerCut } from './journal.ts'
import { OutboxFull } from './outbox.ts'
import { createSimulatedStore, type SimulatedStore, type SimulatedStoreOptions } from './store.ts'

const DEVICE = '01a1faf5-82b0-79ae-b105-d2837289b4ab'
const AUDIENCE = '01a1faf5-82b0-79ae-8105-d2837289b4aa'

const storeWith = (options: Partial<SimulatedStoreOptions> = {}): SimulatedStore =>
  createSimulatedStore({ catalogue: new Catalogue(), ...options })

/** A store that belongs to the device, switched on. */
function bound(options: Partial<SimulatedStoreOptions> = {}) {
  const store = storeWith(options)
  const life = store.powerOn()
  life.bind(DEVICE)
  return { store, life }
}

const RECORD = {
  occurredAt: Date.UTC(2026, 10, 20),
  personId: null,
  personName: '',
  result: 0,
  failReason: 904,
  verifyType: 1,
  direction: 1,
  score: 40,
  checks: '[]',
  revision: 'r',
  hasPicture: false,
}

const person = (id: string, version = 'a'): TakenPerson => ({
  id,
  version: version.padStart(16, '0'),
  name: `Name of ${id}`,
  workNumber: id,
  enabled: true,
  validFrom: null,
  validTo: null,
  strategyIds: [],
  faceThreshold: null,
  lookAlikes: [],
  faces: [{ faceId: `${id}-face`, template: Buffer.alloc(512).toString('base64') }],
})

const change = (ids: readonly string[], more: Partial<HoldingsChange> = {}): HoldingsChange => ({
  persons: ids.map((id) => person(id)),
  exceptions: [],
  removed: [],
  position: { audience: AUDIENCE, cursor: 1 },
  ...more,
})

const idsIn = ({ disk }: SimulatedStore): string[] => [...disk.holdings.versions()].map(([id]) => id)
const waitingIn = ({ disk }: SimulatedStore): number[] => disk.outbox.waiting(new Map(), 100)?.records.map(({ seq }) => seq) ?? []

describe('a power cut', () => {
  test('leaves every record whose number was given out, and numbering goes on behind it', () => {
    const { store, life } = bound({ gathered: 8 })
    const epoch = life.outbox.epoch()
    for (let made = 0; made < 3; made++) life.outbox.append(DEVICE, RECORD)
    expect(store.powerCut()).toBe(0)
    expect(waitingIn(store)).toEqual([1, 2, 3])
    expect(store.powerOn().outbox.append(DEVICE, RECORD)).toEqual({ id: recordId(DEVICE, epoch, 4), epoch, seq: 4 })
  })

  test('takes back gathered writes, whole ones, down to the last flush', () => {
    const { store, life } = bound({ gathered: 8 })
    life.holdings.take(change(['ann', 'bob']))
    life.outbox.append(DEVICE, RECORD)
    life.outbox.acknowledge(life.outbox.epoch(), 1)
    life.holdings.take(change(['cid'], { removed: ['ann'], position: { audience: AUDIENCE, cursor: 2 } }))
    expect(idsIn(store).toSorted()).toEqual(['bob', 'cid'])

    expect(store.powerCut()).toBe(2)
    expect(idsIn(store).toSorted()).toEqual(['ann', 'bob'])
    expect(store.disk.holdings.position()).toEqual({ audience: AUDIENCE, cursor: 1 })
    expect(waitingIn(store)).toEqual([1])
  })

  test('leaves as many templates as there are of those who are held, contacts among them', () => {
    const { store, life } = bound({ gathered: 8 })
    const stored = () => store.disk.holdings.templates()
    const mother = { id: 'mother', name: 'Mother', faces: person('mother').faces }
    life.holdings.take(change([], { persons: [person('ann'), { ...person('child'), contacts: [mother] }] }))
    expect(stored()).toBe(3)
    life.outbox.append(DEVICE, RECORD)
    life.holdings.take(change(['bob', 'ann'], { removed: ['child'] }))
    expect(stored()).toBe(2)
    store.powerCut()
    expect(stored()).toBe(3)
  })

  test('takes nothing back where each write is flushed, as on the disk of a terminal', () => {
    const { store, life } = bound()
    life.holdings.take(change(['ann']))
    life.holdings.take(change(['bob'], { exceptions: [{ personId: 'cid', version: 'c'.padStart(16, '0'), reason: 'noFace' }] }))
    expect(store.powerCut()).toBe(0)
    expect(idsIn(store).toSorted()).toEqual(['ann', 'bob', 'cid'])
    expect(store.disk.holdings.counts()).toEqual({ persons: 2, failed: 1 })
  })

  test('in the middle of a write leaves all of it or nothing, and who wrote does not hear', () => {
    for (const [moment, left] of [
      ['beforeFlush', []],
      ['afterFlush', [1]],
    ] as const) {
      const { store, life } = bound()
      let cuts = 0
      store.powerCutInNextWrite(moment, () => cuts++)
      expect(() => life.outbox.append(DEVICE, RECORD)).toThrow(PowerCut)
      expect(cuts).toBe(1)
      expect(waitingIn(store)).toEqual(left)
      expect(store.powerOn().outbox.append(DEVICE, RECORD).seq).toBe(left.length + 1)
    }
  })

  test('ends the life before it: whoever still holds its store can neither read nor write', () => {
    const { store, life } = bound()
    store.powerCut()
    const next = store.powerOn()
    for (const use of [
      () => life.outbox.append(DEVICE, RECORD),
      () => life.holdings.take(change(['ann'])),
      () => life.holdings.version('ann'),
      () => life.deviceId(),
    ]) {
      expect(use).toThrow(PowerCut)
    }
    expect(next.deviceId()).toBe(DEVICE)
    expect(idsIn(store)).toEqual([])
  })
})

describe('the outbox', () => {
  test('goes on in another epoch where the server has numbers this store never gave out', () => {
    const { store, life } = bound()
    const { epoch } = life.outbox.append(DEVICE, RECORD)
    expect(life.outbox.reconcile([{ epoch, ackSeq: 5 }])).toBe('newEpoch')
    expect(life.outbox.append(DEVICE, RECORD)).toMatchObject({ seq: 1 })
    expect(life.outbox.epochs()).toEqual([epoch, life.outbox.epoch()])
    expect(store.disk.outbox.made()).toEqual([
      { epoch, upTo: 1 },
      { epoch: life.outbox.epoch(), upTo: 1 },
    ])
  })

  test('sends again, with their pictures, what the server had and has no longer', () => {
    const { store, life } = bound()
    const made = [1, 2, 3].map(() => life.outbox.append(DEVICE, { ...RECORD, hasPicture: true }))
    life.pictures.add(made[2]!.id, Buffer.from('picture'))
    const { epoch } = made[0]!
    expect(life.outbox.reconcile([{ epoch, ackSeq: 3 }])).toBe('agreed')
    life.pictures.sent(made[2]!.id)
    expect(life.outbox.reconcile([{ epoch, ackSeq: 1 }])).toBe('resending')
    expect(waitingIn(store)).toEqual([2, 3])
    expect(life.pictures.next()).toBeNull()
    life.outbox.acknowledge(epoch, 3)
    expect(life.pictures.next()).toEqual({ recordId: made[2]!.id, image: Buffer.from('picture') })
  })

  test('takes what the server has of an epoch it resumes for its own', () => {
    const { life } = bound({ resumes: 'demo' })
    expect(life.outbox.reconcile([{ epoch: 'demo', ackSeq: 41 }])).toBe('agreed')
    expect(life.outbox.append(DEVICE, RECORD)).toMatchObject({ epoch: 'demo', seq: 42 })
    expect(life.outbox.waiting(new Map(), 10)).toMatchObject({ oldestSeq: 42, records: [{ seq: 42 }] })
  })

  test('that is full takes no record and uses no number up', () => {
    const { life } = bound({ recordLimit: 2 })
    const { epoch } = life.outbox.append(DEVICE, RECORD)
    life.outbox.append(DEVICE, RECORD)
    expect(() => life.outbox.append(DEVICE, RECORD)).toThrow(OutboxFull)
    life.outbox.acknowledge(epoch, 1)
    expect(life.outbox.append(DEVICE, RECORD).seq).toBe(3)
  })

  test('keeps enough acknowledged records for a server restored from its backup, and not all', () => {
    const { life } = bound()
    const { epoch } = life.outbox.append(DEVICE, RECORD)
    for (let seq = 2; seq <= 1_600; seq++) life.outbox.append(DEVICE, RECORD)
    life.outbox.acknowledge(epoch, 1_590)
    const { oldestSeq, records } = life.outbox.waiting(new Map(), 100)!
    expect(records.map(({ seq }) => seq)).toEqual([1591, 1592, 1593, 1594, 1595, 1596, 1597, 1598, 1599, 1600])
    expect(oldestSeq).toBe(1_091)
  })
})

describe('the holdings', () => {
  test('make exceptions of whom there is no room for, and of whom the device refuses', () => {
    const { life } = bound({ capacity: 2, refuses: (id) => (id === 'bob' ? 'templateInvalid' : null) })
    life.holdings.take(change(['ann', 'bob', 'cid', 'dan']))
    expect(life.holdings.counts()).toEqual({ persons: 2, failed: 2 })
    expect([...life.holdings.exceptions().values()].map(({ personId, reason }) => [personId, reason])).toEqual([
      ['bob', 'templateInvalid'],
      ['dan', 'noRoom'],
    ])
    expect(life.holdings.version('dan')).toBe(person('dan').version)
    life.holdings.take(change(['dan'], { removed: ['ann'] }))
    expect(life.holdings.counts()).toEqual({ persons: 2, failed: 1 })
  })

  test('of several devices share what they hold and hold it apart', () => {
    const catalogue = new Catalogue()
    const [one, other] = [bound({ catalogue }), bound({ catalogue })]
    one.life.holdings.take(change(['ann', 'bob']))
    other.life.holdings.take(change(['bob'], { persons: [person('bob', 'b')] }))
    expect(idsIn(one.store)).toEqual(['ann', 'bob'])
    expect(idsIn(other.store)).toEqual(['bob'])
    expect(other.life.holdings.version('bob')).not.toBe(one.life.holdings.version('bob'))
    expect(catalogue.size()).toEqual({ persons: 2, versions: 3 })
    expect(one.life.holdings.templateBytes()).toBe(1024)
  })
})
