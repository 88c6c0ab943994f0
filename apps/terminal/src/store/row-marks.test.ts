import { randomBytes, scryptSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openAccount } from '../console/account.ts'
import { openLocalPeople } from '../console/local-people.ts'
import { createStoredPersons } from '../device/stored-persons.ts'
import { embeddingFrom, MODEL, scratchFolder } from '../device/testing/folder.ts'
import { idOf, manifestWith, personWith, takenOf } from '../device/testing/objects.ts'
import { createConsolePassword } from './console-password.ts'
import { MIGRATIONS } from './database.ts'
import { learnMethods } from './learning-methods.ts'
import { learnPromises } from './learning-promises.ts'
import { markRows } from './marking.ts'
import { createPersonMarks, FIRST_MARKED, LOOSENING_MARKED } from './row-marks.ts'
import { openStore, type TerminalStore } from './store.ts'
import { openVault } from './vault.ts'

const ANN = idOf('ann')
const PASSAGE = {
  occurredAt: 1_760_000_000_000,
  personId: null,
  personName: '',
  result: 0,
  failReason: 904,
  verifyType: 1,
  direction: 1,
  score: 1,
  checks: '[]',
  revision: '',
  hasPicture: false,
}

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
    removed: [],
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
      'ALTER TABLE person DROP COLUMN mark; ALTER TABLE person DROP COLUMN face_threshold_loosens; ALTER TABLE person ' +
        'DROP COLUMN methods; DELETE FROM ' +
        `meta WHERE name = 'rulesMark'; PRAGMA user_version = ${MIGRATIONS.indexOf(markRows)}`,
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

/** A folder as the previous version left it: without the column for loosening, and marked without it. */
function folderWithoutPromises(): string {
  const folder = scratchFolder()
  const store = open(folder)
  fillTwo(store)
  const { database, vault } = store
  const marks = createPersonMarks(database, vault, MODEL.modelId, FIRST_MARKED)
  for (const id of [ANN, BOB]) marks.adopt(id)
  store.close()
  inTheFile(folder, (file) =>
    file.exec(
      'ALTER TABLE person DROP COLUMN face_threshold_loosens; ALTER TABLE person DROP COLUMN methods; ' +
        `PRAGMA user_version = ${MIGRATIONS.indexOf(learnPromises)}`,
    ),
  )
  return folder
}

test('a store that knew no promises works on as it is, and all that it passed over comes again', () => {
  const folder = folderWithoutPromises()
  const { holdings, close } = open(folder)
  expect([holdings.tampering(), holdings.counts(), holdings.credentials.holderOf('card', '77')]).toEqual([
    null,
    { persons: 2, failed: 0 },
    ANN,
  ])
  expect([holdings.version(ANN), holdings.position(), holdings.revision()]).toEqual(['f'.repeat(16), null, ''])
  expect([holdings.settings()?.threshold, holdings.strategiesOf(ANN).length]).toEqual([80, 1])
  close()
  expect(open(folder).holdings.tampering()).toBeNull()
})

test('what others changed in it before is found all the same: the step to promises makes nothing right', () => {
  const folder = folderWithoutPromises()
  inTheFile(folder, (file) => file.exec(`UPDATE person SET valid_to = NULL WHERE id = '${ANN}'; UPDATE time_rule SET body = '{}'`))
  const { holdings } = open(folder)
  expect([holdings.tampering(), holdings.person(ANN)?.enabled, holdings.exceptions().has(BOB)]).toEqual([
    { at: 1_000, persons: 1, rules: true },
    false,
    false,
  ])
})

/** A folder as the version without methods of persons left it. */
function folderWithoutMethods(): string {
  const folder = scratchFolder()
  const store = open(folder)
  fillTwo(store)
  const marks = createPersonMarks(store.database, store.vault, MODEL.modelId, LOOSENING_MARKED)
  for (const id of [ANN, BOB]) marks.adopt(id)
  store.close()
  inTheFile(folder, (file) =>
    file.exec(`ALTER TABLE person DROP COLUMN methods; PRAGMA user_version = ${MIGRATIONS.indexOf(learnMethods)}`),
  )
  return folder
}

