/** The terminal's device at its server, at whichever address the settings name, and the commands it carries out. */
import { deviceLicense } from '@gatehouse/contract/enums'
import { TERMINAL_PACKAGE } from '@gatehouse/contract/upgrades/package'
import type { FacePool } from '@gatehouse/face-engine'
import type { CommandHandlers } from '../device/commands.ts'
import { startDevice } from '../device/device.ts'
import { serverOrigin, proveServer } from '../device/sign-in.ts'
import type { Door } from '../door/door.ts'
import { maintenanceCommands } from '../maintenance/commands.ts'
import type { DoorFacts } from '../maintenance/door-facts.ts'
import type { ResourceWatch } from '../maintenance/resource-watch.ts'
import { embedderOf } from '../passage/embed.ts'
import { isSameHost, startRoaming, type RoamingDevice } from '../settings/server-address.ts'
import type { UpgradeAgent } from '../upgrade/agent.ts'
import type { DataFolder } from './data-folder.ts'
import type { Engine } from './engine.ts'
import type { TerminalOptions } from './options.ts'

export interface ServerDeviceParts extends DataFolder {
  options: TerminalOptions
  version: string
  /** Number of persons the terminal can store. */
  capacity: number
  pool: Pick<FacePool, 'analyse' | 'modelId'>
  engine: Engine
  door: Door
  doorFacts: DoorFacts
  collector: CommandHandlers
  watch: () => ResourceWatch
  upgrades: () => UpgradeAgent
  clock: () => number
  /** The state of the device changed. */
  onDeviceChange: () => void
  /** The choice of the server changed. */
  onChange: () => void
}

/** Start the device; it connects on its own. @throws TypeError for an unusable server address */
export function startServerDevice(parts: ServerDeviceParts): RoamingDevice {
  const { options, version, capacity, store, logFile, log, settings, pool, engine, door, doorFacts, collector, clock } = parts
  const { code, secret, algorithmVersion } = options
  /** Whoever sets another host can also have an authority certify it, so there the server itself must vouch for its key. */
  const mustVouch = (server: string): boolean => !isSameHost(server, options.server)

  const start = (server: string) =>
    startDevice({
      server,
      code,
      secret,
      mustVouch: mustVouch(server),
      store,
      modelId: pool.modelId,
      version,
      clock,
      log,
      operateDoor: (operateType) => door.operate(operateType),
      commands: {
        ...maintenanceCommands({
          client: () => device.client,
          watch: parts.watch,
          logFile,
          synchronise: () => device.synchronise(),
          onRestart: options.onRestart ?? null,
          log,
        }),
        ...collector,
        upgrade: (argument) => parts.upgrades().command(argument),
      },
      facts: () => ({
        apkName: TERMINAL_PACKAGE,
        ...(algorithmVersion && { algorithmVersion }),
        platform: process.platform,
        license: deviceLicense.present,
        capacity,
        door: doorFacts.state(),
        ...(store.holdings.tampering() && { storeTampering: store.holdings.tampering()! }),
      }),
      embed: embedderOf(pool, engine.loading),
      tls: options.brokerTls,
      retry: options.retry,
      resendAfter: options.resendAfter,
      onChange: parts.onDeviceChange,
    })
  const device = startRoaming({
    base: options.server,
    settings: settings.effective,
    start,
    originOf: (server) => serverOrigin({ server, secret, trust: store }),
    prove: (server, signal) => proveServer({ server, code, secret, trust: store, mustVouch: mustVouch(server) }, signal),
    ...(options.serverPatience && { patience: options.serverPatience }),
    onChange: parts.onChange,
    log,
  })
  return device
}
