/** The access methods: the factors of each, which one was tried, and the fail reason of one that is not permitted. */
import { accessMethod, failReason, verifyType, type ValueOf } from '@gatehouse/contract/enums'
import type { Evidence, Factor, FailReason, PersonFactor } from './evidence.ts'
import { refusalOfFactor, shownFactors } from './factors.ts'

export type AccessMethod = ValueOf<typeof accessMethod>

/** What is shown first stands first: a method that is not permitted has its fail reason. */
const METHODS: Record<AccessMethod, readonly Factor[]> = {
  [accessMethod.face]: ['face'],
  [accessMethod.idCardAndNumber]: ['idCard', 'idNumber'],
  [accessMethod.idCardAndFace]: ['idCard', 'face'],
  [accessMethod.card]: ['card'],
  [accessMethod.cardAndFace]: ['card', 'face'],
  [accessMethod.qrCode]: ['qrCode'],
  [accessMethod.qrCodeAndFace]: ['qrCode', 'face'],
  [accessMethod.devicePassword]: ['devicePassword'],
  [accessMethod.devicePasswordAndFace]: ['devicePassword', 'face'],
  [accessMethod.personalPasswordAndFace]: ['personalPassword', 'face'],
  [accessMethod.smartPersonalPasswordAndFace]: ['smartPersonalPassword', 'face'],
  [accessMethod.handprint]: ['handprint'],
  [accessMethod.idVerification]: ['idCard', 'idPortrait'],
  [accessMethod.cardAndPassword]: ['card', 'personalPassword'],
  [accessMethod.personalPassword]: ['personalPassword'],
}

const LIST = Object.entries(METHODS).map(([method, factors]) => ({ method: Number(method) as AccessMethod, factors }))

const hasAll = (factors: readonly Factor[], some: readonly Factor[]) => some.every((factor) => factors.includes(factor))

/** The factors of a method, what is shown first in front; none for a number that is no method. */
export function factorsOf(method: number): readonly Factor[] {
  return METHODS[method as AccessMethod] ?? []
}

/** The method a passage was tried by: the one of exactly the factors shown, matching or not. Null when there is none. */
export function methodOf(evidence: Evidence): AccessMethod | null {
  const shown = shownFactors(evidence)
  return LIST.find(({ factors }) => factors.length === shown.length && hasAll(factors, shown))?.method ?? null
}

/** The factors by which those shown would become one of some methods, when one more is shown. */
export function missingFactors(shown: readonly Factor[], methods: readonly number[]): Factor[] {
  const missing = methods
    .map(factorsOf)
    .filter((factors) => shown.length > 0 && factors.length > shown.length && hasAll(factors, shown))
    .flatMap((factors) => factors.filter((factor) => !shown.includes(factor)))
  return [...new Set(missing)].toSorted()
}

/** Whether a person without a face on file can pass by a method. */
export function worksWithoutFace(method: number): boolean {
  const factors = factorsOf(method)
  return factors.length > 0 && !factors.includes('face')
}

/** Whether a face is all that is shown by a method. */
export const isFaceAlone = (method: number): boolean => factorsOf(method).join() === 'face'

/** Kinds of things a person shows instead of a face, or beside it; their places are their bits. */
export const CREDENTIAL_KINDS = ['cards', 'idNumber', 'personalPassword', 'cardPassword', 'qrCodes', 'handprints'] as const
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number]

/** What a factor is compared with. Beside a card its own password counts, where it has one. */
const CREDENTIALS_OF: Partial<Record<Factor, CredentialKind[]>> = {
  card: ['cards'],
  idCard: ['idNumber'],
  idNumber: ['idNumber'],
  qrCode: ['qrCodes'],
  handprint: ['handprints'],
  personalPassword: ['personalPassword'],
  smartPersonalPassword: ['personalPassword'],
}

/** What a device has to know of persons who pass by some methods, besides their faces. */
export function credentialsOf(methods: readonly number[]): Set<CredentialKind> {
  const ofFactors = methods.flatMap((method) => factorsOf(method).flatMap((factor) => CREDENTIALS_OF[factor] ?? []))
  return new Set([...ofFactors, ...(methods.includes(accessMethod.cardAndPassword) ? (['cardPassword'] as const) : [])])
}

/**
 * How a passage was verified, as a record says it: by the face, a card, the person beside the ID card, the person beside a card. The
 * specification has no number for a code, a password or a hand alone: 0, and the method stands among the checks.
 */
export function verifyTypeOf({ card, face, idCard, idNumber }: Evidence): number {
  if (idCard || idNumber) return verifyType.personId
  if (card) return face ? verifyType.personCard : verifyType.card
  return face ? verifyType.face : 0
}

/** The fail reason of a method no strategy takes; "other unknown" where none was tried. */
export function failReasonOf(method: AccessMethod | null): FailReason {
  return method === null ? failReason.unknown : refusalOfFactor(METHODS[method][0]!)
}

/**
 * The evidence of a passage a device reports as tried by a method, all factors of which it has judged, but the face: that
 * one is compared with the threshold again. A number that is no method gives evidence of nothing.
 * @param passage `score` 0..100 of the face, `moment` epoch milliseconds
 */
export function evidenceReported(passage: {
  method: number
  personId: string
  contactId?: string | null | undefined
  score: number | null
  moment: number
}): Evidence {
  const { method, personId, contactId = null, score, moment: seenAt } = passage
  const judged: PersonFactor = { personId, matched: true, seenAt }
  const evidence: Evidence = {}
  for (const factor of factorsOf(method)) {
    if (factor === 'face') evidence.face = { personId, ...(contactId !== null && { contactId }), score, seenAt }
    else evidence[factor] = judged
  }
  return evidence
}
