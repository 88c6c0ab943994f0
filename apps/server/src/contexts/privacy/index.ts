/** Consent, retention, erasure with a receipt. */
import { platformMigrations } from '../../platform/database/schema.ts'
import type { Language } from '@gatehouse/contract'
import { defineContext, type Context, everyContext } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { columnTagsOf } from '../../platform/database/migrations.ts'
import type { Scope } from '../../platform/session/session.ts'
import { devicesContext, devicesDeleted } from '../devices/index.ts'
import { facesContext } from '../faces/index.ts'
import { organisationContext } from '../organisation/index.ts'
import { peopleContext, createPersonErasure, consentKeeper } from '../people/index.ts'
import { recordsContext, erasedPersons } from '../records/index.ts'
import { synchronisationContext, holdingsChanged } from '../synchronisation/index.ts'
import { extend } from '../../platform/extension-points.ts'
import { privacyHandlers } from './calls.ts'
import { createCompletion } from './completion.ts'
import { createConsent } from './consent.ts'
import { deletePrivacyOfPark, findErasuresOf, findUnseenErased } from './data.ts'
import { createErasures } from './erasure.ts'
import { createLeftoversJob } from './leftovers.ts'
import { createPrivacySettings } from './settings.ts'
import { createRetentionJob } from './retention.ts'
import { privacyMigrations } from './schema.ts'

export interface PrivacyContext extends Context {
  consentRequired(scope: Scope): boolean
  /** Whether access records of erased persons get a pseudonym. */
  pseudonymises(scope: Scope): boolean
  /** Days after the end of a visit after which it is erased; null: never. */
  retentionDays(scope: Scope): number | null
  /** What people agree to; empty where the park says nothing. */
  consentText(scope: Scope, language: Language): string
  /** The same with the language it is in and the version of the policy; null where the park says nothing. */
  consentVersion(scope: Scope, language: Language): { text: string; language: Language; version: number } | null
  /** Return the ids, which only logs and receipts keep, of erased persons that did not exist for the scope. */
  unseen(scope: Scope): Promise<string[]>
}

export const privacyContext = defineContext({
  name: 'privacy',
  uses: {
    people: peopleContext,
    faces: facesContext,
    records: recordsContext,
    devices: devicesContext,
    organisation: organisationContext,
    synchronisation: synchronisationContext,
  },
  create(
    platform,
    {
      people: { service: people },
      faces: { service: faces },
      records: { erasure },
      devices: { service: devices },
      organisation: { service: organisation, settings },
    },
  ): PrivacyContext {
    const holders = () => platform.extensions.all(everyContext).flatMap(({ holder }) => holder ?? [])
    const columns = () =>
      columnTagsOf([...platformMigrations, ...platform.extensions.all(everyContext).flatMap(({ migrations }) => migrations)])
    const db = platform.db
    const persons = createPersonErasure(platform)
    const policy = createPrivacySettings(settings)
    const consent = createConsent(platform, people)
    const completion = createCompletion(platform, { access: erasure, faces, devices, persons })
    const erasures = createErasures(platform, policy, { people, persons, faces, access: erasure, holders }, completion)
    /** Return those of these persons who were erased and whose passages stand under a pseudonym. */
    const pseudonymised = async (scope: Scope, personIds: readonly string[]): Promise<ReadonlySet<string>> =>
      new Set((await findErasuresOf(scope, db, personIds)).flatMap((one) => (one.pseudonymised ? [one.personId] : [])))
    platform.events.consume({
      name: 'privacy.terminals',
      mode: 'once',
      handlers: [
        on(holdingsChanged, ({ payload }) => completion.heard(payload.deviceIds)),
        on(devicesDeleted, ({ payload }) => completion.heard(payload.deviceIds)),
      ],
    })
    return {
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
      consentRequired: (scope) => policy.of(scope).consentRequired,
      pseudonymises: (scope) => policy.of(scope).recordsOnErasure === 'pseudonymise',
      retentionDays: (scope) => policy.of(scope).retention.visitor ?? null,
      consentText: policy.textOf,
      consentVersion: policy.versionOf,
      unseen: (scope) => findUnseenErased(scope, db),
      stop: () => completion.stop(),
      async erasePark(tx, scope) {
        return { erasures: await deletePrivacyOfPark(scope, tx) }
      },
      extensions: [
        extend(consentKeeper, { required: (scope) => policy.of(scope).consentRequired, note: consent.note }),
        extend(erasedPersons, pseudonymised),
      ],
    }
  },
})
