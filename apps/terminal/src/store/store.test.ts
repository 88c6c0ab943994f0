import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { bytesOfEmbedding } from '@gatehouse/face-engine'
import { bucketOf } from '@gatehouse/contract/device/protocol'
import type { PersonObject } from '@gatehouse/contract/device/protocol-persons'
import { StoreUnusable, type HoldingsChange } from '../device/store.ts'
import { MIGRATIONS } from './database.ts'
import { openStore, type StoreOptions, type TerminalStore } from './store.ts'
import { openVault } from './vault.ts'
import { embeddingFrom, MODEL, nudged, scratchFolder } from '../device/testing/folder.ts'
import { createStoredPersons } from '../device/stored-persons.ts'
import { contactWith, digestsOf, idOf, manifestWith, OPEN_RULE, personWith, takenOf, versionOf } from '../device/testing/objects.ts'

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

const ANN = idOf('ann')

/** Take a person and a new position. */
function taking(
  id: string,
  seed: number,
  change: Partial<HoldingsChange> &
    Partial<
      Pick<PersonObject, 'version' | 'name' | 'faceThreshold' | 'faceThresholdLoosens' | 'methods' | 'lookAlikes' | 'contacts' | 'human'>
    > = {},
): HoldingsChange {
  const {
    version = versionOf(1),
    name = id,
    faceThreshold = null,
    faceThresholdLoosens,
    methods,
    lookAlikes = [],
    contacts,
    human,
    ...rest
  } = change
  return {
    persons: [
      takenOf(
        personWith(id, embeddingFrom(seed), {
          version,
          name,
          faceThreshold,
          ...(faceThresholdLoosens && { faceThresholdLoosens }),
          ...(methods && { methods }),
          lookAlikes,
          ...(contacts && { contacts }),
          ...(human && { human }),
        }),
      ),
    ],
    exceptions: [],
    removed: [],
    position: { audience: 'audience-1', cursor: 7 },
    ...rest,
  }
}

/** Return the person with the nearest face, and its distance. */
const whose = ({ holdings }: TerminalStore, seed: number) =>
  holdings
    .nearest(embeddingFrom(seed))
    .map(({ personId, contactId, distance }) => ({ personId, contactId, distance: Math.round(distance * 1e3) / 1e3 }))[0]

test('contacts of a person are known by their faces, after a restart too, and leave with the next version or with the person', () => {
  const folder = scratchFolder()
  const [mother, father] = [
    { ...contactWith('mother', embeddingFrom(2), 'Wang Fang'), human: 'wang fang' },
    contactWith('father', embeddingFrom(3), 'Li Lei'),
  ]
  const first = open(folder)
  first.holdings.take(taking(ANN, 1, { contacts: [mother, father], human: 'li wei' }))
  const check = (store: TerminalStore) => {
    expect(whose(store, 1)).toEqual({ personId: ANN, contactId: null, distance: 0 })
    expect(whose(store, 2)).toEqual({ personId: ANN, contactId: 'mother', distance: 0 })
    expect(store.holdings.nearestOf(ANN, embeddingFrom(3))).toEqual({ distance: 0, contactId: 'father' })
    expect(store.holdings.person(ANN)?.contacts?.map(({ id, name, human }) => [id, name, human])).toEqual([
      ['mother', 'Wang Fang', 'wang fang'],
      ['father', 'Li Lei', undefined],
    ])
    expect(store.holdings.person(ANN)?.human).toBe('li wei')
    expect(store.holdings.counts()).toEqual({ persons: 1, failed: 0 })
  }
  check(first)
  first.close()
  const second = open(folder)
  check(second)

  second.holdings.take(taking(ANN, 1, { version: versionOf(2), contacts: [father] }))
  expect(whose(second, 2)?.distance).toBeGreaterThan(0.5)
  expect(whose(second, 3)).toMatchObject({ contactId: 'father', distance: 0 })
  second.holdings.take(taking(ANN, 1, { version: versionOf(3) }))
  expect(whose(second, 3)?.contactId).toBeNull()
  second.close()
  const third = open(folder)
  expect(third.holdings.person(ANN)?.contacts).toBeUndefined()
  expect(third.holdings.faces()).toBe(1)
  third.holdings.take(taking(ANN, 1, { version: versionOf(4), contacts: [mother] }))
  third.holdings.take({ persons: [], exceptions: [], removed: [ANN], position: null })
  expect(third.holdings.nearest(embeddingFrom(2))).toEqual([])
  expect(third.holdings.faces()).toBe(0)
})

