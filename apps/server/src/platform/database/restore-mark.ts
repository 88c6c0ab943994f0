/** A file in the data directory that exists while a restore runs. An interrupted restore leaves it behind. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const NAME = 'restore.unfinished'

export const restoreMark = (dataDir: string): string => join(dataDir, NAME)

/** Assert that no restore is unfinished. @throws Error with a sentence if the directory contains only a part of a backup */
export function assertRestored(dataDir: string): void {
  if (!existsSync(restoreMark(dataDir))) return
  throw new Error(
    `a restore into ${dataDir} was cut off, or still runs. ` +
      `Empty that directory (and the database, if DATABASE_URL names one) and run it again`,
  )
}