test('a store without methods of persons and keys of passes works as it is, and its persons and settings are fetched again', () => {
  const folder = folderWithoutMethods()
  const { holdings, close } = open(folder)
  expect([holdings.tampering(), holdings.counts(), holdings.strategiesOf(ANN).length]).toEqual([null, { persons: 2, failed: 0 }, 1])
  expect(holdings.person(ANN)).not.toHaveProperty('methods')
  expect([holdings.version(ANN), holdings.position(), holdings.revision()]).toEqual(['f'.repeat(16), null, ''])
  close()
  expect(open(folder).holdings.tampering()).toBeNull()
})

test('the migration to methods does not mark rows that were changed before it', () => {
  const folder = folderWithoutMethods()
  inTheFile(folder, (file) => file.exec(`UPDATE person SET valid_to = NULL WHERE id = '${ANN}'`))
  const { holdings } = open(folder)
  expect([holdings.tampering(), holdings.person(ANN)?.enabled]).toEqual([{ at: 1_000, persons: 1, rules: false }, false])
})

test('the methods of a person are marked', () => {
  const folder = scratchFolder()
  const first = open(folder)
  fill(first)
  first.close()
  inTheFile(folder, (file) => file.exec(`UPDATE person SET methods = '[1]' WHERE id = '${ANN}'`))
  expect(open(folder).holdings.tampering()).toEqual({ at: 1_000, persons: 1, rules: false })
})