test('who has no photograph is taken for the sake of contacts; one that cannot be used is told of, and contacts come all the same', () => {
  const folder = scratchFolder()
  const store = open(folder)
  const { faces: _, ...person } = takenOf(personWith(ANN, embeddingFrom(1), { contacts: [contactWith('mother', embeddingFrom(2))] }))
  store.holdings.take({ persons: [{ ...person, faces: [] }], exceptions: [], removed: [], position: null })
  expect(store.holdings.counts()).toEqual({ persons: 1, failed: 0 })
  expect(whose(store, 2)).toMatchObject({ personId: ANN, contactId: 'mother' })
  store.holdings.take({
    persons: [{ ...person, faces: [{ faceId: 'bad', template: 'AAAA' }] }],
    exceptions: [],
    removed: [],
    position: null,
  })
  expect([...store.holdings.exceptions().values()]).toMatchObject([{ personId: ANN, reason: 'templateInvalid' }])
  store.close()
  const again = open(folder)
  expect(again.holdings.counts()).toEqual({ persons: 0, failed: 1 })
  expect(whose(again, 2)).toMatchObject({ personId: ANN, contactId: 'mother' })
})

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
    const writer = spawn(process.execPath, [join(import.meta.dirname, '../device/testing/writer.ts'), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void writer.kill('SIGKILL'))
    for await (const chunk of writer.stdout.setEncoding('utf8')) {
      spoken = Number((chunk as string).trimEnd().split('\n').at(-1)) || spoken
      // Killed while its output is still read: a closed pipe would end it first.
      if (spoken >= target) writer.kill('SIGKILL')
    }
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
  const manifest = manifestWith()
  first.holdings.apply({ ...manifest, settings: { ...manifest.settings, promise: { strangersPerThousand: 1 } } })
  first.holdings.take(taking(ANN, 1, { version: versionOf(3), name: 'Ann', faceThreshold: 62.5, lookAlikes: ['bob', 'cid'] }))
  first.holdings.take({
    persons: [],
    exceptions: [{ personId: 'b-01', version: versionOf(4), reason: 'noFace' }],
    removed: [],
    position: null,
  })
  first.close()

  const { holdings } = open(folder)
  expect(holdings.settings()).toMatchObject({ zone: 'Asia/Shanghai', threshold: 80, promise: { strangersPerThousand: 1 } })
  expect(holdings.person(ANN)).toMatchObject({ name: 'Ann', enabled: true, faceThreshold: 62.5, lookAlikes: ['bob', 'cid'] })
  expect(holdings.strategiesOf(ANN).map(({ id }) => id)).toEqual(['all'])
  expect(holdings.timeRules().get('always')).toEqual(OPEN_RULE)
  expect(holdings.nearest(embeddingFrom(1))[0]).toMatchObject({ personId: ANN, distance: 0 })
  expect([...holdings.exceptions().values()]).toEqual([{ personId: 'b-01', version: versionOf(4), reason: 'noFace' }])
  expect(createStoredPersons(holdings).state()).toEqual({
    revision: 'r-1',
    audience: 'audience-1',
    cursor: 7,
    persons: 1,
    failed: 1,
    digest: digestsOf([
      [ANN, versionOf(3)],
      ['b-01', versionOf(4)],
    ]).digest,
  })
})

test('strategies a manifest does not name are nothing to a person who refers to them', () => {
  const { holdings } = open(scratchFolder())
  holdings.apply(manifestWith())
  holdings.take(taking(ANN, 1))
  holdings.apply(manifestWith({ revision: 'r-2', strategies: [] }))
  expect(holdings.strategiesOf(ANN)).toEqual([])
})

test('a template that is no embedding of the model makes a person an exception [FIELD-8]', () => {
  const { holdings } = open(scratchFolder())
  const change = taking(ANN, 1)
  holdings.take({ ...change, persons: [{ ...change.persons[0]!, faces: [{ faceId: 'f', template: 'AAAA' }] }] })
  expect([...holdings.exceptions().values()]).toEqual([{ personId: ANN, version: versionOf(1), reason: 'templateInvalid' }])
  expect(holdings.counts()).toEqual({ persons: 0, failed: 1 })
  holdings.take(change)
  expect(holdings.counts()).toEqual({ persons: 1, failed: 0 })
  expect(holdings.exceptions().size).toBe(0)
})

