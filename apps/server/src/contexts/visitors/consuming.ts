/** What visits learn from other areas: who passed where, and which persons are gone. */
import type { Platform } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { personsDeleted } from '../people/index.ts'
import { recordsReceived, spanOf } from '../records/index.ts'
import type { VisitPassages } from './passages.ts'
import { deletePasses } from './passes-data.ts'
import { forgetPersons } from './visits-data.ts'

/** Follow what happens to records and persons. */
export function consumeEvents({ db, events }: Pick<Platform, 'db' | 'events'>, passages: VisitPassages): void {
  events.consume({
    name: 'visitors.records',
    mode: 'once',
    handlers: [on(recordsReceived, ({ parkId, payload }) => passages.recorded({ parkId }, payload.recordIds, spanOf(payload)))],
  })
  events.consume({
    name: 'visitors.forget',
    mode: 'once',
    handlers: [
      on(personsDeleted, async ({ parkId, payload }) => {
        await forgetPersons({ parkId }, db, payload.personIds, false)
        await deletePasses({ parkId }, db, payload.personIds)
      }),
    ],
  })
}
