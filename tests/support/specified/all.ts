/** All calls that are tried as the specification writes them. */
import { roleCalls } from './roles.ts'
import type { SpecifiedCall } from './specified.ts'

export const ALL_SPECIFIED: readonly SpecifiedCall[] = [...roleCalls]
