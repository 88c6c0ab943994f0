/** Rows as files that are made in the background; which rows there are, other contexts contribute (`Context.exports`). */
import type { Context, Platform } from '../../platform/context.ts'
import type { ExportKind } from '../../platform/export-kind.ts'
import { createKeptFiles } from '../../platform/storage/kept-file.ts'
import type { Scope } from '../../platform/session/session.ts'
import { exportHandlers } from './calls.ts'
import { createExportsHolder } from './holder.ts'
import { createRun } from './run.ts'
import { exportMigrations } from './schema.ts'
import { createExportService } from './service.ts'

export interface ExportsDependencies {
  /** What can be exported. */
  kinds: readonly ExportKind[]
  /** IANA zone of a park. */
  zoneOf(scope: Scope): string
}

export function createExports(platform: Platform, { kinds, zoneOf }: ExportsDependencies): Context {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  const files = createKeptFiles(platform.storage)
  const run = createRun(platform, byName, files, zoneOf)
  const service = createExportService(platform, byName, files, run)
  return {
    name: 'exports',
    calls: exportHandlers(service, kinds),
    migrations: exportMigrations,
    holder: createExportsHolder(platform),
    jobs: [
      {
        name: 'exports.goOn',
        schedule: '* * * * *',
        async run() {
          await run.goOn()
          return { outcome: 'success' }
        },
      },
      {
        name: 'exports.removeOld',
        schedule: '7,37 * * * *',
        run: async () => ({ outcome: 'success', counts: { exports: await service.removeOld() } }),
      },
    ],
    start: () => run.goOn(),
    erasePark: async (tx, scope) => ({ exports: await service.erasePark(tx, scope) }),
  }
}
