/** Filling the register from files. */
import { defineContext, type Context } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { facesContext } from '../faces/index.ts'
import { organisationContext } from '../organisation/index.ts'
import { peopleContext, personsDeleted } from '../people/index.ts'
import type { ImportsDependencies } from './dependencies.ts'
import { importHandlers } from './calls.ts'
import { createCheck } from './check.ts'
import * as data from './data.ts'
import * as photosData from './photos-data.ts'
import { createImportsHolder } from './holder.ts'
import { createRun } from './run.ts'
import { importsMigrations } from './schema.ts'
import { createImportsService } from './service.ts'

export const importsContext = defineContext({
  name: 'imports',
  uses: { people: peopleContext, faces: facesContext, organisation: organisationContext },
  create(platform, { people, faces, organisation }): Context {
    const dependencies: ImportsDependencies = {
      people: people.service,
      groups: people.groups,
      faces: faces.service,
      organisation: organisation.service,
    }
    const db = platform.db
    const check = createCheck(platform, dependencies)
    const run = createRun(platform, dependencies, check)
    const service = createImportsService(platform, dependencies, check, run)
    platform.events.consume({
      name: 'imports.persons',
      mode: 'once',
      handlers: [on(personsDeleted, ({ parkId, payload }) => photosData.forgetTaken({ parkId }, db, payload.personIds))],
    })
    return {
      holder: createImportsHolder(platform),
      calls: importHandlers(service),
      migrations: importsMigrations,
      jobs: [
        {
          name: 'imports.goOn',
          schedule: '* * * * *',
          run: async () => ({ outcome: 'success', counts: { parksImporting: await run.goOn() } }),
        },
        {
          name: 'imports.removeOld',
          schedule: '37 3 * * *',
          run: async () => ({ outcome: 'success', counts: { imports: await service.removeOld() } }),
        },
      ],
      start: async () => void (await run.goOn()),
      async erasePark(tx, scope) {
        const { imports, fileIds } = await data.deleteOfPark(scope, tx)
        await platform.storage.release(tx, scope, fileIds)
        return { imports }
      },
    }
  },
})
