/** Rows as files that are made in the background; which rows there are, other contexts contribute (`Context.exports`). */
import { defineContext, type Context, everyContext } from '../../platform/context.ts'
import { createKeptFiles } from '../../platform/storage/kept-file.ts'
import type { Scope } from '../../platform/session/session.ts'
import { organisationContext } from '../organisation/index.ts'
import { exportHandlers } from './calls.ts'
import { createExportsHolder } from './holder.ts'
import { createRun } from './run.ts'
import { exportMigrations } from './schema.ts'
import { createExportService } from './service.ts'

export const exportsContext = defineContext({
  name: 'exports',
  uses: { organisation: organisationContext },
  create(platform, { organisation }): Context {
    const zoneOf = (scope: Scope) => organisation.service.park(scope).zone
    const kinds = () => platform.extensions.all(everyContext).flatMap((context) => context.exports ?? [])
    const kindNamed = (name: string) => kinds().find((kind) => kind.name === name)
    const files = createKeptFiles(platform.storage)
    const run = createRun(platform, kindNamed, files, zoneOf)
    const service = createExportService(platform, kindNamed, files, run)
    return {
      // Each kind has a call of its own: which there are is known once all areas are.
      get calls() {
        return exportHandlers(service, kinds())
      },
      migrations: exportMigrations,
      holder: createExportsHolder(platform),
      jobs: [
        {
          name: 'exports.goOn',
          schedule: '* * * * *',
          async run() {
            await run.goOnEverywhere()
            return { outcome: 'success' }
          },
        },
        {
          name: 'exports.removeOld',
          schedule: '7,37 * * * *',
          run: async () => ({ outcome: 'success', counts: { exports: await service.removeOld() } }),
        },
      ],
      start: () => run.goOnEverywhere(),
      erasePark: async (tx, scope) => ({ exports: await service.erasePark(tx, scope) }),
    }
  },
})
