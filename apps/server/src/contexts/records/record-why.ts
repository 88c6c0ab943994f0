import type { z } from 'zod'
import type { recordWhy } from '@gatehouse/contract/records/calls'

/** The explanation of a passage or a refusal, in the form of the call's answer. */
export type RecordWhy = z.output<typeof recordWhy>
