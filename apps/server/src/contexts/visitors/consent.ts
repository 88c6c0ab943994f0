/** The text by which visitors agree to recognition by the face on pages of their own, and the record of it. */
import type { Language } from '@gatehouse/contract'
import type { VisitReservation } from '@gatehouse/contract/visitors/appointments'
import type { Visit } from '@gatehouse/contract/visitors/visit'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { fileTexts } from '../../platform/texts.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import { sha256Of } from './text-hash.ts'

/** A text as it was shown to a visitor who agreed. */
export type ConsentShown = NonNullable<Visit['consentShown']>

export interface ConsentText {
  text: string
  /** Another one than asked for where the park has no text in that. */
  language: Language
  /** Of the park's privacy policy; 0 for the text that Gatehouse comes with. */
  version: number
}

/** Return what visitors agree to: the text of the park, else the one that Gatehouse comes with. */
export function consentTextOf(
  { organisation, privacy }: Pick<VisitorsDependencies, 'organisation' | 'privacy'>,
  scope: Scope,
  language: Language,
): ConsentText {
  const own = privacy.consentVersion(scope, language)
  if (own !== null) return own
  const text = fileTexts(language).visits.consent.replace('{{park}}', () => organisation.park(scope).name)
  return { text, language, version: 0 }
}

/**
 * Return the record of the consent that a form gives; null where it gives none.
 * @throws InvalidRequest where another text has taken the place of the one that was shown
 */
export function consentOf(
  needs: Pick<VisitorsDependencies, 'organisation' | 'privacy'>,
  scope: Scope,
  { faceConsent, consentShown }: Pick<VisitReservation, 'faceConsent' | 'consentShown'>,
  language: Language,
): ConsentShown | null {
  if (!faceConsent) return null
  const current = consentTextOf(needs, scope, consentShown?.language ?? language)
  if (consentShown != null && consentShown.textVersion !== current.version)
    throw new InvalidRequest([{ path: 'faceConsent', rule: 'textChanged' }])
  return { language: current.language, textVersion: current.version, textHash: sha256Of(current.text), text: current.text }
}
