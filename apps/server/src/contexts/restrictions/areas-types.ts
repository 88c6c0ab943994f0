/** The form of a restriction area. */
import type { restrictionFields, rulesOf } from '@gatehouse/contract/restrictions/calls'
import type { z } from 'zod'

export type NewArea = z.output<typeof restrictionFields>
export type AreaFields = ReturnType<typeof rulesOf<NewArea>>
