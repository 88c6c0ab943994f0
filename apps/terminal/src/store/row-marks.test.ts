import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openLocalPeople } from '../console/local-people.ts'
import { embeddingFrom, MODEL, scratchFolder } from '../device/testing-folder.ts'
import { idOf, manifestWith, personWith, takenOf } from '../device/testing-objects.ts'
import { MIGRATIONS } from './database.ts'
import { markRows } from './row-marks.ts'
import { openStore, type TerminalStore } from './store.ts'
import { openVault } from './vault.ts'

const ANN = idOf('ann')

function open(folder: string): TerminalStore {
  const store = openStore({ folder, code: 'GATE-1', model: MODEL, clock: () => 1_000 })
  onTestFinished(() => {
    try {
      store.close()
    } catch {
      // Closed by the test.
    }
  })
  return store
}

function fill({ holdings }: TerminalStore): void {
  holdings.apply(manifestWith())
  holdings.take({
    persons: [takenOf(personWith(ANN, embeddingFrom(1), { name: 'Ann', credentials: cardOf('77') }))],
    exceptions: [],
    gone: [],
    position: { audience: 'audience-1', cursor: 7 },
  })
}
const cardOf = (number: string) => ({
  cards: [number],
  idNumber: null,
  personalPassword: null,
  cardPassword: null,
  qrCodes: [],
  handprints: [],
})

function inTheFile(folder: string, change: (file: DatabaseSync) => void): void {
  const file = new DatabaseSync(join(folder, 'terminal.sqlite'), { enableForeignKeyConstraints: false })
  change(file)
  file.close()
}

test('a store of the version before is marked as it stands: all of it works until everybody has come anew', () => {
  const folder = scratchFolder()
  const before = open(folder)
  fill(before)
  before.close()
  inTheFile(folder, (file) =>
    file.exec(
      `ALTER TABLE person DROP COLUMN mark; DELETE FROM meta WHERE name = 'rulesMark'; PRAGMA user_version = ${MIGRATIONS.indexOf(markRows)}`,
    ),
  )
  const { holdings, close } = open(folder)
  expect([holdings.tampering(), holdings.counts(), holdings.person(ANN)?.name, holdings.credentials.holderOf('card', '77')]).toEqual([
    null,
    { persons: 1, failed: 0 },
    'Ann',
    ANN,
  ])
  expect(holdings.strategiesOf(ANN)).toHaveLength(1)
  expect([holdings.version(ANN), holdings.position(), holdings.revision()]).toEqual(['f'.repeat(16), null, ''])
  close()
  expect(open(folder).holdings.tampering()).toBeNull()
})

test('what was found is remembered, until more is found', () => {
  const folder = scratchFolder()
  const first = open(folder)
  fill(first)
  expect(first.holdings.tampering()).toBeNull()
  first.close()
  inTheFile(folder, (file) => file.exec('UPDATE person SET valid_to = 5; DELETE FROM time_rule'))
  const second = open(folder)
  expect(second.holdings.tampering()).toEqual({ at: 1_000, persons: 1, rules: true })
  second.close()
  expect(open(folder).holdings.tampering()).toEqual({ at: 1_000, persons: 1, rules: true })
})

test('under another key nothing was changed by anybody, and nothing is held', () => {
  const folder = scratchFolder()
  const first = open(folder)
  fill(first)
  first.close()
  writeFileSync(join(folder, 'key'), randomBytes(32))
  const { holdings } = open(folder)
  expect([holdings.tampering(), holdings.counts().persons, holdings.revision()]).toEqual([null, 0, ''])
})

test('a mark tells values apart that look alike', () => {
  const vault = openVault(scratchFolder())
  const marks = [['ab', 'c'], ['a', 'bc'], ['abc'], ['abc', ''], ['abc', null], [1], ['1'], [Buffer.from('1')], []].map((values) =>
    Buffer.from(vault.mac('bound', values)).toString('hex'),
  )
  expect(new Set(marks).size).toBe(marks.length)
  expect(vault.mac('bound', ['ab'])).toEqual(vault.mac('bound', ['ab']))
  expect(vault.mac('other', ['ab'])).not.toEqual(vault.mac('bound', ['ab']))
})

test('a face of somebody registered here opens no door for another, and is sealed anew by whoever comes from a version before', () => {
  const folder = scratchFolder()
  const store = open(folder)
  const entry = { workNumber: '', card: '', password: '', validFrom: null, validTo: null }
  const face = { picture: Buffer.from('a picture'), embedding: embeddingFrom(1) }
  const people = openLocalPeople(store.database, store.vault, MODEL, () => {})
  const [ann, bob] = [people.add({ ...entry, name: 'Ann' }, [face]), people.add({ ...entry, name: 'Bob' }, [])]
  // As the version before sealed it: for the face alone.
  const faceId = ann.faces[0]!
  const { vault, database } = store
  const sealed = (bytes: Uint8Array) => vault.seal(bytes, faceId)
  database
    .prepare('UPDATE local_face SET picture = ?, template = ? WHERE id = ?')
    .run(sealed(face.picture), sealed(Buffer.from(face.embedding.buffer)), faceId)
  store.close()
  inTheFile(folder, (file) => file.exec(`ALTER TABLE person DROP COLUMN mark; PRAGMA user_version = ${MIGRATIONS.indexOf(markRows)}`))
  const second = open(folder)
  const again = openLocalPeople(second.database, second.vault, MODEL, () => {})
  expect(again.nearest(embeddingFrom(1))[0]).toMatchObject({ personId: ann.id, distance: 0 })
  expect(Buffer.from(again.picture(faceId)!).toString()).toBe('a picture')
  second.close()

  inTheFile(folder, (file) => file.prepare('UPDATE local_face SET person_id = ? WHERE id = ?').run(bob.id, faceId))
  const third = open(folder)
  const sentences: string[] = []
  const moved = openLocalPeople(third.database, third.vault, MODEL, (sentence) => void sentences.push(sentence))
  expect(moved.nearest(embeddingFrom(1))).toEqual([])
  expect(moved.picture(faceId)).toBeNull()
  expect(sentences).toEqual([expect.stringMatching(/1 faces? of people registered at this terminal/)])
})
