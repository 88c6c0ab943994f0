/**
 * The call by which each remedy is done: a user who may make the call may do it. In a file of its own, because calls import the remedies.
 */
import type { Call } from '../call.ts'
import { configurationCalls } from '../configuration/calls.ts'
import { faceCalls } from '../faces/calls.ts'
import { peopleCalls } from '../people/calls.ts'
import { restrictionCalls } from '../restrictions/calls.ts'
import { strategyCalls, timeRuleCalls } from '../strategies/calls.ts'
import type { RemedyCode } from './remedies.ts'

/** Null: no change in the console belongs to the remedy. */
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

/** Return the permission code needed to do it, and not only to view the record concerned; null if no change belongs to it. */
export function codeToDo(code: RemedyCode): string | null {
  const call: Call | null = remedyCalls[code]
  return call === null ? null : (call.besides?.at(-1) ?? call.permission)
}
