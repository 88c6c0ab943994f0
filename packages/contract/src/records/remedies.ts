/** What would have to change for somebody who was refused to pass: what it takes, and where in the console it is done. */
import type { PermissionCode } from '../permissions.ts'

export interface Remedy {
  /** What somebody needs to do it; null: nothing, whoever stands at the door does it. */
  permission: PermissionCode | null
  /** Address in the console; a parameter in braces is one of the ids. */
  path: string | null
}

const ofPerson = { permission: 'own:person.edit', path: '/staffDetails/{personId}' } as const
const ofStrategy = { permission: 'access.rule', path: '/addPassStrategyDetail?id={strategyId}' } as const
const ofRestriction = { permission: 'access.restriction', path: '/accessRestriction?deviceId={deviceId}' } as const
const ofDoor = { permission: 'device.setting', path: '/deviceConfigDetail?id={deviceId}' } as const

export const remedies = {
  /** It has changed already, and only has to reach the terminal. */
  waitForSync: { permission: 'device.list', path: '/deviceDetails/{deviceId}' },
  /** A stranger: nobody of the register, or somebody whose photograph is not like the face. */
  registerPerson: { permission: 'own:person.edit', path: '/staffAdd' },
  addPhoto: ofPerson,
  /** Doors ask for more of this person than of others. */
  lowerThreshold: ofPerson,
  enablePerson: ofPerson,
  extendValidity: ofPerson,
  /** A card, a number or a password the person does not have, or not that one. */
  giveCredential: ofPerson,
  /** Another person looks almost the same: photographs and how strictly they are compared. */
  separateLookAlikes: ofPerson,
  addToStrategy: { permission: 'access.rule', path: '/passStrategy' },
  beginStrategy: ofStrategy,
  addMethod: ofStrategy,
  widenRule: { permission: 'access.rule', path: '/timeRuleDetail/{timeRuleId}' },
  /** What the terminal demands: a living face, a mask, a helmet, a temperature. */
  demandLess: ofDoor,
  /** The server could not be asked. */
  reachServer: { permission: 'device.list', path: '/deviceDetails/{deviceId}' },
  /** Who is inside a restriction area, as far as it is known, is not so. */
  correctState: ofRestriction,
  /** As many are inside as may be, or are thought to be. */
  raiseLimit: ofRestriction,
  /** Show it again, in time and all of the same person. */
  tryAgain: { permission: null, path: null },
} as const satisfies Record<string, Remedy>

export type RemedyCode = keyof typeof remedies
export const REMEDY_CODES = Object.keys(remedies) as [RemedyCode, ...RemedyCode[]]
