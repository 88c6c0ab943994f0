/** Types of the own curve of a park: what it needs of other parts. */
import type { OwnCurve } from '@gatehouse/contract/faces/own-curve'
import type { EngineDescription } from '@gatehouse/face-engine'
import type { Scope } from '../../platform/session/session.ts'
import type { DescribedPerson } from './report-gallery.ts'

/** People who may come to the same doors. */

export interface DoorGroup {
  /** Of the audience. */
  id: string
  devices: readonly { id: string }[]
  personIds: string[]
}
export interface OwnCurveNeeds {
  engine: EngineDescription
  /** The score that the model's own curve requires at a door of the whole park. */
  shippedDoor(scope: Scope): Promise<number>
  /** The curve in force, of a door or of the park. */
  curveOf(scope: Scope, deviceId?: string): OwnCurve | null
  /** Read the curves in force again. */
  refreshCurves(scope: Scope): Promise<void>
  /** Those of these devices that the caller may see. */
  devices(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  /** The score required by a door that stores everybody. */
  doorScoreOf(scope: Scope): Promise<number>
  persons(scope: Scope, ids: readonly string[]): Promise<readonly DescribedPerson[]>
  /** Ids of the persons that the demo created. */
  demoPersons(scope: Scope): Promise<ReadonlySet<string>>
  /** Ids of persons the caller may not see. */
  unseen(scope: Scope): Promise<{ ids: ReadonlySet<string> }>
  thumbnailOf(scope: Scope, fileId: string): string
  /** The persons each of these is taken for, as stored for doors. */
  lookAlikesOf(scope: Scope, personIds: readonly string[]): Promise<ReadonlyMap<string, { lookAlikes: readonly string[] }>>
  doorGroups(scope: Scope): DoorGroup[]
  /** How often persons were let in by their own face in the last days, and how often they had to look again for it. */
  lookedAgain(scope: Scope): Promise<{ passages: number; again: number }>
  parkIds(): string[]
}
