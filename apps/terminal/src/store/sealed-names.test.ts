/** Names of persons are never on the disk of a terminal in clear: neither those written now, nor those of an older version. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { createKeptRecords } from '../console/kept-records.ts'
import { embeddingFrom, MODEL, scratchFolder } from '../device/testing/folder.ts'
import { contactWith, idOf, manifestWith, personWith, takenOf } from '../device/testing/objects.ts'
import { MIGRATIONS } from './database.ts'
import { sealNames } from './sealing.ts'
import { openStore, type StoreOptions, type TerminalStore } from './store.ts'

const ANN = idOf('ann')
const [NAME, WORK_NUMBER, MOTHER] = ['Quirinus Vandersloot', 'WORK-4711-0815', 'Ottoline Vandersloot']
const CLEAR = [NAME, WORK_NUMBER, MOTHER, '36.61']

const record: Omit<RecordObject, 'seq'> = {
  occurredAt: 1_760_000_000_000,
  personId: ANN,
  personName: NAME,
  contactId: 'mother',
  contactName: MOTHER,
  result: 1,
  failReason: null,
  verifyType: 1,
  direction: 1,
  score: 84.2,
  temperature: 36.61,
  temperatureStatus: 2,
  mask: 1,
  checks: '[]',
  revision: 'r',
  hasPicture: false,
}
const stranger: Omit<RecordObject, 'seq'> = {
  occurredAt: 1_760_000_000_001,
  personId: null,
  personName: '',
  result: 0,
  failReason: 904,
  verifyType: 1,
  direction: 1,
  score: null,
  checks: '[]',
  revision: 'r',
  hasPicture: false,
}

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

const onDisk = (folder: string): string[] =>
  CLEAR.filter((text) => readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(text)))

const named = ({ holdings, outbox, database, vault }: TerminalStore) => {
  const person = holdings.person(ANN)
  return {
    name: person?.name,
    workNumber: person?.workNumber,
    contacts: person?.contacts?.map(({ id, name, human }) => ({ id, name, human })),
    nearest: holdings.nearest(embeddingFrom(2)).map(({ contactId }) => contactId),
    position: holdings.position(),
    waiting: outbox.waiting(new Map(), 10)?.records,
    kept: createKeptRecords(database, vault).all()[0]?.records,
  }
}
const EXPECTED = {
  name: NAME,
  workNumber: WORK_NUMBER,
  contacts: [{ id: 'mother', name: MOTHER, human: 'one human' }],
  nearest: ['mother'],
  position: { audience: 'audience-1', cursor: 7 },
  waiting: [
    { ...record, seq: 1 },
    { ...stranger, seq: 2 },
  ],
  kept: [
    { ...record, seq: 1 },
    { ...stranger, seq: 2 },
  ],
}

function fill({ holdings, outbox }: TerminalStore): void {
  holdings.apply(manifestWith())
  const contacts = [{ ...contactWith('mother', embeddingFrom(2), MOTHER), human: 'one human' }]
  holdings.take({
    persons: [takenOf(personWith(ANN, embeddingFrom(1), { name: NAME, workNumber: WORK_NUMBER, contacts }))],
    exceptions: [],
    removed: [],
    position: { audience: 'audience-1', cursor: 7 },
  })
  outbox.append('device-1', record)
  outbox.append('device-1', stranger)
}

/** A folder as the previous version left it, with everything in clear, in used pages and in free ones. */
function folderOfBefore(): string {
  const folder = scratchFolder()
  const store = open(folder)
  fill(store)
  store.close()
  const file = new DatabaseSync(join(folder, 'terminal.sqlite'))
  file.exec(`PRAGMA secure_delete = OFF;
    ALTER TABLE person DROP COLUMN mark; ALTER TABLE person DROP COLUMN face_threshold_loosens; ALTER TABLE person DROP COLUMN methods;
      ALTER TABLE person DROP COLUMN sealed; ALTER TABLE record DROP COLUMN sealed;
    ALTER TABLE person ADD COLUMN name TEXT NOT NULL DEFAULT ''; ALTER TABLE person ADD COLUMN work_number TEXT NOT NULL DEFAULT ''`)
  file.prepare('UPDATE person SET name = ?, work_number = ?').run(NAME, WORK_NUMBER)
  const { contacts } = file.prepare('SELECT contacts FROM person').get() as { contacts: string }
  const called = (JSON.parse(contacts) as object[]).map((contact) => ({ ...contact, name: MOTHER }))
  file.prepare('UPDATE person SET contacts = ?').run(JSON.stringify(called))
  for (const [at, each] of [record, stranger].entries())
    file.prepare('UPDATE record SET body = ? WHERE seq = ?').run(JSON.stringify({ ...each, seq: at + 1 }), at + 1)
  file.exec('CREATE TABLE given_up (text TEXT)')
  for (let row = 0; row < 200; row++) file.prepare('INSERT INTO given_up VALUES (?)').run(`${NAME} ${WORK_NUMBER} ${row}`)
  file.exec(`DROP TABLE given_up; PRAGMA user_version = ${MIGRATIONS.indexOf(sealNames)}`)
  file.close()
  expect(onDisk(folder)).toEqual(CLEAR)
  return folder
}

