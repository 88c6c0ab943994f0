/** Audiences: groups of devices at which the same strategies hold. */
import { createHash } from 'node:crypto'
import type { Bits } from './bits.ts'
import type { RegisterStrategy } from './register-versions.ts'
import type { Sums, Word } from './words.ts'

export interface Audience {
  readonly id: string
  readonly strategyIds: readonly string[]
  /** The newest change that was logged, and the digest of the persons at that change. */
  published: { head: number; compareSeq: number; digest: string; updatedAt: number }
}

export interface RegisterAudience extends Audience {
  strategies: RegisterStrategy[]
  bits: Bits
  count: number
  /** Number of persons by their number of photographs; `contactFaces` is the number of photographs of contacts who pass there. */
  faces: Map<number, number>
  contactFaces: number
  sums: Sums
}

/** By audience, the persons whose change is to be logged for it. */
export type Touched = Map<string, Set<string>>

/** Return the id of the audience of these strategies in a park: the same on every node. */
export function audienceIdOf(parkId: string, strategyIds: readonly string[]): string {
  const hex = createHash('sha256').update(`${parkId}/${strategyIds.join()}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

/** A person within an audience. */
export interface PersonState {
  version: Word
  faces: number
  contactFaces: number
}

export function countFaces(
  audience: Pick<RegisterAudience, 'faces' | 'contactFaces'>,
  { faces, contactFaces }: PersonState,
  by: 1 | -1,
): void {
  audience.contactFaces += by * contactFaces
  if (faces > 0) audience.faces.set(faces, (audience.faces.get(faces) ?? 0) + by)
}

/**
 * Return whether an audience may be sent to a device. `released` was read together with the device's secret: the register learns a moment
 * later that a release was withdrawn, and until then keeps the device in its former audience.
 */
export const mayReceive = ({ released }: { released: boolean }, { strategyIds }: Pick<Audience, 'strategyIds'>): boolean =>
  released || strategyIds.length === 0
