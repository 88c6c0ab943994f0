/** Readers of the checks of an access record. */
import { decodeChecks, type Check, type Restriction } from '@gatehouse/access-rules'

/** Return the checks by which a passage was decided; none where the text a terminal sent cannot be decoded. */
export function checksOf(text: string): Check[] {
  try {
    return decodeChecks(text)
  } catch {
    return []
  }
}

/** Return the liveness score among the checks, 0 to 1; null where there is none in that range. */
export function livenessOf(checks: readonly Check[]): number | null {
  const score = checks.find((check) => check.code === 'liveness')?.score ?? null
  return typeof score === 'number' && score >= 0 && score <= 1 ? score : null
}

const RESTRICTIONS: readonly unknown[] = ['alreadyInside', 'alreadyOutside', 'full'] satisfies Restriction[]

/** Return the rule of a restriction area by which the server refused the passage; null where the server refused by no such rule. */
export function restrictionOf(checks: readonly Check[]): Restriction | null {
  const verification = checks.find((check) => check.code === 'secondVerification')
  return verification?.outcome === 'refused' && RESTRICTIONS.includes(verification.restriction) ? verification.restriction : null
}

/** Whether the terminal asked the server about the passage. */
export const wasServerAsked = (text: string): boolean => checksOf(text).some(({ code }) => code === 'secondVerification')