test('names, work numbers and what a record says of somebody are sealed, found after a restart, and not on the disk meanwhile', () => {
  const folder = scratchFolder()
  const first = open(folder)
  fill(first)
  expect(named(first)).toEqual(EXPECTED)
  expect(onDisk(folder)).toEqual([])
  first.close()
  const second = open(folder)
  expect(named(second)).toEqual(EXPECTED)
  second.close()
  expect(onDisk(folder)).toEqual([])
})

/** All of it is fetched again, with marks; nobody is missing until then. */
const FORGOTTEN = { ...EXPECTED, position: null }

test('a store of a version before is sealed in place: nothing is lost, and no page keeps a name', () => {
  const folder = folderOfBefore()
  const store = open(folder)
  expect(named(store)).toEqual(FORGOTTEN)
  expect(onDisk(folder)).toEqual([])
  store.close()
  expect(onDisk(folder)).toEqual([])
})

test.each([1, 2])('a terminal that is killed while it seals is as before, and seals at the next start (seal %i)', (at) => {
  const folder = folderOfBefore()
  const program = `
    import { migrate, openDatabase } from ${JSON.stringify(join(import.meta.dirname, 'database.ts'))}
    import { openVault } from ${JSON.stringify(join(import.meta.dirname, 'vault.ts'))}
    const vault = openVault(${JSON.stringify(folder)})
    let seals = 0
    const seal = (...given) => (++seals === ${at} ? process.kill(process.pid, 'SIGKILL') : vault.seal(...given))
    migrate(openDatabase(${JSON.stringify(join(folder, 'terminal.sqlite'))}), { ...vault, seal })`
  const { signal } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program])
  expect(signal).toBe('SIGKILL')
  const store = open(folder)
  expect(named(store)).toEqual(FORGOTTEN)
  store.close()
  expect(onDisk(folder)).toEqual([])
})

test('pages that were not cleared away for want of room, or of power, are at the next start', () => {
  const folder = scratchFolder()
  open(folder).close()
  const file = new DatabaseSync(join(folder, 'terminal.sqlite'))
  file.exec("PRAGMA secure_delete = OFF; CREATE TABLE given_up (text TEXT); INSERT INTO meta VALUES ('vacuumDue', '1')")
  for (let row = 0; row < 200; row++) file.prepare('INSERT INTO given_up VALUES (?)').run(`${NAME} ${row}`)
  file.exec('DROP TABLE given_up')
  file.close()
  expect(onDisk(folder)).toEqual([NAME])
  const store = open(folder)
  expect(onDisk(folder)).toEqual([])
  expect(store.database.prepare("SELECT 1 FROM meta WHERE name = 'vacuumDue'").get()).toBeUndefined()
})

test('names that were changed, or sealed under another key, are empty; the record goes to the server all the same', () => {
  const folder = scratchFolder()
  const first = open(folder)
  fill(first)
  first.database.prepare('UPDATE person SET sealed = zeroblob(length(sealed))').run()
  expect(first.holdings.person(ANN)).toMatchObject({ name: '', workNumber: '', enabled: true })
  first.close()
  writeFileSync(join(folder, 'key'), Buffer.alloc(32, 7))
  const { personName: _, contactName: _contact, temperature: _degrees, temperatureStatus: _status, ...rest } = record
  expect(open(folder).outbox.waiting(new Map(), 10)?.records).toEqual([
    { ...rest, personName: '', seq: 1 },
    { ...stranger, seq: 2 },
  ])
})

test('the key lies elsewhere when told: it is moved there, and without it nothing is opened, or made anew', () => {
  const [folder, medium] = [scratchFolder(), join(scratchFolder(), 'medium')]
  mkdirSync(medium)
  const keyFile = join(medium, 'gate-1.key')
  const first = open(folder)
  fill(first)
  first.close()
  const key = readFileSync(join(folder, 'key'))
  const moved = open(folder, { keyFile })
  expect(named(moved)).toEqual(EXPECTED)
  moved.close()
  expect([existsSync(join(folder, 'key')), readFileSync(keyFile).equals(key), statSync(keyFile).mode & 0o777]).toEqual([false, true, 0o600])
  expect(readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(key))).toBe(false)

  renameSync(medium, `${medium} away`)
  expect(() => open(folder, { keyFile })).toThrow(/is missing.*Is its medium in place/)
  mkdirSync(medium)
  expect(() => open(folder, { keyFile })).toThrow(/is missing/)
  expect(() => open(folder)).toThrow(/--data-key-file .*gate-1\.key/)
  expect(readdirSync(medium)).toEqual([])
  rmSync(medium, { recursive: true })
  renameSync(`${medium} away`, medium)
  expect(named(open(folder, { keyFile }))).toEqual(EXPECTED)
})

test('a folder of another device keeps its key where it is', () => {
  const [folder, elsewhere] = [scratchFolder(), join(scratchFolder(), 'key')]
  open(folder).close()
  expect(() => open(folder, { code: 'GATE-2', keyFile: elsewhere })).toThrow(/belongs to device/)
  expect([existsSync(join(folder, 'key')), existsSync(elsewhere)]).toEqual([true, false])
})
