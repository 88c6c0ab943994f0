/** Who can pass where at a moment, and what a change would do before it is saved. */
import type { Platform } from '../../platform/context.ts'
import type { PassageGuard } from '../approvals/index.ts'
import { createStandingReader } from '../synchronisation/index.ts'
import type { QuestionDependencies } from './dependencies.ts'
import { createDraftEffects } from './draft-effects.ts'
import { createPassing } from './passing.ts'
import type { QuestionService } from './service-types.ts'

export function createQuestions(platform: Platform, needs: QuestionDependencies, guard: Pick<PassageGuard, 'breaches'>): QuestionService {
  const standings = createStandingReader(platform, needs)
  return { ...createPassing(platform, needs, standings), ...createDraftEffects(platform, needs, standings, guard) }
}
