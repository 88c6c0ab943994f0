/** What the parts of the imports service share. */
import type { Platform } from '../../platform/context.ts'
import type { ImportAccess } from './access.ts'
import type { ImportAnswers } from './answers-types.ts'
import type { Check } from './check.ts'
import type { ImportsDependencies } from './dependencies.ts'
import type { Run } from './run.ts'

export interface ImportsParts extends ImportsDependencies {
  platform: Platform
  check: Check
  run: Run
  access: ImportAccess
  answers: ImportAnswers
}
