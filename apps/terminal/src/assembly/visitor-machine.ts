/** The visitor machine of a terminal: what it keeps, what it serves, and its page. */
import type { FacePool } from '@gatehouse/face-engine'
import type { FastifyInstance } from 'fastify'
import { createCodeFinder } from '../camera/code-finder.ts'
import type { FrameQueue } from '../passage/camera.ts'
import { createFaceComparison } from '../visitor-machine/face-comparison.ts'
import { createVisitorMachine } from '../visitor-machine/machine.ts'
import { serveMachinePage } from '../visitor-machine/page.ts'
import { serveVisitorMachine } from '../visitor-machine/routes.ts'
import { createVisitSynchroniser } from '../visitor-machine/synchronising.ts'
import type { Announcements } from './announcements.ts'
import type { Core } from './core.ts'
import type { DataFolder } from './data-folder.ts'
import type { TerminalOptions } from './options.ts'

export interface VisitorMachineParts {
  options: Pick<TerminalOptions, 'visitsEvery'>
  clock: () => number
  folder: Pick<DataFolder, 'store' | 'log'>
  pool: Pick<FacePool, 'analyse' | 'description'>
  announcements: Pick<Announcements, 'follow'>
  core: Pick<Core, 'device' | 'decisions'>
  queue: FrameQueue
}

/** Open the machine, which does nothing while the device is none. @returns stops it */
export function openVisitorMachine(
  http: FastifyInstance,
  { options, clock, folder: { store, log }, pool, announcements, core: { device, decisions }, queue }: VisitorMachineParts,
): () => Promise<void> {
  const deviceSettings = () => store.holdings.settings()
  const settings = () => deviceSettings()?.visitorMachine ?? null
  const synchroniser = createVisitSynchroniser({
    client: device.client,
    isOnline: device.isOnline,
    visits: store.visits,
    settings,
    modelId: pool.description.modelId,
    clock,
    log,
    every: options.visitsEvery,
  })
  const machine = createVisitorMachine({
    deviceSettings,
    store,
    passes: decisions.passes,
    compare: createFaceComparison({ pool, queue, settings: deviceSettings, log }),
    synchroniser,
    clock,
    log,
  })
  serveVisitorMachine(http, {
    machine,
    findCode: createCodeFinder(),
    state() {
      const inForce = deviceSettings()
      if (!inForce?.visitorMachine) return null
      const { companyName, address, openSignOff } = inForce.visitorMachine
      return { companyName, address, openSignOff, zone: inForce.zone, isOnline: synchroniser.isReached(), time: clock() }
    },
  })
  serveMachinePage(http, () => settings() !== null)
  announcements.follow(synchroniser.refresh)
  synchroniser.refresh()
  return async () => {
    machine.stop()
    await synchroniser.stop()
  }
}
