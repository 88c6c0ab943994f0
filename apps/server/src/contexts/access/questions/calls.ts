/** Handlers of the questions asked of the rules. */
import { questionCalls } from '@gatehouse/contract/access/questions'
import { handler, type MountedCall } from '../../../platform/context.ts'
import type { QuestionService } from './service.ts'

export const questionHandlers = (questions: QuestionService): MountedCall[] => [
  handler(questionCalls.whoCanPass, ({ scope, body }) => questions.whoCanPass(scope, body)),
  handler(questionCalls.whereCanPass, ({ scope, body }) => questions.whereCanPass(scope, body)),
  handler(questionCalls.strategyEffect, ({ scope, body }) => questions.strategyEffect(scope, body)),
  handler(questionCalls.strategyEffectPersons, ({ scope, body }) => questions.strategyEffectPersons(scope, body)),
  handler(questionCalls.ruleEffect, ({ scope, body }) => questions.ruleEffect(scope, body)),
  handler(questionCalls.ruleEffectPersons, ({ scope, body }) => questions.ruleEffectPersons(scope, body)),
]
