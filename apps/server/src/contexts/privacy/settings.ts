/** What a park asks of people and how long it keeps them; in memory on every node. */
import { LANGUAGES, type Language } from '@gatehouse/contract'
import { privacyPolicyFields, type PrivacyPolicy } from '@gatehouse/contract/privacy/calls'
import type { z } from 'zod'
import type { Scope } from '../../platform/session/session.ts'
import { defineSetting, type Settings } from '../organisation/index.ts'

export type PolicyFields = z.output<typeof privacyPolicyFields>

/** Days for which visits are kept unless the park says something else: policies stored before there were visitors say nothing. */
const VISITOR_RETENTION = 90

const setting = defineSetting<PolicyFields>('privacy.policy', privacyPolicyFields, {
  consentRequired: false,
  consentText: {},
  recordsOnErasure: 'pseudonymise',
  retention: { staff: null, customer: null, special: null, visitor: VISITOR_RETENTION },
})

export interface PrivacySettings {
  of(scope: Scope): PrivacyPolicy
  /** @throws Conflict where another version was written since */
  change(scope: Scope, fields: PolicyFields & { version?: number | undefined }): Promise<PrivacyPolicy>
  /** What people agree to, in a language or else in one there is; empty where the park says nothing. */
  textOf(scope: Scope, language: Language): string
  /** The same with the language it is in and the version of the policy; null where the park says nothing. */
  versionOf(scope: Scope, language: Language): { text: string; language: Language; version: number } | null
}

export function createPrivacySettings(settings: Settings): PrivacySettings {
  function of({ parkId }: Scope): PrivacyPolicy {
    const { consentRequired, consentText, recordsOnErasure, retention, version } = settings.show(parkId, setting)
    const { visitor = VISITOR_RETENTION } = retention
    return { consentRequired, consentText, recordsOnErasure, retention: { ...retention, visitor }, version }
  }
  function versionOf(scope: Scope, language: Language) {
    const { consentText, version } = of(scope)
    const used = [language, ...LANGUAGES].find((one) => (consentText[one] ?? '') !== '')
    return used === undefined ? null : { text: consentText[used]!, language: used, version }
  }
  return {
    of,
    versionOf,
    async change(scope, { version, ...fields }) {
      const retention = {
        ...fields.retention,
        visitor: fields.retention.visitor === undefined ? of(scope).retention.visitor : fields.retention.visitor,
      }
      await settings.write(scope.parkId, setting, { ...fields, retention }, version)
      return of(scope)
    },
    textOf: (scope, language) => versionOf(scope, language)?.text ?? '',
  }
}
