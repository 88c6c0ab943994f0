/** Versions, packages and tasks. */
import { updateType } from '@gatehouse/contract/enums/devices'
import type { UpgradeTaskFields } from '@gatehouse/contract/upgrades/calls'
import type { Platform } from '../../platform/context.ts'
import type { DeviceCommands } from '../../platform/broker/device-commands.ts'
import type { ReceivedFile } from '../../platform/http/received-file.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
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
  /** A task for a version that is kept, or for a package that comes along, which becomes one. @param file null where none came */
  addTask(session: Session, fields: UpgradeTaskFields, file: ReceivedFile | null): Promise<string>
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
    async addTask(session, { versionId, versionNumber = '', md5 = '', content = '', kind, ...fields }, file) {
      if (versionId !== undefined) {
        if (file !== null) throw new InvalidRequest([{ path: 'versionId', rule: 'versionOrPackage' }])
        return tasks.add(session, { ...fields, versionId })
      }
      const saved = await versions.save(
        { versionNumber, md5, content, kind, apkName: '', updateType: fields.type ?? updateType.prompt },
        file,
      )
      try {
        return await tasks.add(session, { ...fields, versionId: saved })
      } catch (error) {
        // Whoever asked corrects the request and sends the package again.
        await versions.delete(saved)
        throw error
      }
    },
    deviceSide: createDeviceSide(platform, packages, runner.soon),
    runner,
  }
}
