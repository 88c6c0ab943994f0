/** The strategies, access groups and doors that permit a person, in the form used by the field and by the calls. */
import type { PermitOutcome, PermitTargets } from '@gatehouse/contract/approvals/permits'
import { sentenceOf } from '../../../api/refusal.ts'

export type PermitValue = PermitTargets

export const NO_PERMIT: PermitValue = { strategyIds: [], accessGroupIds: [], deviceIds: [] }

export const PERMIT_FIELDS = ['strategyIds', 'accessGroupIds', 'deviceIds'] as const satisfies readonly (keyof PermitValue)[]

export const isChosen = (value: PermitValue | undefined): value is PermitValue =>
  value !== undefined && PERMIT_FIELDS.some((field) => value[field].length > 0)

/** The outcome of a permission. */
export interface PermitResult {
  personIds: string[]
  chosen: PermitValue
  /** By strategy; null: nothing was changed. */
  outcomes: PermitOutcome[] | null
  /** Why nothing was changed, as a sentence. */
  failure: string
}

export const failed = (personIds: string[], chosen: PermitValue, error: unknown): PermitResult => ({
  personIds,
  chosen,
  outcomes: null,
  failure: sentenceOf(error),
})

/** Return whether everything that was chosen is granted now. */
export const isGranted = ({ outcomes }: PermitResult): boolean =>
  outcomes?.every(({ outcome }) => outcome === 'added' || outcome === 'already') ?? false
