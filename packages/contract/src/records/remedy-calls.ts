/** By which call each remedy is done: who may call it may do it. Apart from the remedies, which calls name themselves. */
import type { Call } from '../call.ts'
import { configurationCalls } from '../configuration/calls.ts'
import { faceCalls } from '../faces/calls.ts'
import { peopleCalls } from '../people/calls.ts'
import { restrictionCalls } from '../restrictions/calls.ts'
import { strategyCalls, timeRuleCalls } from '../strategies/calls.ts'
import type { RemedyCode } from './remedies.ts'

/** Null: nothing is written for it in the console. */
export const remedyCalls = {
  waitForSync: null,
  registerPerson: peopleCalls.create,
  addPhoto: peopleCalls.change,
  lowerThreshold: faceCalls.setThreshold,
  enablePerson: peopleCalls.status,
  extendValidity: peopleCalls.change,
  giveCredential: peopleCalls.change,
  separateLookAlikes: faceCalls.addPair,
  addToStrategy: strategyCalls.change,
  beginStrategy: strategyCalls.change,
  addMethod: strategyCalls.change,
  widenRule: timeRuleCalls.change,
  demandLess: configurationCalls.add,
  reachServer: null,
  correctState: restrictionCalls.setStatus,
  raiseLimit: restrictionCalls.change,
  tryAgain: null,
} as const satisfies Record<RemedyCode, Call | null>

/** The code by which somebody may do it, and not only look at what it is done to; null where nothing is written for it. */
export function codeToDo(code: RemedyCode): string | null {
  const call: Call | null = remedyCalls[code]
  return call === null ? null : (call.besides?.at(-1) ?? call.permission)
}