test('a data folder of the version before keeps its records and fetches its persons anew', () => {
  const folder = scratchFolder()
  const before = new DatabaseSync(join(folder, 'terminal.sqlite'))
  before.exec(`${MIGRATIONS[0]}; PRAGMA user_version = 1;
    INSERT INTO meta VALUES ('code', 'GATE-1'), ('deviceId', 'device-1'), ('modelId', '${MODEL.modelId}'), ('revision', 'old'),
      ('completeRevision', 'old');
    INSERT INTO person VALUES ('${ANN}', 1, 'Ann', '1', 1, NULL, NULL, NULL);
    INSERT INTO entitlement VALUES ('${ANN}', '["all"]');
    INSERT INTO epoch VALUES (1, 'epoch-1', 1)`)
  before.prepare("INSERT INTO record VALUES (1, 1, 'record-1', ?, NULL)").run(JSON.stringify({ ...record, seq: 1 }))
  before.close()

  const { holdings, outbox, deviceId } = open(folder)
  expect(deviceId()).toBe('device-1')
  expect(outbox.waiting(new Map(), 10)).toEqual({ epoch: 'epoch-1', oldestSeq: 1, records: [{ ...record, seq: 1 }] })
  expect(holdings.revision()).toBe('')
  expect(holdings.position()).toBeNull()
  expect([...holdings.versions()]).toEqual([])
})

test('the methods of a person survive a restart, and are dropped with the next version without them', () => {
  const folder = scratchFolder()
  const first = open(folder)
  first.holdings.take(taking(ANN, 1, { methods: [1, 4] }))
  expect(first.holdings.person(ANN)).toMatchObject({ methods: [1, 4] })
  first.close()
  const second = open(folder)
  expect(second.holdings.person(ANN)).toMatchObject({ methods: [1, 4] })
  second.holdings.take(taking(ANN, 1))
  second.close()
  expect(open(folder).holdings.person(ANN)).not.toHaveProperty('methods')
})

test('that a threshold of a person loosens survives a restart, and goes with it', () => {
  const folder = scratchFolder()
  const first = open(folder)
  first.holdings.take(taking(ANN, 1, { faceThreshold: 60, faceThresholdLoosens: true }))
  expect(first.holdings.person(ANN)).toMatchObject({ faceThreshold: 60, faceThresholdLoosens: true })
  first.close()
  const second = open(folder)
  expect(second.holdings.person(ANN)).toMatchObject({ faceThreshold: 60, faceThresholdLoosens: true })
  second.holdings.take(taking(ANN, 1, { faceThreshold: 60 }))
  expect(second.holdings.person(ANN)).not.toHaveProperty('faceThresholdLoosens')
  second.close()
  expect(open(folder).holdings.person(ANN)).not.toHaveProperty('faceThresholdLoosens')
})

test('a data folder of the version that knew no thresholds of persons works on, and fetches settings and persons again', () => {
  const folder = scratchFolder()
  const template = openVault(folder).seal(bytesOfEmbedding(embeddingFrom(1)), `${ANN}/face-1`)
  const { margin: _margin, lookAlikeMargin: _lookAlikeMargin, liveness: _liveness, ...settings } = manifestWith().settings
  const before = new DatabaseSync(join(folder, 'terminal.sqlite'))
  before.exec(`${MIGRATIONS[0]}; ${MIGRATIONS[1]}; PRAGMA user_version = 2;
    INSERT INTO meta VALUES ('code', 'GATE-1'), ('deviceId', 'device-1'), ('modelId', '${MODEL.modelId}'), ('revision', 'r-1');
    INSERT INTO person VALUES ('${ANN}', '${versionOf(1)}', 'Ann', '1', 1, NULL, NULL, '["all"]', NULL);
    INSERT INTO position VALUES (1, 'audience-1', 7)`)
  before.prepare("INSERT INTO meta VALUES ('settings', ?)").run(JSON.stringify(settings))
  before.prepare("INSERT INTO face VALUES (?, 'face-1', ?)").run(ANN, template)
  before.close()

  const { holdings } = open(folder)
  expect(holdings.nearest(embeddingFrom(1))[0]).toMatchObject({ personId: ANN, distance: 0 })
  expect(holdings.person(ANN)).toMatchObject({ name: 'Ann', enabled: true, faceThreshold: null, lookAlikes: [] })
  expect(holdings.settings()).toMatchObject({ threshold: 80, margin: 0, lookAlikeMargin: 0, liveness: null })
  // Fields ignored then arrived under the same revision and versions, so neither may count as stored.
  expect(holdings.revision()).toBe('')
  expect(holdings.position()).toBeNull()
  expect(holdings.version(ANN)).not.toBe(versionOf(1))
  expect(holdings.renewing()).toBeNull()
  const { bucketDigest } = createStoredPersons(holdings)
  expect(bucketDigest(bucketOf(ANN))).not.toBe('0'.repeat(16))

  holdings.take(taking(ANN, 1, { faceThreshold: 90 }))
  expect(holdings.person(ANN)?.faceThreshold).toBe(90)
})

