/** The factors of evidence: which matched, which persons they name, and the fail reason of one that does not match. */
import { failReason } from '@gatehouse/contract/enums'
import type { Evidence, Factor, FailReason } from './evidence.ts'
import type { AccessDevice, AccessPerson } from './model.ts'

/** Fail reason of each. Where several name a person, the one that stands further up is believed. */
const REFUSED: Record<Factor, FailReason> = {
  card: failReason.icCard,
  idCard: failReason.personId,
  qrCode: failReason.qrCode,
  handprint: failReason.handprintFailed,
  face: failReason.faceVerifyFailed,
  personalPassword: failReason.passwordFailed,
  smartPersonalPassword: failReason.passwordFailed,
  idNumber: failReason.personId,
  devicePassword: failReason.passwordFailed,
  idPortrait: failReason.personId,
}

const FACTORS = Object.keys(REFUSED) as Factor[]

/** A factor that matched and the person it names. */
export interface Claim {
  factor: Factor
  personId: string
  /** The contact who came in their place; null for the person. */
  contactId: string | null
}

/** The factors that were shown, the one believed first in front. */
export function shownFactors(evidence: Evidence): Factor[] {
  return FACTORS.filter((factor) => evidence[factor] != null)
}

/** A person a face may point to, with a threshold of their own. */
type Person = Pick<AccessPerson, 'id' | 'faceThreshold' | 'faceThresholdLoosens'>

/** What a factor is judged by. `person`: the one looked up, or none. */
export interface Shown {
  evidence: Evidence
  device: Pick<AccessDevice, 'thresholds'>
  person: Person | null
}

/** What the face must reach: what is asked of the person it points to, where they are the one looked up; else what the device asks. */
export function faceThresholdOf({ evidence, device, person }: Shown): number {
  return thresholdFor(evidence.face?.personId === person?.id ? person : null, device.thresholds.face)
}

/**
 * What the face of a person must reach at a device that asks so much of everybody: more where they have more, less only
 * where somebody was warned.
 */
export function thresholdFor(person: Omit<Person, 'id'> | null | undefined, device: number): number {
  const own = person?.faceThreshold ?? null
  if (own === null) return device
  return person?.faceThresholdLoosens === true ? own : Math.max(own, device)
}

/** Whether a factor was shown and is what it should be: one that could name a person and names nobody is not. */
export function isMatched(shown: Shown, factor: Factor): boolean {
  const { evidence } = shown
  if (factor === 'devicePassword' || factor === 'idPortrait') return evidence[factor]?.matched === true
  if ((evidence[factor]?.personId ?? null) === null) return false
  if (factor !== 'face') return evidence[factor]?.matched === true
  const score = evidence.face?.score ?? null
  return score !== null && score >= faceThresholdOf(shown)
}

/** Whether a factor is genuine and points to nobody this device or its server knows. */
export function isNobodys(evidence: Evidence, factor: Factor): boolean {
  const shown = evidence[factor]
  return shown != null && 'personId' in shown && shown.personId === null && 'matched' in shown && shown.matched === true
}

/** Who came, by each factor that matched and names somebody; the one believed first in front. */
export function claimsOf(shown: Shown): Claim[] {
  const { evidence } = shown
  return shownFactors(evidence).flatMap((factor) => {
    if (factor === 'devicePassword' || factor === 'idPortrait' || !isMatched(shown, factor)) return []
    const { personId = null, contactId = null } = evidence[factor] ?? {}
    return personId === null ? [] : [{ factor, personId, contactId }]
  })
}

/**
 * Id of the person a passage is about, to look up what is decided on; null when nobody is named.
 * @param personOf the person the device stores of an id: a face may need to reach another threshold for them than for others
 */
export function personNamed(
  evidence: Evidence,
  device: Pick<AccessDevice, 'thresholds'>,
  personOf: (id: string) => Person | null | undefined,
): string | null {
  const candidate = evidence.face?.personId ?? null
  const person = (candidate === null ? null : personOf(candidate)) ?? null
  return claimsOf({ evidence, device, person })[0]?.personId ?? null
}

/** Fail reason of a factor that does not match where another one names the person. */
export function refusalOfFactor(factor: Factor): FailReason {
  return REFUSED[factor]
}

/** Milliseconds between the first and the last of several factors; null when one carries no time. */
export function elapsedBetween(evidence: Evidence, factors: readonly Factor[]): number | null {
  const times = factors.map((factor) => evidence[factor]?.seenAt ?? Number.NaN)
  const elapsed = Math.max(...times) - Math.min(...times)
  return Number.isFinite(elapsed) ? elapsed : null
}
