/** Handlers of the calls that ask who can pass where and what a change would do. */
import { effectCalls } from '@gatehouse/contract/questions/effects'
import { questionCalls } from '@gatehouse/contract/questions/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { ChangeDrafts } from './changes.ts'
import type { QuestionService } from './service-types.ts'

export const questionHandlers = (questions: QuestionService, drafts: ChangeDrafts): MountedCall[] => [
  handler(questionCalls.whoCanPass, ({ scope, body }) => questions.whoCanPass(scope, body)),
  handler(questionCalls.whereCanPass, ({ scope, body }) => questions.whereCanPass(scope, body)),
  handler(questionCalls.strategyEffect, ({ scope, body }) => questions.strategyEffect(scope, body)),
  handler(questionCalls.strategyEffectPersons, ({ scope, body }) => questions.strategyEffectPersons(scope, body)),
  handler(questionCalls.ruleEffect, ({ scope, body }) => questions.ruleEffect(scope, body)),
  handler(questionCalls.ruleEffectPersons, ({ scope, body }) => questions.ruleEffectPersons(scope, body)),
  handler(effectCalls.accessGroup, async ({ scope, body }) => questions.changeEffect(scope, await drafts.accessGroup(scope, body))),
  handler(effectCalls.accessGroupPersons, async ({ scope, body }) =>
    questions.changeEffectPersons(scope, await drafts.accessGroup(scope, body), body),
  ),
  handler(effectCalls.personMove, async ({ scope, body }) => questions.changeEffect(scope, await drafts.personMove(scope, body))),
  handler(effectCalls.personMovePersons, async ({ scope, body }) =>
    questions.changeEffectPersons(scope, await drafts.personMove(scope, body), body),
  ),
  handler(effectCalls.personGroup, async ({ scope, body }) => questions.changeEffect(scope, await drafts.personGroup(scope, body))),
  handler(effectCalls.personGroupPersons, async ({ scope, body }) =>
    questions.changeEffectPersons(scope, await drafts.personGroup(scope, body), body),
  ),
  handler(effectCalls.deviceMove, async ({ session, scope, body }) =>
    questions.changeEffect(scope, await drafts.deviceMove(session, body)),
  ),
  handler(effectCalls.deviceMovePersons, async ({ session, scope, body }) =>
    questions.changeEffectPersons(scope, await drafts.deviceMove(session, body), body),
  ),
  handler(effectCalls.deviceGroup, async ({ session, scope, body }) =>
    questions.changeEffect(scope, await drafts.deviceGroup(session, body)),
  ),
  handler(effectCalls.deviceGroupPersons, async ({ session, scope, body }) =>
    questions.changeEffectPersons(scope, await drafts.deviceGroup(session, body), body),
  ),
]
