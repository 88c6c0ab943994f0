/** The calls of access (M07), sent as the specification writes them. */
import { accessGroupCalls } from '../support/specified/access-groups.ts'
import { accessRecordCalls } from '../support/specified/access-records.ts'
import { associatedRuleCalls } from '../support/specified/associated-rules.ts'
import { parkRelationCalls } from '../support/specified/park-relations.ts'
import { restrictionCalls } from '../support/specified/restrictions.ts'
import { trySpecified } from '../support/specified/specified.ts'
import { strategyCalls } from '../support/specified/strategies.ts'
import { timeRuleCalls } from '../support/specified/time-rules.ts'

trySpecified([
  ...timeRuleCalls,
  ...strategyCalls,
  ...accessGroupCalls,
  ...accessRecordCalls,
  ...parkRelationCalls,
  ...associatedRuleCalls,
  ...restrictionCalls,
])
