/** Refusal of what a monitoring task cannot be. */
import { validateTimeRule } from '@gatehouse/access-rules'
import { VALUE_BOUND_MAX, VALUE_BOUND_MIN } from '@gatehouse/contract/limits'
import { taskIssues, type TaskDraft } from '@gatehouse/contract/surveillance/task-rules'
import { refusalOf } from '../../platform/http/refusal.ts'
import { refuseIssues } from '../strategies/index.ts'
import type { TaskFields } from './tasks-types.ts'

/** @throws Refusal 900007, 500006–500009, 300203; InvalidRequest */
export function refuseTaskIssues(draft: TaskDraft & { periods?: TaskFields['periods'] }): void {
  const isBelow = (draft.repeatSeconds ?? VALUE_BOUND_MIN) < VALUE_BOUND_MIN
  const bound = isBelow
    ? { rule: 'min.number', params: { limit: VALUE_BOUND_MIN } }
    : { rule: 'max.number', params: { limit: VALUE_BOUND_MAX } }
  const faults = taskIssues(draft).map(({ code, field }) =>
    code === null ? { path: field, ...bound } : { path: field, rule: 'invalid', code },
  )
  if (faults.length > 0) throw refusalOf(faults)
  if (draft.periods !== undefined) refuseIssues(validateTimeRule({ periods: draft.periods }))
}
