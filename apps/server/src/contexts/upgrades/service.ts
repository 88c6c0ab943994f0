/** Versions, packages and tasks. */
import type { Platform } from '../../platform/context.ts'
import type { DeviceCommands } from '../../platform/device-commands.ts'
import type { DevicesService } from '../devices/index.ts'
import { createDeviceSide, type DeviceSide } from './device-side.ts'
import { createPackages } from './packages.ts'
import { createRunner, type Runner } from './runner.ts'
import { createTasks, type Tasks } from './tasks.ts'
import { createVersions, type Versions } from './versions.ts'

export interface UpgradesNeeds {
  devices: DevicesService
  commands: () => DeviceCommands
}

export interface UpgradesService {
  versions: Versions
  tasks: Tasks
  deviceSide: DeviceSide
  runner: Runner
}

export function createUpgradesService(platform: Platform, needs: UpgradesNeeds): UpgradesService {
  const packages = createPackages(platform)
  const runner = createRunner(platform, needs)
  return {
    versions: createVersions(platform, packages),
    tasks: createTasks(platform, needs.devices),
    deviceSide: createDeviceSide(platform, packages, runner.soon),
    runner,
  }
}
