/** The demo campus: whether a park is one, what of it the demo made, and its removal. */
import { defineContext, type Context } from '../../platform/context.ts'
import { organisationContext } from '../organisation/index.ts'
import { identityContext } from '../identity/index.ts'
import { peopleContext } from '../people/index.ts'
import { facesContext, drawnPersons } from '../faces/index.ts'
import { devicesContext, deviceLine } from '../devices/index.ts'
import { strategiesContext } from '../strategies/index.ts'
import { synchronisationContext } from '../synchronisation/index.ts'
import { recordsContext } from '../records/index.ts'
import { extend } from '../../platform/extension-points.ts'
import { demoHandlers } from './calls.ts'
import { createForeseeRemoval, type ForeseenNeeds } from './foreseen.ts'
import { REMOVAL, createRemoval, type RemovalNeeds } from './removal.ts'
import { demoMigrations } from './schema.ts'
import { createDemoService, type DemoNeeds, type DemoService } from './service.ts'

export type { DemoService } from './service.ts'

export interface DemoContext extends Context {
  service: DemoService
}

export const demoContext = defineContext({
  name: 'demo',
  uses: {
    organisation: organisationContext,
    identity: identityContext,
    people: peopleContext,
    faces: facesContext,
    devices: devicesContext,
    strategies: strategiesContext,
    synchronisation: synchronisationContext,
    records: recordsContext,
  },
  create(platform, used): DemoContext {
    const needs: DemoNeeds & RemovalNeeds & ForeseenNeeds = {
      organisation: used.organisation.service,
      sessions: used.identity.sessions,
      people: used.people.service,
      personGroups: used.people.groups,
      faces: used.faces.service,
      devices: used.devices.service,
      strategies: used.strategies.strategies,
      timeRules: used.strategies.timeRules,
      removeRecords: used.records.removeRecords,
      countRecords: used.records.countRecords,
      async settled() {
        await platform.events.settled()
        await platform.extensions.one(deviceLine).idle()
        await used.synchronisation.service.settled()
        await platform.events.settled()
      },
    }
    const service = createDemoService(platform, needs)
    // Only the leading node knows when everything that devices have sent is handled. A repeated run takes its time for things that are
    // already gone, so the work is not interrupted in favour of other work.
    platform.work.define({ kind: REMOVAL, run: createRemoval(platform, needs), leaderOnly: true, startsOver: true })
    return {
      service,
      calls: demoHandlers(service, createForeseeRemoval(service, needs)),
      migrations: demoMigrations,
      start: () => service.resume(),
      async erasePark(tx, scope) {
        await service.erasePark(tx, scope)
        return {}
      },
      extensions: [extend(drawnPersons, async (scope) => new Set((await service.things(scope)).get('person')))],
    }
  },
})
