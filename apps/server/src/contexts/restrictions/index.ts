/** Restriction areas: anti-sneak-back and flow limit over several terminals, and who is inside. */
import { defineContext, type Context } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { devicesContext, devicesDeleted } from '../devices/index.ts'
import { peopleContext, personsDeleted } from '../people/index.ts'
import { recordsContext, recordsReceived, spanOf } from '../records/index.ts'
import { synchronisationContext, secondVerification } from '../synchronisation/index.ts'
import { extend } from '../../platform/extension-points.ts'
import { createAreaService, type AreaService } from './areas.ts'
import { deleteOfPark } from './areas-data.ts'
import { restrictionHandlers } from './calls.ts'
import { type RestrictionDependencies } from './dependencies.ts'
import { visitsOfPersons } from './extension-points.ts'
import { createMusterService } from './muster.ts'
import { deleteMustersBeforeUnscoped } from './muster-data.ts'
import { createPassageService, type PassageService } from './passages.ts'
import { createStateService } from './persons.ts'
import { restrictionMigrations } from './schema.ts'
import { deletePassagesBeforeUnscoped } from './states-data.ts'

export { restrictionsChanged } from './events.ts'
export { visitsOfPersons, type VisitsOfPersons } from './extension-points.ts'

export interface RestrictionsContext extends Context {
  service: Pick<AreaService, 'asking'> & Pick<PassageService, 'ask'>
}

const DAY = 86_400_000
/** A terminal that was away for longer than it keeps acknowledged records tells nothing that is still waited for. */
const PASSAGES_KEPT_DAYS = 8
const MUSTERS_KEPT_DAYS = 90

export const restrictionsContext = defineContext({
  name: 'restrictions',
  uses: { devices: devicesContext, records: recordsContext, synchronisation: synchronisationContext, people: peopleContext },
  create(platform, { devices, records, synchronisation }): RestrictionsContext {
    const needs: RestrictionDependencies = {
      people: synchronisation.knownPersons,
      devices: devices.service,
      visits: () => platform.extensions.one(visitsOfPersons),
      passages: records.passages,
    }
    const db = platform.db
    const areas = createAreaService(platform, needs)
    const states = createStateService(platform, needs)
    const passages = createPassageService(platform, needs)
    const musters = createMusterService(platform, needs)

    platform.events.consume({
      name: 'restrictions.records',
      mode: 'once',
      handlers: [on(recordsReceived, ({ parkId, payload }) => passages.recorded({ parkId }, payload.recordIds, spanOf(payload)))],
    })
    platform.events.consume({
      name: 'restrictions.forget',
      mode: 'once',
      handlers: [
        on(personsDeleted, async ({ payload }) => {
          await platform.transaction((tx) => states.forget(tx, payload.personIds))
        }),
        on(devicesDeleted, ({ parkId, payload }) => areas.forgetDevices({ parkId }, payload.deviceIds)),
      ],
    })

    return {
      service: { asking: areas.asking, ask: passages.ask },
      calls: restrictionHandlers({ areas, states, musters }),
      migrations: restrictionMigrations,
      jobs: [
        {
          name: 'restrictions.dropOld',
          schedule: '47 3 * * *',
          async run() {
            const now = platform.clock.now()
            const dropped = await deletePassagesBeforeUnscoped(db, now - PASSAGES_KEPT_DAYS * DAY)
            await deleteMustersBeforeUnscoped(db, now - MUSTERS_KEPT_DAYS * DAY)
            return { outcome: 'success', counts: { passages: dropped } }
          },
        },
      ],
      holder: {
        place: 'restrictions',
        count: (_, persons) => states.count(persons.map(({ id }) => id)),
        forget: async (tx, _, persons) => ({
          count: await states.forget(
            tx,
            persons.map(({ id }) => id),
          ),
          fileIds: [],
        }),
      },
      erasePark: async (tx, scope) => ({ restrictionAreas: await deleteOfPark(scope, tx) }),
      extensions: [extend(secondVerification, { asking: areas.asking, ask: passages.ask })],
    }
  },
})