test('whose threshold loosens stands under the mark', () => {
  const folder = scratchFolder()
  const first = open(folder)
  fillTwo(first)
  first.close()
  inTheFile(folder, (file) => file.exec(`UPDATE person SET face_threshold_loosens = 1 WHERE id = '${BOB}'`))
  const { holdings } = open(folder)
  expect([holdings.tampering()?.persons, holdings.exceptions().get(BOB)?.reason]).toEqual([1, 'tampered'])
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
  // As the previous version sealed it: bound to the face alone.
  const faceId = ann.faces[0]!
  const { vault, database } = store
  const sealed = (bytes: Uint8Array) => vault.seal(bytes, faceId)
  database
    .prepare('UPDATE local_face SET picture = ?, template = ? WHERE id = ?')
    .run(sealed(face.picture), sealed(Buffer.from(face.embedding.buffer)), faceId)
  store.close()
  inTheFile(folder, (file) =>
    file.exec(
      'ALTER TABLE person DROP COLUMN mark; ALTER TABLE person DROP COLUMN face_threshold_loosens; ' +
        `ALTER TABLE person DROP COLUMN methods; PRAGMA user_version = ${MIGRATIONS.indexOf(markRows)}`,
    ),
  )
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

const BOB = idOf('bob')
const personOf = (id: string, seed: number, card: string, validTo: number | null = null) =>
  takenOf(personWith(id, embeddingFrom(seed), { credentials: cardOf(card), validTo }))
function fillTwo({ holdings }: TerminalStore): void {
  holdings.apply(manifestWith())
  holdings.take({
    persons: [personOf(ANN, 1, '77', 5), personOf(BOB, 2, '88')],
    exceptions: [],
    removed: [],
    position: { audience: 'audience-1', cursor: 7 },
  })
}

test('what was made to run by itself in the file signs nothing: it is dropped and said, and what is written stands', () => {
  const folder = scratchFolder()
  const first = open(folder)
  fillTwo(first)
  first.close()
  inTheFile(folder, (file) =>
    file.exec(`
      UPDATE person SET valid_to = NULL WHERE id = '${ANN}';
      CREATE TABLE aside AS SELECT * FROM person WHERE id = '${ANN}';
      CREATE VIEW seen AS SELECT * FROM person;
      CREATE TRIGGER back AFTER UPDATE OF version ON person WHEN NEW.failure = 'tampered' BEGIN
        UPDATE person SET (version, sealed, enabled, valid_to, strategy_ids, failure) = (
      SELECT version, sealed, enabled, NULL, strategy_ids, NULL FROM aside) WHERE id = NEW.id;
      END;
      CREATE TRIGGER kept BEFORE DELETE ON face BEGIN SELECT RAISE(IGNORE); END;
      CREATE TRIGGER longer AFTER INSERT ON person BEGIN UPDATE person SET valid_to = NULL WHERE id = NEW.id; END;
      CREATE TRIGGER silent BEFORE INSERT ON meta WHEN NEW.name = 'tampering' BEGIN SELECT RAISE(IGNORE); END`),
  )
  const second = open(folder)
  expect(second.holdings.tampering()).toEqual({ at: 1_000, persons: 1, rules: false })
  expect(second.holdings.person(ANN)?.enabled).toBe(false)
  fillTwo(second)
  second.close()
  const third = open(folder)
  expect([third.holdings.person(ANN)?.validTo, third.holdings.exceptions().size]).toEqual([5, 0])
  expect(third.database.prepare("SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view')").all()).toEqual([])
})

test('what only runs by itself and has changed nothing yet is said as well', () => {
  const folder = scratchFolder()
  const first = open(folder)
  fillTwo(first)
  first.close()
  inTheFile(folder, (file) => file.exec('CREATE TRIGGER "a ""quoted"" name" AFTER INSERT ON face BEGIN DELETE FROM face; END'))
  expect(open(folder).holdings.tampering()).toEqual({ at: 1_000, persons: 0, rules: false })
})

test('a card finds only those who have it, whatever the file finds', () => {
  const folder = scratchFolder()
  const first = open(folder)
  fillTwo(first)
  first.close()
  // The primary key finds the person of a card, and an index lists the cards of a person. The root page of the former is replaced by that
  // of a changed copy.
  inTheFile(folder, (file) => {
    file.exec(`CREATE TABLE copy (kind INTEGER NOT NULL, digest BLOB NOT NULL, person_id TEXT NOT NULL, PRIMARY KEY (kind,
      digest, person_id)) WITHOUT ROWID;
      INSERT INTO copy SELECT * FROM credential_key; UPDATE copy SET person_id = 'x' WHERE person_id = '${ANN}';
      UPDATE copy SET person_id = '${ANN}' WHERE person_id = '${BOB}'; UPDATE copy SET person_id = '${BOB}' WHERE person_id = 'x'`)
    file.enableDefensive(false)
    const pageOf = (name: string) =>
      (file.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name) as { rootpage: number }).rootpage
    const [own, other] = [pageOf('credential_key'), pageOf('copy')]
    file.exec(`PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = ${other} WHERE name = 'credential_key';
      UPDATE sqlite_schema SET rootpage = ${own} WHERE name = 'copy'; PRAGMA writable_schema = 0`)
  })
  const { holdings } = open(folder)
  expect([holdings.credentials.holderOf('card', '77'), holdings.credentials.holderOf('card', '88')]).toEqual([null, null])
})

test('a key of somebody who left opens for nobody else, and takes nothing from whoever has the card', () => {
  const folder = scratchFolder()
  const first = open(folder)
  fillTwo(first)
  const people = openLocalPeople(first.database, first.vault, MODEL, () => {})
  const local = people.add({ name: 'Loc', workNumber: '', card: '5', password: '', validFrom: null, validTo: null }, [])
  const [key] = first.database.prepare('SELECT kind, digest FROM credential_key WHERE person_id = ?').all(ANN) as {
    kind: number
    digest: Uint8Array
  }[]
  first.holdings.take({ persons: [], exceptions: [], removed: [ANN], position: null })
  first.close()
  inTheFile(folder, (file) => {
    const put = file.prepare('INSERT INTO credential_key (kind, digest, person_id) VALUES (?, ?, ?)')
    put.run(key!.kind, key!.digest, local.id)
    file.exec(`INSERT INTO credential_key SELECT kind, digest, 'somebody' FROM credential_key WHERE person_id = '${BOB}'`)
  })
  const { holdings } = open(folder)
  expect([holdings.credentials.holderOf('card', '77'), holdings.credentials.holderOf('card', '88')]).toEqual([null, BOB])
})

test('a template of another model is none, though nothing in the file was changed since', () => {
  const folder = scratchFolder()
  const first = open(folder)
  fillTwo(first)
  const [person] = first.database.prepare('SELECT * FROM person WHERE id = ?').all(ANN) as Record<
    string,
    string | number | Uint8Array | null
  >[]
  const [face] = first.database.prepare('SELECT * FROM face WHERE person_id = ?').all(ANN) as {
    person_id: string
    id: string
    template: Uint8Array
  }[]
  first.close()
  const other = openStore({ folder, code: 'GATE-1', model: { ...MODEL, modelId: 'another' } })
  other.close()
  inTheFile(folder, (file) => {
    const columns = Object.keys(person!)
    file.prepare(`INSERT INTO person (${columns.join()}) VALUES (${columns.map(() => '?').join()})`).run(...Object.values(person!))
    file.prepare('INSERT INTO face (person_id, id, template) VALUES (?, ?, ?)').run(face!.person_id, face!.id, face!.template)
  })
  const again = openStore({ folder, code: 'GATE-1', model: { ...MODEL, modelId: 'another' } })
  onTestFinished(() => again.close())
  expect([again.holdings.faces(), again.holdings.exceptions().get(ANN)?.reason]).toEqual([0, 'tampered'])
})

test('a password of the console that others wrote opens nothing, and gives way to a new one', async () => {
  const folder = scratchFolder()
  open(folder).close()
  const salt = randomBytes(16)
  const hash = `${salt.toString('base64')}.${scryptSync('mine', salt, 32).toString('base64')}`
  inTheFile(folder, (file) => file.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('consolePassword', ?)").run(hash))
  const { database, vault } = open(folder)
  const sentences: string[] = []
  const account = await openAccount({
    password: createConsolePassword(database, vault),
    setName: () => 'admin',
    ofServer: () => null,
    log: (sentence) => void sentences.push(sentence),
  })
  expect([await account.matches('admin', 'mine'), sentences]).toEqual([false, [expect.stringMatching(/password "\w{12}"/)]])
})

test.each([
  ['what was found', "INSERT OR REPLACE INTO meta VALUES ('tampering', '{')"],
  ['the trust in the server', "INSERT OR REPLACE INTO meta VALUES ('serverTrust', '{')"],
  ['a cursor beyond all numbers', 'UPDATE position SET cursor = 9223372036854775807'],
  ['an id that is no text', "INSERT INTO person (id, version, enabled, strategy_ids) VALUES (CAST(x'806161' AS TEXT), 'zz', 1, '[]')"],
  ['an id with a hole', "INSERT INTO person (id, version, enabled, strategy_ids) VALUES (CAST(x'6161007A7A' AS TEXT), '00', 1, '[]')"],
  ['an id of bytes', "INSERT INTO person (id, version, enabled, strategy_ids) VALUES (x'6161', '00', 1, '[]')"],
  ['somebody registered here who is a face', "INSERT INTO local_person SELECT person_id || '/' || id, template FROM face LIMIT 1"],
  ['a face registered here at no place', "INSERT INTO local_face SELECT 'f', id, 9223372036854775807, x'00', NULL, NULL FROM local_person"],
  ['a number after which no record comes', 'UPDATE epoch SET last_seq = 9223372036854775807'],
])('nothing stops it: %s', (_, sql) => {
  const folder = scratchFolder()
  const first = open(folder)
  fillTwo(first)
  const people = openLocalPeople(first.database, first.vault, MODEL, () => {})
  people.add({ name: 'Loc', workNumber: '', card: '5', password: '', validFrom: null, validTo: null }, [])
  const digest = createStoredPersons(first.holdings).digest()
  first.close()
  inTheFile(folder, (file) => file.exec(sql))
  const { holdings, database, vault, outbox, trust, bind } = open(folder)
  expect([createStoredPersons(holdings).digest(), holdings.counts(), trust()]).toEqual([digest, { persons: 2, failed: 0 }, null])
  expect(
    openLocalPeople(database, vault, MODEL, () => {})
      .find('')
      .map(({ name }) => name),
  ).toEqual(['Loc'])
  bind('device-1')
  expect(outbox.append('device-1', PASSAGE).seq).toBe(1)
})

test('a changed rule is said where the key was made to look like another as well', () => {
  const folder = scratchFolder()
  const first = open(folder)
  fillTwo(first)
  first.close()
  inTheFile(folder, (file) => file.exec("UPDATE meta SET value = 'x' WHERE name = 'keyDigest'; DELETE FROM strategy"))
  const { holdings } = open(folder)
  expect([holdings.tampering(), holdings.counts().persons]).toEqual([{ at: 1_000, persons: 0, rules: true }, 2])
})