test('the two persons nearest are told, each once, fewer where fewer are held', () => {
  const { holdings } = open(scratchFolder())
  const [bob, cid] = [idOf('bob'), idOf('cid')] as const
  const near = (id: string, ...distances: number[]) => {
    const { faces: _, ...person } = takenOf(personWith(id, embeddingFrom(1)))
    return {
      ...person,
      faces: distances.map((distance) => ({
        faceId: `${id} ${distance}`,
        template: personWith(id, nudged(embeddingFrom(1), distance)).faces[0]!.template!,
      })),
    }
  }
  expect(holdings.nearest(embeddingFrom(1))).toEqual([])
  holdings.take({ persons: [near(ANN, 0.1, 0.2)], exceptions: [], removed: [], position: null })
  expect(holdings.nearest(embeddingFrom(1)).map(({ personId }) => personId)).toEqual([ANN])
  holdings.take({ persons: [near(bob, 0.3), near(cid, 0.4, 0.25)], exceptions: [], removed: [], position: null })
  expect(holdings.nearest(embeddingFrom(1)).map(({ personId, distance }) => [personId, Math.round(distance * 100)])).toEqual([
    [ANN, 10],
    [cid, 25],
  ])
})

test('templates and pictures are unreadable on the disk, and the key is readable by its owner only', () => {
  const folder = scratchFolder()
  const store = open(folder)
  store.bind('device-1')
  const embedding = embeddingFrom(5)
  store.holdings.take(taking(ANN, 5, { name: 'Name of Ann' }))
  const image = Buffer.from('a picture of somebody, in the clear')
  store.pictures.add(store.outbox.append('device-1', record).id, image)
  store.close()

  const onDisk = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))))
  expect(onDisk.includes(Buffer.from(ANN))).toBe(true)
  expect(onDisk.includes(Buffer.from('Name of Ann'))).toBe(false)
  expect(onDisk.includes(Buffer.from(bytesOfEmbedding(embedding)).subarray(0, 32))).toBe(false)
  expect(onDisk.includes(image)).toBe(false)
  expect(statSync(join(folder, 'key')).mode & 0o777).toBe(0o600)
})

test('under another key nobody is recognised until persons are fetched again; records stay', () => {
  const folder = scratchFolder()
  const store = open(folder)
  store.bind('device-1')
  store.holdings.take(taking(ANN, 5))
  const { id } = store.outbox.append('device-1', record)
  store.pictures.add(id, Buffer.from('picture'))
  store.close()
  writeFileSync(join(folder, 'key'), Buffer.alloc(32, 7))

  const { holdings, outbox, pictures } = open(folder)
  expect(holdings.nearest(embeddingFrom(5))).toEqual([])
  expect(holdings.position()).toBeNull()
  expect([...holdings.versions()]).toEqual([])
  outbox.acknowledge(outbox.epoch(), 1)
  expect(outbox.length()).toBe(0)
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
  store.holdings.take(taking(ANN, 5))
  store.outbox.append('device-1', record)
  store.close()

  const other = open(folder, { model: { modelId: 'better-512', dimensions: 512 } })
  expect(other.holdings.counts()).toEqual({ persons: 0, failed: 0 })
  expect(other.holdings.faces()).toBe(0)
  expect(other.holdings.position()).toBeNull()
  expect(other.outbox.length()).toBe(1)
})

