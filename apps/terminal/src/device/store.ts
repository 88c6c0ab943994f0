/** One data folder: key, SQLite file, and what lies in it. It belongs to one device and to one process. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { openDatabase, StoreUnusable } from './database.ts'
import { createHoldings, type Holdings, type Model } from './holdings.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { createPictureOutbox, type PictureOutbox } from './pictures.ts'
import { openVault } from './vault.ts'

const MEBIBYTE = 1_048_576

export interface StoreOptions {
  folder: string
  /** Code of the device the folder is to belong to. */
  code: string
  model: Model
  clock?: () => number
  /** Bytes all pictures together may take; 256 MiB unless told. */
  pictureQuota?: number
}

export interface Store {
  holdings: Holdings
  outbox: Outbox
  pictures: PictureOutbox
  /** Id of the device at the server, null before the first pairing. */
  deviceId(): string | null
  /**
   * Ties the folder to the device the server paired.
   * @throws StoreUnusable when it is tied to another one
   */
  bind(deviceId: string): void
  /** Drops what was kept long enough; what a full disk prevents waits for the next time. */
  prune(): void
  close(): void
}

/**
 * Opens a data folder, creating it where it is missing.
 * @throws StoreUnusable when it belongs to another device, is in use, or was written by a newer version
 */
export function openStore({ folder, code, model, clock = Date.now, pictureQuota = 256 * MEBIBYTE }: StoreOptions): Store {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const database = openDatabase(join(folder, 'terminal.sqlite'))
  try {
    claim(database, folder, code)
    const vault = openVault(folder)
    const outbox = createOutbox(database, clock)
    const pictures = createPictureOutbox(database, vault, clock, pictureQuota)
    const holdings = createHoldings(database, vault, model)

    return {
      holdings,
      outbox,
      pictures,
      deviceId: () => readMeta(database, 'deviceId'),
      bind(deviceId) {
        const bound = readMeta(database, 'deviceId')
        if (bound === deviceId) return
        if (bound !== null) {
          throw new StoreUnusable(
            `${folder} holds persons and records of "${code}" at another installation. Choose another folder with --data, or remove this one if they are not needed.`,
          )
        }
        writeMeta(database, 'deviceId', deviceId)
      },
      prune() {
        try {
          pictures.prune()
          outbox.prune()
        } catch {
          // Nothing is lost by keeping it.
        }
      },
      close: () => database.close(),
    }
  } catch (error) {
    database.close()
    throw error
  }
}

function claim(database: DatabaseSync, folder: string, code: string): void {
  const owner = readMeta(database, 'code')
  if (owner === null) writeMeta(database, 'code', code)
  else if (owner !== code) {
    throw new StoreUnusable(`${folder} belongs to device "${owner}", and this terminal is "${code}". Choose another folder with --data, or remove this one.`)
  }
}

function readMeta(database: DatabaseSync, name: string): string | null {
  return (database.prepare('SELECT value FROM meta WHERE name = ?').get(name) as { value: string } | undefined)?.value ?? null
}

function writeMeta(database: DatabaseSync, name: string, value: string): void {
  database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(name, value)
}
