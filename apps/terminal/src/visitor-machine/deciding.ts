/** How a visitor machine decides: pure functions of visits, settings and the time. */
import { visitorStatus } from '@gatehouse/contract/enums'
import type { MachineVisit, VisitorMachineSettings } from '@gatehouse/contract/device/visitor-machine'
import type { VisitorPass } from '@gatehouse/contract/device/visitor-pass'

/** What a visitor came to do, and what is done in the end. */
export const PURPOSES = ['signIn', 'signOff'] as const
export type Purpose = (typeof PURPOSES)[number]

/**
 * Why nobody is signed in or off. `notFound`: there is no such visit. `tooEarly`, `over`: it is not the time for it. `alreadySignedIn`,
 * `notSignedIn`: nothing is to be done. `passageEnds`: visitors do not sign off here, a passage outwards ends their visit. `passInvalid`,
 * `passExpired`: the code. `card`: a card must be issued. `several`: the number belongs to several visitors. `photo`: the photo cannot be
 * compared here. `face`: the face did not match. `storage`: it cannot be written down. The last five are for the desk.
 */
export type Refusal =
  | 'notFound'
  | 'tooEarly'
  | 'over'
  | 'alreadySignedIn'
  | 'notSignedIn'
  | 'passageEnds'
  | 'passInvalid'
  | 'passExpired'
  | 'card'
  | 'several'
  | 'photo'
  | 'face'
  | 'storage'

/** What can be done for a visitor. `from`: when it can be, epoch milliseconds. */
export type Choice<Visit extends MachineVisit = MachineVisit> =
  | { refused: Refusal; from?: number }
  | { refused: null; visit: Visit; purpose: Purpose }

/** Failed comparisons after which the desk has to help. */
export const FACE_TRIES = 3

const MINUTE = 60_000

type Standing = 'early' | 'ready' | 'signedIn' | 'over'

/** Return how a visit stands at an instant. @param now epoch milliseconds */
function standingOf(
  { status, visitTime, authorisationExpiry }: Pick<MachineVisit, 'status' | 'visitTime' | 'authorisationExpiry'>,
  { signInLeadMinutes }: Pick<VisitorMachineSettings, 'signInLeadMinutes'>,
  now: number,
): Standing {
  if (status === visitorStatus.checkedIn) return 'signedIn'
  if (status !== visitorStatus.notYetVisited && status !== visitorStatus.awaitingVerification) return 'over'
  if (now > authorisationExpiry) return 'over'
  return now < visitTime - signInLeadMinutes * MINUTE ? 'early' : 'ready'
}

/** Choose among the visits of one visitor. @param visits those the number or the pass belongs to */
export function chooseVisit<Visit extends MachineVisit>(
  visits: readonly Visit[],
  { purpose, settings, now }: { purpose: Purpose; settings: VisitorMachineSettings; now: number },
): Choice<Visit> {
  const standing = (of: Standing): Visit[] =>
    visits.filter((visit) => standingOf(visit, settings, now) === of).toSorted((one, other) => one.visitTime - other.visitTime)
  const [ready, signedIn, early] = [standing('ready'), standing('signedIn'), standing('early')]
  if (purpose === 'signIn' && ready.length > 0) return settings.forcedCardIssue ? { refused: 'card' } : onlyOne(ready, 'signIn')
  if (signedIn.length > 0) {
    if (settings.openSignOff) return onlyOne(signedIn, 'signOff')
    return { refused: purpose === 'signIn' ? 'alreadySignedIn' : 'passageEnds' }
  }
  if (ready.length > 0) return { refused: 'notSignedIn' }
  if (early.length > 0)
    return purpose === 'signOff'
      ? { refused: 'notSignedIn' }
      : { refused: 'tooEarly', from: early[0]!.visitTime - settings.signInLeadMinutes * MINUTE }
  return { refused: visits.length > 0 ? 'over' : 'notFound' }
}

/** Visits of several people under one number are told apart by a person at the desk. */
function onlyOne<Visit extends MachineVisit>(visits: readonly Visit[], purpose: Purpose): Choice<Visit> {
  const [visit, ...others] = visits
  return others.some(({ name }) => name !== visit!.name) ? { refused: 'several' } : { refused: null, visit: visit!, purpose }
}

/** Return the visits of a whole phone number, however it is spaced. */
export function visitsOfPhone<Visit extends MachineVisit>(visits: readonly Visit[], phone: string): Visit[] {
  const digits = digitsOf(phone)
  return digits === '' ? [] : visits.filter((visit) => digitsOf(visit.phone) === digits)
}

const digitsOf = (phone: string): string => phone.replaceAll(/\D/g, '')

/**
 * Return why a pass names nobody here; null if it does. Showing it here does not use it up, and it may be shown before it opens a door: the
 * visit says from when a visitor is signed in.
 * @param pass null for a text that no key of the park signed
 * @param isWithdrawn whether another pass has taken its place
 */
export function passRefusal(pass: VisitorPass | null, isWithdrawn: boolean, now: number): 'passInvalid' | 'passExpired' | null {
  if (pass === null || isWithdrawn) return 'passInvalid'
  return now > pass.validTo ? 'passExpired' : null
}

/** Whether the face has to match first. A pass that was shown is enough to leave, but another may carry it in. */
export const needsFace = (visit: Pick<MachineVisit, 'template'>, purpose: Purpose, hasPass: boolean): boolean =>
  visit.template !== null && (purpose === 'signIn' || !hasPass)

/** Whether the number of a certificate is needed. */
export const needsCertificate = (
  { status }: Pick<MachineVisit, 'status'>,
  purpose: Purpose,
  { certificateRequired }: Pick<VisitorMachineSettings, 'certificateRequired'>,
): boolean => purpose === 'signIn' && (certificateRequired || status === visitorStatus.awaitingVerification)

/**
 * Judge a face. A face that has to be a living one and cannot be judged does not count.
 * @param tries earlier faces that did not match
 */
export function judgeFace(
  { score, livenessScore }: { score: number; livenessScore: number | undefined },
  { threshold, liveness }: { threshold: number; liveness: { refuses: boolean; threshold: number | null } | null },
  tries: number,
): 'matches' | 'again' | 'desk' {
  const isLiving = !liveness?.refuses || (livenessScore !== undefined && livenessScore >= (liveness.threshold ?? Infinity))
  if (score >= threshold && isLiving) return 'matches'
  return tries + 1 >= FACE_TRIES ? 'desk' : 'again'
}

/** Return what of a name is shown before it is certain who stands there: the first character of each word. */
export const maskedName = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .map((word) => `${[...word][0] ?? ''}**`)
    .join(' ')

/** Delays a person who tries out numbers: `most` lookups within `within` milliseconds. */
export interface LookupLimit {
  /** Count a lookup. @param now milliseconds of a clock that is never set @returns milliseconds until it may be made; 0: it is made */
  admit(now: number): number
}

export function createLookupLimit({ most, within }: { most: number; within: number }): LookupLimit {
  let admitted: number[] = []
  return {
    admit(now) {
      admitted = admitted.filter((at) => now - at < within)
      if (admitted.length >= most) return admitted[0]! + within - now
      admitted.push(now)
      return 0
    },
  }
}
