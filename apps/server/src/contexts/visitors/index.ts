/** Visits: who comes, is let in, is seen to leave, and is forgotten. */
import { defineContext, type Context } from '../../platform/context.ts'
import { extend } from '../../platform/extension-points.ts'
import { providerAccounts } from '../../platform/messages/carrier.ts'
import { devicesContext } from '../devices/index.ts'
import { createSubmittedPhotos, facesContext } from '../faces/index.ts'
import { identityContext } from '../identity/index.ts'
import { organisationContext } from '../organisation/index.ts'
import { peopleContext } from '../people/index.ts'
import { privacyContext } from '../privacy/index.ts'
import { recordsContext } from '../records/index.ts'
import { visitsOfPersons } from '../restrictions/index.ts'
import { strategiesContext } from '../strategies/index.ts'
import { visitorMachines, visitorPasses } from '../synchronisation/index.ts'
import { systemContext } from '../system/index.ts'
import { createActing } from './acting.ts'
import { createVisitAlerts, type VisitAlerts } from './alerts.ts'
import { appointmentHandlers } from './appointment-calls.ts'
import { createAppointments } from './appointments.ts'
import { createVisitBadges, type VisitBadges } from './badges.ts'
import { visitorsHandlers } from './calls.ts'
import { createChanging } from './changing.ts'
import { createConfiguration } from './configuration.ts'
import { consumeEvents } from './consuming.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import { documentHandlers } from './document-calls.ts'
import { createDocuments } from './documents.ts'
import { createEndingJob } from './ending.ts'
import { createErasure } from './erasure.ts'
import { createFormValues } from './form-values.ts'
import { createHosts } from './hosts.ts'
import { importHandlers } from './import-calls.ts'
import { createImports } from './imports.ts'
import { createLinks, createLinksJob } from './links.ts'
import { createLinkTokens } from './link-tokens.ts'
import { createListing } from './listing.ts'
import { createMessaging } from './messaging.ts'
import { messagingHandlers } from './messaging-calls.ts'
import { machineHandlers } from './machine-calls.ts'
import { createMachineConflicts } from './machine-conflicts.ts'
import { createMachineEvents } from './machine-events.ts'
import { createMachineVisits } from './machine-visits.ts'
import { createMachines } from './machines.ts'
import { createMissingRights } from './missing-rights.ts'
import { createNotices } from './notices.ts'
import { createNumbers } from './numbers.ts'
import { createPassKeys } from './pass-keys.ts'
import { createPassRules } from './pass-rules.ts'
import { createVisitPassages } from './passages.ts'
import { createPasses } from './passes.ts'
import { createRegistering, type VisitParts } from './registering.ts'
import { createRemoval } from './removal.ts'
import { createRights } from './rights.ts'
import { visitorsMigrations } from './schema.ts'
import { createSignedDocuments } from './signed-documents.ts'
import { createStoredVisits } from './stored-visits.ts'
import { createVisited } from './visited.ts'

export { machineBadgesDue, visitsArrived, visitsWaiting } from './events.ts'
export type { VisitAlerts } from './alerts.ts'
export type { VisitBadge, VisitBadges } from './badges.ts'

export interface VisitorsContext extends Context {
  alerts: VisitAlerts
  badges: VisitBadges
}

export const visitorsContext = defineContext({
  name: 'visitors',
  uses: {
    people: peopleContext,
    faces: facesContext,
    devices: devicesContext,
    organisation: organisationContext,
    strategies: strategiesContext,
    records: recordsContext,
    privacy: privacyContext,
    identity: identityContext,
    system: systemContext,
  },
  create(platform, used): VisitorsContext {
    const needs: VisitorsDependencies = {
      people: used.people.service,
      groups: used.people.groups,
      faces: used.faces.service,
      photos: createSubmittedPhotos(platform, used.faces.service),
      strategies: used.strategies.strategies,
      reading: used.strategies.reading,
      devices: used.devices.service,
      organisation: used.organisation.service,
      passages: used.records.passages,
      records: used.records.erasure,
      privacy: used.privacy,
      publicAddress: ({ parkId }) => used.system.publicAddress(parkId),
      demandRoom: used.identity.attempts.demandRoom,
    }
    const configuration = createConfiguration(platform, used.organisation.settings, needs.devices)
    const passRules = createPassRules(platform, needs)
    const visits = createStoredVisits(platform)
    const hosts = createHosts(needs)
    const passKeys = createPassKeys(platform)
    const passes = createPasses(platform, passKeys, configuration, visits)
    const rights = createRights(platform, needs, configuration, visits, passes)
    const tokens = createLinkTokens(platform)
    const messaging = createMessaging(platform, used.organisation.settings, needs)
    const notices = createNotices(platform, needs, configuration, tokens)
    const parts: VisitParts = {
      notices,
      configuration,
      rights,
      numbers: createNumbers(platform, needs),
      formValues: createFormValues(platform, needs, configuration, passRules),
    }
    const documents = createDocuments(platform, used.organisation.settings)
    const signed = createSignedDocuments(platform, needs, configuration)
    const removal = createRemoval(platform, needs, configuration, signed, documents)
    const passages = createVisitPassages(platform, needs, configuration, rights, passes, notices)
    consumeEvents(platform, passages)
    const acting = createActing(platform, visits, createMissingRights(configuration, passRules, hosts), parts)
    const changing = createChanging(platform, visits, parts)
    const registering = createRegistering(platform, parts)
    const imports = createImports(platform, needs, registering)
    const links = createLinks(platform, needs, tokens, notices)
    const appointments = createAppointments(platform, needs, {
      acting,
      changing,
      configuration,
      documents,
      passes,
      registering,
      signed,
      tokens,
    })
    const openCalls = appointmentHandlers(platform, needs.photos, links, appointments)
    const ofDesk = visitorsHandlers(platform, needs, {
      configuration,
      hosts,
      passes,
      passRules,
      removal,
      acting,
      changing,
      listing: createListing(platform, needs, configuration, visits),
      registering,
    })
    const machines = createMachines(configuration)
    const conflicts = createMachineConflicts(platform)
    const ofMachines = machineHandlers(
      createMachineVisits(platform, needs, machines, visits),
      createMachineEvents(platform, needs, configuration, machines, visits, acting),
      conflicts,
    )
    return {
      alerts: createVisitAlerts(platform),
      badges: createVisitBadges(platform, configuration, passes),
      calls: [
        ...ofDesk,
        ...documentHandlers(documents, signed),
        ...importHandlers(imports),
        ...openCalls,
        ...messagingHandlers(messaging),
        ...ofMachines,
      ],
      migrations: visitorsMigrations,
      jobs: [
        createEndingJob(platform, needs, configuration, rights),
        removal.job,
        passKeys.job,
        createLinksJob(platform),
        conflicts.job,
        signed.job,
        ...imports.jobs,
      ],
      extensions: [
        extend(providerAccounts, messaging.accounts),
        extend(visitorMachines, { settingsOf: machines.settingsOf }),
        extend(visitorPasses, { keysOf: passKeys.publicKeys, idsOf: passes.idsOf, isUsable: passes.isUsable, use: passes.use }),
        extend(visitsOfPersons, createVisited(platform, needs)),
      ],
      ...createErasure(platform),
    }
  },
})
