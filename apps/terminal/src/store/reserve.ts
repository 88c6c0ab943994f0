/**
 * Disk space kept for the day the disk is full: even deleting needs some. It is given up for records, and taken again
 * when there is room.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const BYTES = 4 * 1_048_576

export interface Reserve {
  /** Takes the space; without effect where it is taken already or there is none. */
  take(): void
  giveUp(): void
  held(): boolean
}

/** The reserve of a data folder. */
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
    held: () => existsSync(file),
  }
}
