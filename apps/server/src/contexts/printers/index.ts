/** Printers of a park, and badges and slips of visitors. */
import { defineContext, type Context, type Platform } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { organisationContext } from '../organisation/index.ts'
import { systemContext } from '../system/index.ts'
import { machineBadgesDue, visitorsContext } from '../visitors/index.ts'
import { printersHandlers } from './calls.ts'
import type { PrintersDependencies } from './dependencies.ts'
import { createIppPrinter } from './ipp/printer.ts'
import { sendToPrinter } from './ipp/transport.ts'
import { deleteBeforeUnscoped } from './jobs-data.ts'
import { createPrintJobs } from './jobs.ts'
import { createMachineBadges } from './machine-badges.ts'
import { createPapers } from './papers.ts'
import { deleteOfPark } from './printers-data.ts'
import { createPrinters } from './printers.ts'
import { printersMigrations } from './schema.ts'
import { createWorker } from './worker.ts'

/** Milliseconds for which jobs are listed. */
const KEPT_MS = 30 * 86_400_000

const removalJob = ({ db, clock }: Pick<Platform, 'db' | 'clock'>): Job => ({
  name: 'printers.removeJobs',
  schedule: '50 2 * * *',
  async run() {
    await deleteBeforeUnscoped(db, clock.now() - KEPT_MS)
    return { outcome: 'success' }
  },
})

export const printersContext = defineContext({
  name: 'printers',
  uses: { organisation: organisationContext, system: systemContext, visitors: visitorsContext },
  create(platform, { organisation, system, visitors }): Context {
    const needs: PrintersDependencies = { badges: visitors.badges, organisation: organisation.service, logo: system.logo }
    const printer = createIppPrinter(sendToPrinter)
    const papers = createPapers(platform, needs)
    const worker = createWorker(platform, needs, papers, printer)
    const jobs = createPrintJobs(platform, needs, papers, worker)
    const printBadge = createMachineBadges(platform, jobs)
    platform.events.consume({
      name: 'printers.machineBadges',
      mode: 'once',
      handlers: [
        on(machineBadgesDue, ({ parkId, payload: { eventId, visitId, deviceId, deviceName, language } }) =>
          printBadge({ parkId }, { visitId, key: eventId, device: { id: deviceId, name: deviceName }, language }),
        ),
      ],
    })
    return {
      calls: printersHandlers(platform, createPrinters(platform, printer), jobs),
      migrations: printersMigrations,
      jobs: [removalJob(platform)],
      begin: async () => worker.start(),
      end: () => worker.stop(),
      erasePark: (tx, scope) => deleteOfPark(scope, tx),
    }
  },
})
