/**
 * Remedies: what would have to change for a refused person to be admitted, the permission it needs, and where in the console it is done.
 */
import type { PermissionCode } from '../permissions.ts'

export interface Remedy {
  /** Permission that a user needs for it; null: none, the person at the door does it. */
  permission: PermissionCode | null
  /** Address in the console; a parameter in braces is replaced by one of the ids. */
  path: string | null
}

const ofPerson = { permission: 'own:person.edit', path: '/staffDetails/{personId}' } as const
const ofStrategy = { permission: 'access.rule', path: '/addPassStrategyDetail?id={strategyId}' } as const
const ofRestriction = { permission: 'access.restriction', path: '/accessRestriction?deviceId={deviceId}' } as const
const ofDoor = { permission: 'device.setting', path: '/deviceConfigDetail?id={deviceId}' } as const

export const remedies = {
  /** The change is made already and has not reached the terminal yet. */
  waitForSync: { permission: 'device.list', path: '/deviceDetails/{deviceId}' },
  /** A stranger: a person who is not registered, or whose photo is not similar to the face. */
  registerPerson: { permission: 'own:person.edit', path: '/staffAdd' },
  addPhoto: ofPerson,
  /** The person's own match threshold is higher than that of other people. */
  lowerThreshold: ofPerson,
  enablePerson: ofPerson,
  extendValidity: ofPerson,
  /** The person does not have the card, number or password, or has another one. */
  giveCredential: ofPerson,
  /** Another person looks almost the same: the photos of both, and the lead that doors require between them. */
  separateLookAlikes: ofPerson,
  addToStrategy: { permission: 'access.rule', path: '/passStrategy' },
  beginStrategy: ofStrategy,
  addMethod: ofStrategy,
  widenRule: { permission: 'access.rule', path: '/timeRuleDetail/{timeRuleId}' },
  /** What the terminal requires: a living face, a mask, a helmet, a temperature. */
  demandLess: ofDoor,
  /** The terminal could not reach the server. */
  reachServer: { permission: 'device.list', path: '/deviceDetails/{deviceId}' },
  /** The stored state of who is inside a restriction area is wrong. */
  correctState: ofRestriction,
  /** The number of persons inside has reached the limit, or is stored so. */
  raiseLimit: ofRestriction,
  /** Present the credentials again: in time, and all of the same person. */
  tryAgain: { permission: null, path: null },
} as const satisfies Record<string, Remedy>

export type RemedyCode = keyof typeof remedies
export const REMEDY_CODES = Object.keys(remedies) as [RemedyCode, ...RemedyCode[]]
