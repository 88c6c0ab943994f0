/** Imports: made, given files, looked at, started, ended. */
import type { Platform } from '../../platform/context.ts'
import { createImportAccess } from './access.ts'
import { createImportAnswers } from './answers.ts'
import type { Check } from './check.ts'
import type { ImportsDependencies } from './dependencies.ts'
import { createImportLifecycle } from './lifecycle.ts'
import type { ImportsParts } from './parts.ts'
import { createPhotoEntry } from './photo-entry.ts'
import { createImportQueries } from './queries.ts'
import { createRowChanges } from './row-changes.ts'
import type { Run } from './run.ts'
import { createSheetEntry } from './sheet-entry.ts'
import type { ImportsService } from './service-types.ts'

export function createImportsService(platform: Platform, dependencies: ImportsDependencies, check: Check, run: Run): ImportsService {
  const shared = { ...dependencies, platform, check, run, access: createImportAccess(platform) }
  const parts: ImportsParts = { ...shared, answers: createImportAnswers(shared) }
  return {
    ...createImportQueries(parts),
    ...createImportLifecycle(parts),
    ...createSheetEntry(parts),
    ...createPhotoEntry(parts),
    ...createRowChanges(parts),
  }
}
