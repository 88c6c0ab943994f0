/** Dependencies that the parts of the storage share. */
import type { Database } from '../database/database.ts'
import type { Clock } from '../time/clock.ts'
import type { SealedFiles } from './sealed-files.ts'

export interface StorageParts {
  db: Database
  clock: Clock
  files: SealedFiles
}