test('after a change of the model it is told how many of how many are ready, over restarts, until all were tried', () => {
  const folder = scratchFolder()
  const [bob, cid] = [idOf('bob'), idOf('cid')] as const
  const first = open(folder)
  expect(first.holdings.renewing()).toBeNull()
  first.holdings.take({ ...taking(ANN, 1), persons: [ANN, bob, cid].flatMap((id, seed) => taking(id, seed).persons) })
  first.close()

  // Of the same length: only the model's id keeps its embeddings from being compared with the others.
  const model = { ...MODEL, modelId: 'another' }
  const second = open(folder, { model })
  expect(second.holdings.renewing()).toEqual({ ready: 0, total: 3 })
  expect(second.holdings.nearest(embeddingFrom(0))).toEqual([])
  second.holdings.take(taking(ANN, 20, { position: null }))
  second.close()

  const third = open(folder, { model })
  expect(third.holdings.renewing()).toEqual({ ready: 1, total: 3 })
  expect(third.holdings.nearest(embeddingFrom(0)).map(({ personId }) => personId)).toEqual([ANN])
  third.holdings.take({ ...taking(bob, 21), exceptions: [{ personId: cid, version: versionOf(1), reason: 'photoRefused' }] })
  expect(third.holdings.renewing()).toBeNull()
  third.close()
  expect(open(folder, { model }).holdings.renewing()).toBeNull()
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
  outbox.acknowledge(outbox.epoch(), 3)
  pictures.sent(ids[2]!)
  expect([outbox.length(), pictures.length()]).toEqual([0, 0])

  now += 6 * 86_400_000
  store.prune()
  const epoch = outbox.epoch()
  expect(outbox.reconcile([{ epoch, ackSeq: 1 }])).toBe('resending')
  expect(outbox.waiting(new Map(), 10)).toMatchObject({ oldestSeq: 1, records: [{ seq: 2 }, { seq: 3 }] })
  outbox.acknowledge(epoch, 3)
  expect(pictures.next()).toEqual({ recordId: ids[2], image: Buffer.from('picture') })

  now += 8 * 86_400_000
  store.prune()
  expect(outbox.reconcile([{ epoch, ackSeq: 0 }])).toBe('agreed')
  expect(outbox.append('device-1', record).seq).toBe(4)
  expect(outbox.waiting(new Map(), 10)).toMatchObject({ oldestSeq: 4, records: [{ seq: 4 }] })
})

test('pictures the restored server lost are sent again, also of records it still has', () => {
  let now = 1_760_000_000_000
  const { outbox, pictures } = open(scratchFolder(), { clock: () => now })
  const ids = [1, 2].map(() => outbox.append('device-1', record).id)
  for (const id of ids) pictures.add(id, Buffer.from(id))
  outbox.acknowledge(outbox.epoch(), 1)
  now += 1_000
  outbox.acknowledge(outbox.epoch(), 2)
  pictures.sent(ids[0]!)
  pictures.sent(ids[1]!)
  const third = outbox.append('device-1', record)
  outbox.acknowledge(outbox.epoch(), 3)
  expect(pictures.length()).toBe(0)

  expect(outbox.reconcile([{ epoch: outbox.epoch(), ackSeq: 2 }])).toBe('resending')
  expect(outbox.waiting(new Map(), 10)?.records.map(({ seq }) => seq)).toEqual([third.seq])
  expect(pictures.length()).toBe(2)
  expect(pictures.next()).toEqual({ recordId: ids[0], image: Buffer.from(ids[0]!) })
})

test('a store that was itself restored numbers in a new epoch, and what still waits keeps its old one', () => {
  let now = 1_760_000_000_000
  const { outbox, prune } = open(scratchFolder(), { clock: () => now })
  const before = outbox.epoch()
  outbox.append('device-1', record)
  expect(outbox.reconcile([{ epoch: before, ackSeq: 5 }])).toBe('newEpoch')
  expect(outbox.epoch()).not.toBe(before)
  expect(outbox.append('device-1', record)).toMatchObject({ seq: 1, epoch: outbox.epoch() })
  expect(outbox.waiting(new Map(), 10)).toMatchObject({ epoch: before, records: [{ seq: 1 }] })
  expect(outbox.waiting(new Map([[before, 1]]), 10)).toMatchObject({ epoch: outbox.epoch(), records: [{ seq: 1 }] })
  expect(outbox.epochs()).toEqual([before, outbox.epoch()])

  // Epochs without stored records are not reported.
  outbox.acknowledge(before, 1)
  outbox.acknowledge(outbox.epoch(), 1)
  now += 8 * 86_400_000
  prune()
  expect(outbox.epochs()).toEqual([outbox.epoch()])
})

test('each epoch is reconciled by what the server has of it', () => {
  const { outbox } = open(scratchFolder())
  const first = outbox.epoch()
  for (const _ of [1, 2, 3]) outbox.append('device-1', record)
  outbox.acknowledge(first, 3)
  outbox.reconcile([{ epoch: first, ackSeq: 9 }])
  const second = outbox.epoch()
  for (const _ of [1, 2]) outbox.append('device-1', record)
  expect(
    outbox.reconcile([
      { epoch: first, ackSeq: 2 },
      { epoch: second, ackSeq: 1 },
    ]),
  ).toBe('resending')
  expect(outbox.waiting(new Map(), 10)).toMatchObject({ epoch: first, oldestSeq: 1, records: [{ seq: 3 }] })
  expect(outbox.waiting(new Map([[first, 3]]), 10)).toMatchObject({ epoch: second, oldestSeq: 1, records: [{ seq: 2 }] })
  expect(outbox.epoch()).toBe(second)
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
