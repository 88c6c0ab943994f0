/** What the operations on a second factor share. */
import type { createSecondFactorOperations } from './second-factor-operations.ts'

export type SecondFactorOperations = ReturnType<typeof createSecondFactorOperations>
