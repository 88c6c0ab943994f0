/** Consent, retention, erasure with a receipt. */
import type { Language } from '@gatehouse/contract'
import type { PrivacyPolicy } from '@gatehouse/contract/privacy/calls'
import type { Context, PersonHolder, Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { on } from '../../platform/events/events.ts'
import type { ColumnTags } from '../../platform/database/migrations.ts'
import type { Scope } from '../../platform/session/session.ts'
import { holdingsChanged, type AccessContext } from '../access/index.ts'
import { devicesDeleted, type DevicesContext } from '../devices/index.ts'
import type { FacesService } from '../faces/index.ts'
import type { OrganisationService, Settings } from '../organisation/index.ts'
import { createPersonErasure, type NotedConsent, type PeopleService } from '../people/index.ts'
import { privacyHandlers } from './calls.ts'
import { createCompletion, type Completion } from './completion.ts'
import { createConsent } from './consent.ts'
import { deletePrivacyOfPark, findErasuresOf, findUnseenErased } from './data.ts'
import { createErasures } from './erasure.ts'
import { createLeftoversJob } from './leftovers.ts'
import { createPolicy } from './policy.ts'
import { createRetentionJob } from './retention.ts'
import { privacyMigrations, type PrivacyTables } from './schema.ts'

export interface PrivacyDependencies {
  people: PeopleService
  faces: FacesService
  access: AccessContext['service']
  devices: DevicesContext['service']
  settings: Settings
  organisation: Pick<OrganisationService, 'parks'>
  /** Contexts beside the register that know of persons. */
  holders(): readonly PersonHolder[]
  /** What each column of the installation holds. */
  columns(): ColumnTags
}

export interface PrivacyContext extends Context {
  completion: Completion
  policyOf(scope: Scope): PrivacyPolicy
  consentRequired(scope: Scope): boolean
  /** What people agree to; empty where the park says nothing. */
  consentText(scope: Scope, language: Language): string
  noteConsent(tx: OpenTransaction, scope: Scope, personId: string, consent: NotedConsent): Promise<void>
  /** Those of these persons who were erased and whose passages stand under a pseudonym. */
  pseudonymised(scope: Scope, personIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Ids, which logs and receipts alone keep, of erased persons who did not exist for whoever asks. */
  unseen(scope: Scope): Promise<string[]>
}

export function createPrivacy(
  platform: Platform,
  { people, faces, access, devices, settings, organisation, holders, columns }: PrivacyDependencies,
): PrivacyContext {
  const db = platform.db as unknown as Database<PrivacyTables>
  const persons = createPersonErasure(platform)
  const policy = createPolicy(settings)
  const consent = createConsent(platform, people)
  const completion = createCompletion(platform, { access: access.erasure, faces, devices, persons })
  const erasures = createErasures(platform, policy, { people, persons, faces, access: access.erasure, holders }, completion)
  platform.events.consume({
    name: 'privacy.terminals',
    mode: 'once',
    handlers: [
      on(holdingsChanged, ({ payload }) => completion.heard(payload.deviceIds)),
      on(devicesDeleted, ({ payload }) => completion.heard(payload.deviceIds)),
    ],
  })
  return {
    name: 'privacy',
    calls: privacyHandlers(policy, consent, erasures),
    migrations: privacyMigrations,
    jobs: [
      createRetentionJob(platform, { parks: organisation.parks, policy, persons, erasures }),
      createLeftoversJob(platform, columns),
      {
        name: 'privacy.followErasures',
        schedule: '*/5 * * * *',
        async run() {
          const confirmed = await completion.look()
          return { outcome: confirmed > 0 ? 'success' : 'skipped', counts: { erasuresConfirmed: confirmed } }
        },
      },
    ],
    completion,
    policyOf: policy.of,
    consentRequired: (scope) => policy.of(scope).consentRequired,
    consentText: policy.textOf,
    noteConsent: consent.note,
    async pseudonymised(scope, personIds) {
      return new Set(
        (await findErasuresOf(scope, db, personIds)).flatMap(({ personId, pseudonymised }) => (pseudonymised ? [personId] : [])),
      )
    },
    unseen: (scope) => findUnseenErased(scope, db),
    stop: () => completion.stop(),
    async erasePark(tx, scope) {
      return { erasures: await deletePrivacyOfPark(scope, tx as Tx<PrivacyTables>) }
    },
  }
}
