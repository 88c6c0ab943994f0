/**
 * Disk space reserved for a full disk, because even deleting needs some. It is released for records, and reserved again when there is room.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const BYTES = 4 * 1_048_576

export interface Reserve {
  /** Reserve the space; no effect if it is already reserved or the disk is full. */
  take(): void
  giveUp(): void
  isTaken(): boolean
}

/** Return the reserve of a data folder. */
export function createReserve(folder: string): Reserve {
  const file = join(folder, 'reserve')
  const giveUp = () => rmSync(file, { force: true })
  return {
    take() {
      if (existsSync(file)) return
      try {
        writeFileSync(file, Buffer.alloc(BYTES), { mode: 0o600 })
      } catch {
        giveUp()
      }
    },
    giveUp,
    isTaken: () => existsSync(file),
  }
}
