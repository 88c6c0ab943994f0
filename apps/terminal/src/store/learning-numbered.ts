/** Migration to a store with numbered events and captures. */
import type { DatabaseSync } from 'node:sqlite'

export function learnNumbered(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE IF NOT EXISTS numbered_epoch (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      name TEXT NOT NULL UNIQUE,
      last_seq INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE IF NOT EXISTS numbered_item (
      epoch INTEGER NOT NULL REFERENCES numbered_epoch (number),
      seq INTEGER NOT NULL,
      body TEXT,
      sealed BLOB,
      acknowledged_at INTEGER,
      PRIMARY KEY (epoch, seq)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS numbered_item_waiting ON numbered_item (epoch, seq) WHERE acknowledged_at IS NULL;
    CREATE INDEX IF NOT EXISTS numbered_item_acknowledged ON numbered_item (acknowledged_at) WHERE acknowledged_at IS NOT NULL;
    CREATE TABLE IF NOT EXISTS numbered_picture (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      epoch INTEGER NOT NULL REFERENCES numbered_epoch (number),
      seq INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      image BLOB NOT NULL,
      sent_at INTEGER,
      UNIQUE (epoch, seq)
    );
    CREATE INDEX IF NOT EXISTS numbered_picture_waiting ON numbered_picture (number) WHERE sent_at IS NULL;
  `)
}
