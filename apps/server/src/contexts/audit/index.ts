/** The operation log and the log of reads (module M04). The platform writes them; this context reads them. */
import { defineContext, type Context } from '../../platform/context.ts'
import { organisationContext, type Settings } from '../organisation/index.ts'
import { peopleContext } from '../people/index.ts'
import { privacyContext } from '../privacy/index.ts'
import { recordsContext } from '../records/index.ts'
import { identityContext } from '../identity/index.ts'
import { devicesContext } from '../devices/index.ts'
import { auditHandlers } from './calls.ts'
import { forgetPark } from './forget.ts'
import { createRetentionJob } from './retention.ts'
import { createAuditService, type AuditDependencies } from './service.ts'

export interface AuditContextDependencies extends AuditDependencies {
  settings: Settings
}

export const auditContext = defineContext({
  name: 'audit',
  uses: {
    organisation: organisationContext,
    people: peopleContext,
    privacy: privacyContext,
    records: recordsContext,
    identity: identityContext,
    devices: devicesContext,
  },
  create(platform, { organisation, people, privacy, records, identity, devices }): Context {
    const needs: AuditContextDependencies = {
      organisation: organisation.service,
      settings: organisation.settings,
      async unseen(scope) {
        const [{ ids, names }, erased] = await Promise.all([people.service.unseen(scope), privacy.unseen(scope)])
        return { ids: new Set([...ids, ...erased, ...(await records.records.idsOfPersons(scope, [...ids]))]), names }
      },
      namesAmong: (scope, names) => people.service.namesAmong(scope, names),
      personNames: async (scope, ids) => new Map((await people.service.describe(scope, ids)).map(({ id, name }) => [id, name])),
      userNames: (viewer, ids) => identity.accounts.names(viewer, ids),
      deviceNames: async (scope, ids) => new Map((await devices.service.names(scope, ids)).map(({ id, name }) => [id, name])),
    }
    const service = createAuditService(platform, needs)
    return {
      calls: auditHandlers(platform, service, needs.settings),
      migrations: [],
      jobs: [createRetentionJob(platform, needs.settings)],
      erasePark: forgetPark,
    }
  },
})
