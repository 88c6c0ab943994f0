import { questionCalls } from '@gatehouse/contract/questions/calls'
import type { Ground, CallCase } from './case.ts'

const withStrategy = async ({ site }: Ground) => ({ id: (await site.strategy()).id })
const withRule = async ({ site }: Ground) => ({ id: (await site.timeRule()).id })

export const cases: readonly CallCase[] = [
  { call: questionCalls.strategyEffect, given: withStrategy },
  { call: questionCalls.strategyEffectPersons, given: withStrategy },
  { call: questionCalls.ruleEffectPersons, given: withRule },
]
