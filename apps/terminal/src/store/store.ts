/** One data folder: key, SQLite file, and their content. It belongs to one device and to one process. */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { NumberedKind, NumberedOutbox } from '../device/numbered.ts'
import { StoreUnusable, type Erasures, type ServerTrust, type Store } from '../device/store.ts'
import { clearLog, dropForeign, migrate, openDatabase, transaction, versionOf } from './database.ts'
import { createErasures, forgetErasures } from './erasures.ts'
import { createHoldings, type Model, type SearchableHoldings } from './holdings.ts'
import { dropMeta, readMeta, writeMeta } from './meta.ts'
import { createNumberedOutbox } from './numbered-outbox.ts'
import { createOutbox } from './outbox.ts'
import { createPictureOutbox } from './pictures.ts'
import { createRoom, withRoom, type Room } from './room.ts'
import { createSecretStore, type SecretStore } from './secrets.ts'
import { createUsedPasses, type UsedPasses } from './used-passes.ts'
import { openVault, type Vault } from './vault.ts'
import { createVisitStore, type VisitStore } from './visits.ts'

/** Name under which the id of a removed device is stored. */
const REMOVED = 'removedDevice'
/** Name under which the trust in the server is stored. */
const TRUST = 'serverTrust'
/** Name under which the path of the key is stored if it is not in the folder. */
const KEY_FILE = 'keyFile'
const MEBIBYTE = 1_048_576

export interface StoreOptions {
  folder: string
  /** Code of the device the folder must belong to. */
  code: string
  /** Path of the key that seals the data; default: in the folder. */
  keyFile?: string | undefined
  model: Model
  clock?: () => number
  /** Bytes that all pictures together may take; default 256 MiB. */
  pictureQuota?: number
  /** The same for pictures of numbered events and captures; default 128 MiB. */
  numberedPictureQuota?: number
}

export interface TerminalStore extends Store, Room {
  /** For modules with tables of their own, sealed like the others. */
  readonly database: DatabaseSync
  readonly vault: Vault
  readonly holdings: SearchableHoldings
  readonly secrets: SecretStore
  readonly usedPasses: UsedPasses
  readonly numbered: NumberedOutbox
  /** Visits and events of a visitor machine. */
  readonly visits: VisitStore
  /** Delete old records and pictures; what a full disk prevents is done the next time. */
  prune(): void
  /** As of the outbox of numbered items; what a full disk prevents is done the next time. */
  forgetSent(kind: NumberedKind, before: number): void
  close(): void
}

/**
 * Open a data folder, creating it if it is missing.
 * @throws StoreUnusable when it belongs to another device, is in use, was written by a newer version, or its key is missing
 */
export function openStore({
  folder,
  code,
  keyFile,
  model,
  clock = Date.now,
  pictureQuota = 256 * MEBIBYTE,
  numberedPictureQuota = 128 * MEBIBYTE,
}: StoreOptions): TerminalStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const database = openDatabase(join(folder, 'terminal.sqlite'))
  try {
    const isNew = versionOf(database) === 0
    const hadForeign = dropForeign(database)
    // Checked before anything in the folder is created or moved: it may belong to another device.
    if (!isNew) claim(database, folder, code)
    const vault = openVault(folder, {
      keyFile,
      keyFileBefore: isNew ? null : readMeta(database, KEY_FILE),
      isInUse: !isNew && readMeta(database, 'keyDigest') !== null,
    })
    migrate(database, vault)
    claim(database, folder, code)
    if (keyFile === undefined) dropMeta(database, KEY_FILE)
    else if (readMeta(database, KEY_FILE) !== resolve(keyFile)) writeMeta(database, KEY_FILE, resolve(keyFile))
    const outbox = createOutbox(database, vault, clock)
    const pictures = createPictureOutbox(database, vault, clock, pictureQuota)
    const numbered = createNumberedOutbox(database, vault, clock, numberedPictureQuota)
    const holdings = createHoldings(database, vault, model, { clock, isFileChanged: hadForeign })
    const usedPasses = createUsedPasses(database, clock)
    const visits = createVisitStore(database, vault)
    const room = createRoom({ database, folder, clock, dropPictures: () => pictures.makeRoom() + numbered.makeRoom() })

    return {
      ...room,
      database,
      vault,
      holdings,
      secrets: createSecretStore(database, vault),
      usedPasses,
      visits,
      outbox,
      pictures,
      numbered: withRoom(numbered, room),
      erasures: withVisits(createErasures(database, pictures), visits),
      deviceId: () => readMeta(database, 'deviceId'),
      bind(deviceId) {
        const bound = readMeta(database, 'deviceId')
        if (bound === deviceId) return
        if (bound !== null) {
          throw new StoreUnusable(
            `${folder} holds persons and records of "${code}" at another installation. Choose another folder with ` +
              '--data, or remove this one if they are not needed.',
          )
        }
        transaction(database, () => {
          writeMeta(database, 'deviceId', deviceId)
          dropMeta(database, REMOVED)
        })
      },
      removed: () => readMeta(database, REMOVED),
      release() {
        const deviceId = readMeta(database, 'deviceId')
        const lost = outbox.clear() + visits.clear() + numbered.clear()
        pictures.clear()
        // Last, so that an interrupted release is repeated.
        transaction(database, () => {
          if (deviceId !== null) writeMeta(database, REMOVED, deviceId)
          dropMeta(database, 'deviceId')
          forgetErasures(database)
        })
        clearLog(database)
        return lost
      },
      trust() {
        const kept = readMeta(database, TRUST)
        try {
          return kept === null ? null : (JSON.parse(kept) as ServerTrust)
        } catch {
          // The server has to prove itself again.
          return null
        }
      },
      keepTrust: (trust) => writeMeta(database, TRUST, JSON.stringify(trust)),
      prune() {
        try {
          pictures.prune()
          outbox.prune()
          numbered.prune()
          usedPasses.prune()
        } catch {
          // Nothing is lost by keeping it.
        }
      },
      forgetSent(kind, before) {
        try {
          numbered.forgetSent(kind, before)
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

/** Carry out erasures on the visits as well, first: what is interrupted is taken again. */
const withVisits = (erasures: Erasures, visits: VisitStore): Erasures => ({
  ...erasures,
  take(personIds, newest) {
    visits.erase(personIds)
    erasures.take(personIds, newest)
  },
})

function claim(database: DatabaseSync, folder: string, code: string): void {
  const owner = readMeta(database, 'code')
  if (owner === null) writeMeta(database, 'code', code)
  else if (owner !== code) {
    throw new StoreUnusable(
      `${folder} belongs to device "${owner}", and this terminal is "${code}". Choose another folder with --data, or remove this one.`,
    )
  }
}
