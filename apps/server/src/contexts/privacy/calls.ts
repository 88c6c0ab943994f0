import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { pageOf } from '@gatehouse/contract'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { Consent } from './consent.ts'
import type { ErasureService } from './erasure-types.ts'
import type { PrivacySettings } from './settings.ts'
import { receiptFile } from './receipt.ts'

export function privacyHandlers(policy: PrivacySettings, consent: Consent, erasures: ErasureService): MountedCall[] {
  return [
    handler(privacyCalls.policy, async ({ scope }) => policy.of(scope)),
    handler(privacyCalls.changePolicy, ({ scope, body }) => policy.change(scope, body)),
    handler(privacyCalls.consents, ({ scope, params }) => consent.history(scope, params.id)),
    handler(privacyCalls.noteConsent, ({ session, scope, params, body }) =>
      consent.set(scope, params.id, { ...body, channel: 'form', notedBy: session.operator }),
    ),
    handler(privacyCalls.preview, ({ scope, query }) => erasures.preview(scope, query.personIds ?? [])),
    handler(privacyCalls.erase, async ({ session, scope, body }) => ({
      erasureIds: await erasures.erase(scope, body.personIds, { origin: 'request', reason: body.reason, requestedBy: session.operator }),
    })),
    handler(privacyCalls.list, ({ scope, query }) => erasures.list(scope, { ...query, ...pageOf(query) })),
    handler(privacyCalls.read, ({ scope, params }) => erasures.read(scope, params.id)),
    handler(privacyCalls.file, async ({ session, scope, params, language }) =>
      receiptFile(await erasures.read(scope, params.id), session.park, language),
    ),
  ]
}
