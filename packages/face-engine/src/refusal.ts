/** Why a photograph is not taken, as the business codes of the specification. */
import type { Box } from './face.ts'

export const REFUSAL = {
  noFeature: 200201,
  notSamePerson: 200203,
  noFace: 200204,
  unreadable: 200205,
  tooLarge: 200206,
  imageTooSmall: 200208,
  severalFaces: 200218,
  unclear: 200219,
  faceTooSmall: 201219,
  pitch: 201220,
  turn: 201221,
  blur: 201222,
  nearEdge: 201223,
} as const
export type RefusalReason = keyof typeof REFUSAL
export type RefusalCode = (typeof REFUSAL)[RefusalReason]

/** Numbers that led to a refusal, by name: what was measured and the limit it missed. */
export type Measured = Readonly<Record<string, number>>

/** A photograph the product does not take. It is an answer for the user, not a fault. */
export class PhotoRefusal extends Error {
  override readonly name = 'PhotoRefusal'
  readonly reason: RefusalReason
  readonly code: RefusalCode
  readonly measured: Measured
  /** The faces found, most prominent first; given with `severalFaces` so that the caller can ask again with a face index. */
  readonly faces: readonly Box[]

  constructor(reason: RefusalReason, measured: Measured = {}, faces: readonly Box[] = []) {
    super(`photograph refused: ${reason} ${JSON.stringify(measured)}`)
    this.reason = reason
    this.code = REFUSAL[reason]
    this.measured = measured
    this.faces = faces
  }
}
