/** The consent of persons to their photographs. */
import type { Transaction } from '../../platform/database/database.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { updateConsent } from './data.ts'
import type { FormSender } from './fields.ts'
import type { PeopleNeeds } from './needs.ts'
import type { RegisterParts } from './parts.ts'
import type { PeopleService } from './service-types.ts'
import type { RowValues } from './values.ts'

/**
 * Refuse photographs that are new and that the person did not agree to. Those already stored stay until the consent is withdrawn.
 * @throws InvalidRequest
 */
export function assertConsent(
  { consentRequired }: Pick<PeopleNeeds, 'consentRequired'>,
  scope: Scope,
  { kind, consent }: Pick<RowValues, 'kind' | 'consent'>,
  photoIds: readonly string[],
  storedIds: readonly string[],
): void {
  // Persons of the watch list are not asked.
  if (kind === 'special' || consent === 'given' || photoIds.every((id) => storedIds.includes(id))) return
  if (consent === 'withdrawn' || consentRequired(scope)) throw new InvalidRequest([{ path: 'facePhotos', rule: 'consent' }])
}

/** Note the consent that a form states where it differs from the one before. */
export async function noteFormConsent(
  { noteConsent }: Pick<PeopleNeeds, 'noteConsent'>,
  tx: Transaction,
  scope: Scope,
  personId: string,
  { before, after, sender }: { before: string; after: RowValues['consent']; sender: FormSender },
): Promise<void> {
  if (after === before || after === 'none') return
  await noteConsent(tx, scope, personId, { state: after, channel: sender.channel ?? 'form', notedBy: sender.operator ?? '', note: '' })
}

export function createConsent({
  platform,
  faces,
  rows: { announceChange },
}: Pick<RegisterParts, 'platform' | 'faces' | 'rows'>): Pick<PeopleService, 'setConsent'> {
  return {
    async setConsent(tx, scope, personId, state, at) {
      if (!(await updateConsent(scope, tx, personId, state, at, platform.clock.now()))) throw new NotFound()
      if (state === 'withdrawn') await faces.assign(tx, scope, personId, [])
      await announceChange(tx, scope, [personId])
    },
  }
}
