/** Room on a full disk: pictures give way, so that records and numbered items can still be written. */
import type { DatabaseSync } from 'node:sqlite'
import type { NumberedOutbox } from '../device/numbered.ts'
import { createReserve } from './reserve.ts'

/** Milliseconds after a full disk until the reserve is taken again. */
const TIGHT_FOR = 60_000
/** Pages of 4 KiB kept free for records while the disk is full. */
const FREE_PAGES = 64

export interface Room {
  /** Release the reserve and delete the oldest pictures, because a record could not be written. @returns pictures deleted */
  makeRoom(): number
  /** Return whether the disk was full recently. Pictures are not stored then; records are. */
  tight(): boolean
  /** While the disk is tight, make sure that there are pages for a record before it is written. @returns pictures deleted */
  keepRoom(): number
}

export interface RoomOptions {
  database: DatabaseSync
  /** Data folder, where the reserve lies. */
  folder: string
  clock: () => number
  /** Delete the oldest pictures. @returns how many */
  dropPictures: () => number
}

export function createRoom({ database, folder, clock, dropPictures }: RoomOptions): Room {
  const reserve = createReserve(folder)
  reserve.take()
  let tightSince: number | null = null
  return {
    makeRoom() {
      reserve.giveUp()
      tightSince = clock()
      // A checkpoint moves the log into the file. The log then has space for the deletions without growing on the disk.
      database.exec('PRAGMA wal_checkpoint(RESTART)')
      const dropped = dropPictures()
      database.exec('PRAGMA wal_checkpoint(RESTART)')
      return dropped
    },
    tight: () => tightSince !== null,
    keepRoom() {
      if (tightSince === null) return 0
      if (clock() - tightSince > TIGHT_FOR) {
        tightSince = clock()
        reserve.take()
        if (reserve.isTaken()) tightSince = null
      }
      const { pages } = database.prepare('SELECT freelist_count AS pages FROM pragma_freelist_count').get() as { pages: number }
      return pages < FREE_PAGES ? dropPictures() : 0
    },
  }
}

/** Return the same outbox, for whose items pictures give way on a full disk. */
export const withRoom = <Outbox extends NumberedOutbox>(outbox: Outbox, room: Room): Outbox => ({
  ...outbox,
  append(kind, item, picture, alsoWrite) {
    room.keepRoom()
    try {
      return outbox.append(kind, item, room.tight() ? undefined : picture, alsoWrite)
    } catch {
      room.makeRoom()
      return outbox.append(kind, item, undefined, alsoWrite)
    }
  },
})
