/** Versions, packages and tasks. */
import { updateType } from '@gatehouse/contract/enums/devices'
import type { UpgradeTaskFields } from '@gatehouse/contract/upgrades/calls'
import type { Platform } from '../../platform/context.ts'
import type { DeviceCommands } from '../../platform/broker/device-commands.ts'
import type { ReceivedFile } from '../../platform/http/received-file.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import { createDeviceSide, type DeviceSide } from './device-side.ts'
import { createPackages } from './packages.ts'
import { createRunner, type Runner } from './runner.ts'
import { createTasks } from './tasks.ts'
import type { Tasks } from './tasks-types.ts'
import { createVersions, type Versions } from './versions.ts'

export interface UpgradesNeeds {
  devices: DevicesService
  commands: () => DeviceCommands
}

export interface UpgradesService {
  versions: Versions
  tasks: Tasks
  /** Create a task for a stored version, or for an uploaded package that becomes a version. @param file null if none was uploaded */
  addTask(scope: Scope, actor: Actor, fields: UpgradeTaskFields, file: ReceivedFile | null): Promise<string>
  deviceSide: DeviceSide
  runner: Runner
}

export function createUpgradesService(platform: Platform, needs: UpgradesNeeds): UpgradesService {
  const packages = createPackages(platform)
  const runner = createRunner(platform, needs)
  const versions = createVersions(platform, packages)
  const tasks = createTasks(platform, needs.devices)
  return {
    versions,
    tasks,
    async addTask(scope, actor, { versionId, versionNumber = '', md5 = '', content = '', kind, ...fields }, file) {
      if (versionId !== undefined) {
        if (file !== null) throw new InvalidRequest([{ path: 'versionId', rule: 'versionOrPackage' }])
        return tasks.add(scope, actor, { ...fields, versionId })
      }
      const saved = await versions.save(
        { versionNumber, md5, content, kind, apkName: '', updateType: fields.type ?? updateType.prompt },
        file,
      )
      try {
        return await tasks.add(scope, actor, { ...fields, versionId: saved })
      } catch (error) {
        // The caller corrects the request and sends the package again.
        await versions.delete(saved)
        throw error
      }
    },
    deviceSide: createDeviceSide(platform, packages, runner.soon),
    runner,
  }
}
