/** Position of the device in its audience, and the number of persons still to be fetched again after a change of the face model. */
import type { DatabaseSync } from 'node:sqlite'
import type { Position } from '../device/store.ts'
import { readMeta, writeMeta } from './meta.ts'

export interface PositionStore {
  /**
   * Return null until the persons of an audience were taken completely for the first time, and if it cannot be read: all are compared then.
   */
  current(): Position | null
  /** Return the number of persons dropped with their model and not yet fetched again. */
  dropped(): number
  /** Write a position, within the transaction of the persons it belongs to; `set` follows when that is committed. */
  write(position: Position): void
  set(position: Position): void
  /** Note on the disk, within a transaction, that `count` persons were dropped, and drop the position with them. */
  drop(count: number): void
}

export function createPositionStore(database: DatabaseSync): PositionStore {
  const put = database.prepare('INSERT OR REPLACE INTO position (one, audience, cursor) VALUES (1, ?, ?)')
  let dropped = Number(readMeta(database, 'dropped') ?? 0)
  let position = read()

  function read(): Position | null {
    try {
      return (database.prepare('SELECT audience, cursor FROM position').get() as Position | undefined) ?? null
    } catch {
      return null
    }
  }

  return {
    current: () => position,
    dropped: () => dropped,
    write({ audience, cursor }) {
      put.run(audience, cursor)
      if (dropped > 0) writeMeta(database, 'dropped', '0')
    },
    set(next) {
      position = next
      dropped = 0
    },
    drop(count) {
      dropped = Math.max(dropped, count)
      database.exec('DELETE FROM position')
      writeMeta(database, 'dropped', String(dropped))
      position = null
    },
  }
}
