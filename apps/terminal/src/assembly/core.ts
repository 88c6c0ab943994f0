/** The parts of a terminal that need no screen: door, device, decisions, passage and upgrades. */
import type { FacePool } from '@gatehouse/face-engine'
import { createCollector } from '../collector/collector.ts'
import { createLoopback, type Loopback } from '../collector/loopback.ts'
import { createDoor, simulatedLock, type Door } from '../door/door.ts'
import { createDoorFacts, type DoorFacts } from '../maintenance/door-facts.ts'
import { startResourceWatch, type ResourceWatch } from '../maintenance/resource-watch.ts'
import { usageOf } from '../maintenance/usage.ts'
import { createPassage, type Passage } from '../passage/passage.ts'
import type { RoamingDevice } from '../settings/server-address.ts'
import { createUpgradeAgent, type UpgradeAgent } from '../upgrade/agent.ts'
import type { Announcements } from './announcements.ts'
import type { DataFolder } from './data-folder.ts'
import { openDecisions, type Decisions } from './decisions.ts'
import type { Engine } from './engine.ts'
import type { TerminalOptions } from './options.ts'
import { startServerDevice } from './server-device.ts'

export interface CoreParts {
  options: TerminalOptions
  version: string
  /** Number of persons the terminal can store. */
  capacity: number
  clock: () => number
  folder: DataFolder
  pool: Pick<FacePool, 'analyse' | 'modelId' | 'description'>
  engine: Engine
  announcements: Announcements
}

export interface Core {
  door: Door
  doorFacts: DoorFacts
  loopback: Loopback
  device: RoamingDevice
  watch: ResourceWatch
  decisions: Decisions
  passage: Passage
  upgrades: UpgradeAgent
}

/** Start these parts. @throws TypeError for an unusable server address */
export function startCore({ options, version, capacity, clock, folder, pool, engine, announcements }: CoreParts): Core {
  const { store, log, settings } = folder
  let decisions: Decisions | null = null
  const doorFacts = createDoorFacts(() => device.factsChanged())
  const door = createDoor({
    output: options.door ?? simulatedLock(),
    openFor: options.doorOpenFor ?? 5_000,
    onChange(doorState) {
      announcements.doorMoved(doorState)
      doorFacts.moved(doorState)
      announcements.stateChanged()
    },
    log,
  })
  const loopback = createLoopback()
  const collector = createCollector({
    readers: { card: loopback.card, palm: loopback.palm, port: null, ...options.collector },
    client: () => device.client,
    log,
  })
  const device = startServerDevice({
    ...folder,
    options,
    version,
    capacity,
    pool,
    engine,
    door,
    doorFacts,
    collector,
    watch: () => watch,
    upgrades: () => upgrades,
    clock,
    onDeviceChange() {
      settings.refresh()
      decisions?.secrets.refresh()
      announcements.stateChanged()
    },
    onChange: announcements.stateChanged,
  })
  const watch = startResourceWatch({
    client: device.client,
    online: device.isOnline,
    usage: options.usage ?? usageOf(options.dataDir),
    every: options.usageEvery,
    log,
  })
  decisions = openDecisions(folder, device, pool.description)
  const passage = createPassage({
    pool,
    decider: decisions.decider,
    settings: decisions.settings,
    store,
    device,
    door,
    clock,
    log,
    onAwaiting: announcements.awaiting,
    onVerdict: announcements.verdict,
    onPicture: announcements.picture,
  })
  const upgrades = createUpgradeAgent({
    place: options.upgrades?.place ?? null,
    ...(options.upgrades && { proven: options.upgrades.proven }),
    client: device.client,
    isOnline: device.isOnline,
    hour: () => hourAt(clock(), store.holdings.settings()?.zone),
    log,
    onChange: announcements.stateChanged,
    ...(options.retry && { retry: options.retry }),
  })
  return { door, doorFacts, loopback, device, watch, decisions, passage, upgrades }
}

/** Return the hour of the day in a zone; null while the zone is not yet received. */
const hourAt = (moment: number, zone: string | undefined): number | null =>
  zone === undefined ? null : Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: zone }).format(moment))
