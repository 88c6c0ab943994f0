/** What a device saw at one passage: the factors shown, when each was seen, and what the server said where it was asked. */
import type { failReason, ValueOf } from '@gatehouse/contract/enums'

export type FailReason = ValueOf<typeof failReason>

interface Seen {
  /** Epoch milliseconds. Without it nobody waits for a second factor, and no two factors belong to one passage in time. */
  seenAt?: number | null
}

interface Naming extends Seen {
  /** The person it points to; null for nobody. */
  personId: string | null
  /** The contact of that person whose face or card it is; absent for the person's own. */
  contactId?: string | null
}

/** A face was seen: the best candidate of the search, whatever its score; all null when there was nobody to compare with. */
export interface FaceEvidence extends Naming {
  /** 0..100, higher is more alike. */
  score: number | null
  /** What the engine measured, in the unit of its model. */
  distance?: number | null
  /**
   * The best of all OTHER persons, where the face was searched for among many; absent or null where nobody else was compared.
   * `lead`: points by which the candidate is ahead; more than the difference of the scores where both are near their end.
   */
  runnerUp?: { personId: string; score: number; lead: number } | null
  /** How sure the engine is that the face is a living one, 0..1; absent or null where it cannot tell or was not asked. */
  liveness?: { score: number } | null
}

/** Something that points to a person. `matched`: it is genuine and valid, which only what read it can tell. */
export interface PersonFactor extends Naming {
  matched: boolean
}

/** Something that points to nobody. */
export interface PlainFactor extends Seen {
  matched: boolean
}

/** The face in front of the device against a picture it was handed. */
export interface PortraitFactor extends PlainFactor {
  /** As of a face that is compared with those on file. */
  liveness?: FaceEvidence['liveness']
}

/** How asking the server about a passage ended. */
export interface SecondVerification {
  /** `failed`: the server answered that it could not handle it, or what it said cannot be read. */
  outcome: 'confirmed' | 'refused' | 'offline' | 'timedOut' | 'failed'
  /** Why it refused, where it said so. */
  failReason?: number | null
  /** Which rule of a restriction area refused, where one did. */
  restriction?: string | null
}

/** Rules of a restriction area, by what they found: the person is inside already, outside already, or nobody more may be inside. */
export const RESTRICTIONS = ['alreadyInside', 'alreadyOutside', 'full'] as const
export type Restriction = (typeof RESTRICTIONS)[number]

/** What sensors at the door measured of the person who stands there; null or absent where none did. */
export interface Measured {
  /** Degrees Celsius, or a mark of the specification in their place: -1 a warning, -2 nothing measured. */
  temperature?: number | null
  /** Whether a mask, or a helmet, is worn. */
  mask?: boolean | null
  helmet?: boolean | null
}

/** The factors shown tell the access method. */
export interface Evidence {
  face?: FaceEvidence
  card?: PersonFactor
  /** A card read from its chip. */
  idCard?: PersonFactor
  /** A number typed in or shown, apart from the card. */
  idNumber?: PersonFactor
  /** The face in front of the device against the portrait on the ID card; no face on file takes part. */
  idPortrait?: PortraitFactor
  qrCode?: PersonFactor
  handprint?: PersonFactor
  /** Of the device: whoever knows it. */
  devicePassword?: PlainFactor
  personalPassword?: PersonFactor
  smartPersonalPassword?: PersonFactor
  /** Absent where the device has no sensors. */
  measured?: Measured
  /** Absent until the server has been asked. */
  secondVerification?: SecondVerification
}

export type Factor = Exclude<keyof Evidence, 'measured' | 'secondVerification'>
