/** The terminal's SQLite file: opened by one process, migrated, and written so that a power failure loses nothing committed. */
import { chmodSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreUnusable } from '../device/store.ts'
import { learnMethods } from './learning-methods.ts'
import { learnNumbered } from './learning-numbered.ts'
import { learnPasses } from './learning-passes.ts'
import { learnPromises } from './learning-promises.ts'
import { learnVisits } from './learning-visits.ts'
import { markRows } from './marking.ts'
import { sealNames } from './sealing.ts'
import type { Vault } from './vault.ts'

/** SQL statements, or a function that also needs the vault. */
type Migration = string | ((database: DatabaseSync, vault: Vault) => void)

/** Name under which it is noted that the file contains pages with names in clear. */
const VACUUM_DUE = 'vacuumDue'

/** Each entry migrates the file from the version equal to its index to the next. Entries are only ever appended. */
export const MIGRATIONS: readonly Migration[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE person (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    name TEXT NOT NULL,
    work_number TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    valid_from INTEGER,
    valid_to INTEGER,
    failure TEXT
  ) WITHOUT ROWID;
  CREATE TABLE face (
    person_id TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    template BLOB NOT NULL,
    PRIMARY KEY (person_id, id)
  );
  CREATE TABLE entitlement (person_id TEXT PRIMARY KEY, strategy_ids TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE strategy (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE time_rule (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE epoch (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, last_seq INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE record (
    epoch INTEGER NOT NULL REFERENCES epoch (number),
    seq INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL,
    acknowledged_at INTEGER,
    PRIMARY KEY (epoch, seq)
  ) WITHOUT ROWID;
  CREATE INDEX record_waiting ON record (epoch, seq) WHERE acknowledged_at IS NULL;
  CREATE INDEX record_acknowledged ON record (acknowledged_at) WHERE acknowledged_at IS NOT NULL;

  CREATE TABLE picture (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    record_id TEXT NOT NULL UNIQUE,
    bytes INTEGER NOT NULL,
    image BLOB NOT NULL,
    sent_at INTEGER
  );
  CREATE INDEX picture_waiting ON picture (number) WHERE sent_at IS NULL;
  `,
  // Persons by audience and digest. Persons of the old form are fetched again, with strategies that arrive with them.
  `
  DROP TABLE entitlement;
  DROP TABLE face;
  DROP TABLE person;
  DELETE FROM meta WHERE name IN ('revision', 'completeRevision');

  CREATE TABLE person (
    id TEXT PRIMARY KEY,
    version TEXT NOT NULL,
    name TEXT NOT NULL,
    work_number TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    valid_from INTEGER,
    valid_to INTEGER,
    strategy_ids TEXT NOT NULL,
    failure TEXT
  ) WITHOUT ROWID;
  CREATE TABLE face (
    person_id TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    template BLOB NOT NULL,
    PRIMARY KEY (person_id, id)
  );
  CREATE TABLE position (one INTEGER PRIMARY KEY CHECK (one = 1), audience TEXT NOT NULL, cursor INTEGER NOT NULL);
  `,
  // Thresholds of persons and look-alikes. The previous version ignored these fields, of persons and of settings, under the same versions
  // and the same revision. So all are fetched again, and the door works by the stored data until then. No version is zero, because zero is
  // the digest of no persons.
  `
  ALTER TABLE person ADD COLUMN face_threshold REAL;
  ALTER TABLE person ADD COLUMN look_alikes TEXT NOT NULL DEFAULT '[]';
  UPDATE person SET version = 'ffffffffffffffff';
  DELETE FROM position;
  DELETE FROM meta WHERE name = 'revision';
  `,
  // Cards, numbers, passwords and codes, and further settings of the server: ignored before under the same versions and revision.
  `
  CREATE TABLE credential (person_id TEXT PRIMARY KEY REFERENCES person (id) ON DELETE CASCADE, sealed BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE credential_key (
    kind INTEGER NOT NULL,
    digest BLOB NOT NULL,
    person_id TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    PRIMARY KEY (kind, digest, person_id)
  ) WITHOUT ROWID;
  CREATE INDEX credential_key_person ON credential_key (person_id);
  UPDATE person SET version = 'ffffffffffffffff';
  DELETE FROM position;
  DELETE FROM meta WHERE name = 'revision';
  `,
  // People registered at the terminal itself: sealed completely, and separate from everybody the server sends.
  `
  CREATE TABLE local_person (id TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE local_face (
    id TEXT PRIMARY KEY,
    person_id TEXT NOT NULL REFERENCES local_person (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    picture BLOB NOT NULL,
    model_id TEXT,
    template BLOB
  );
  CREATE INDEX local_face_person ON local_face (person_id, place);
  `,
  // Contacts who come in a person's place, and the strategies that admit them: ignored before under the same versions and revision.
  `
  ALTER TABLE person ADD COLUMN contacts TEXT NOT NULL DEFAULT '[]';
  UPDATE person SET version = 'ffffffffffffffff';
  DELETE FROM position;
  DELETE FROM meta WHERE name = 'revision';
  `,
  // Which persons and contacts are the same human: ignored before under the same versions.
  `
  ALTER TABLE person ADD COLUMN human TEXT;
  UPDATE person SET version = 'ffffffffffffffff';
  DELETE FROM position;
  `,
  // Records of persons who were erased: found by the person, and marked until the server has them.
  `
  ALTER TABLE record ADD COLUMN person_id TEXT GENERATED ALWAYS AS (json_extract(body, '$.personId')) VIRTUAL;
  ALTER TABLE record ADD COLUMN erased INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX record_person ON record (person_id) WHERE person_id IS NOT NULL;
  CREATE INDEX record_erased ON record (epoch, seq) WHERE erased = 1;
  `,
  // Document numbers and passwords arrive sealed; a version that could not open them did not receive them at all.
  `
  UPDATE person SET version = 'ffffffffffffffff';
  DELETE FROM position;
  `,
  // Names of persons, stored in clear before.
  sealNames,
  // A mark by the key on all data that decisions read. Existing data are marked as they are, because the door must work until the server
  // has sent everybody again. Faces of people registered here are bound to their person.
  markRows,
  // Promises about strangers, and thresholds of persons that loosen: ignored before under the same revision and versions.
  learnPromises,
  // Access methods that a person may use: ignored before under the same versions.
  learnMethods,
  // Passes of visitors: their keys were ignored before under the same revision.
  learnPasses,
  // Visits of a visitor machine: whether the device is one was ignored before under the same revision.
  learnVisits,
  // Numbered events and captures, which the previous version did not send.
  learnNumbered,
]

/**
 * Open the file as it is; `migrate` brings it to this version.
 * @throws StoreUnusable when another process uses the file, or a newer version of the terminal wrote it
 */
export function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 500 })
  try {
    chmodSync(file, 0o600)
    // Locked exclusively: two terminals that number records in one file would lose some of them.
    database.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA ' +
        'foreign_keys = ON; PRAGMA wal_autocheckpoint = 200',
    )
    // Deleted data are overwritten: a name must not stay readable in a page that happens not to be used again.
    database.exec('PRAGMA secure_delete = ON')
    // The lock is taken here.
    const version = transaction(database, () => versionOf(database))
    if (version > MIGRATIONS.length) {
      throw new StoreUnusable(
        `${file} was written by a newer version of the terminal. Install that version, or choose another folder with --data.`,
      )
    }
    return database
  } catch (error) {
    database.close()
    if (error instanceof Error && error.message.includes('database is locked')) {
      throw new StoreUnusable(
        `${file} is in use: another terminal runs on this data folder. Stop it, or choose another folder with --data.`,
      )
    }
    throw error
  }
}

/**
 * Drop triggers and views, of which this program creates none: they run by themselves or stand in for a table.
 * @returns whether there were any
 */
export function dropForeign(database: DatabaseSync): boolean {
  const foreign = database.prepare("SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view')").all() as {
    type: string
    name: string
  }[]
  for (const { type, name } of foreign) database.exec(`DROP ${type} "${name.replaceAll('"', '""')}"`)
  return foreign.length > 0
}

/** Return the version of an opened file; 0 for a new one. */
export function versionOf(database: DatabaseSync): number {
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
}

/** Migrate an opened file to this version, completely or not at all, and then remove the previous content. */
export function migrate(database: DatabaseSync, vault: Vault): void {
  const version = versionOf(database)
  if (version < MIGRATIONS.length) {
    transaction(database, () => {
      for (const step of MIGRATIONS.slice(version)) {
        if (typeof step === 'string') database.exec(step)
        else step(database, vault)
      }
      if (version > 0) database.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES (?, '1')").run(VACUUM_DUE)
      database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
    })
  }
  if (database.prepare('SELECT 1 FROM meta WHERE name = ?').get(VACUUM_DUE) !== undefined) vacuum(database)
}

/** Write the file again, without unused pages. If that fails, on a full disk for instance, it stays due for the next start. */
function vacuum(database: DatabaseSync): void {
  try {
    database.exec('VACUUM')
    clearLog(database)
    database.prepare('DELETE FROM meta WHERE name = ?').run(VACUUM_DUE)
  } catch {
    // It stays due.
  }
}

/** Empty the log, which contains previous content until it is restarted. */
export function clearLog(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // On a full disk it is overwritten later.
  }
}

/** Run `work` in a transaction: completely or not at all. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // A full disk may have rolled back already.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
