/** A capture camera as the server knows it: it pairs and reports like a terminal, and has no door. */
import { deviceLicense, doorControlErrorType } from '@gatehouse/contract/enums'
import { TERMINAL_PACKAGE } from '@gatehouse/contract/upgrades/package'
import type { DataFolder } from '../assembly/data-folder.ts'
import { startDevice, type Device } from '../device/device.ts'
import { maintenanceCommands } from '../maintenance/commands.ts'
import { startResourceWatch } from '../maintenance/resource-watch.ts'
import { usageOf } from '../maintenance/usage.ts'
import type { CaptureCameraOptions } from './options.ts'

export interface CaptureDeviceParts {
  options: CaptureCameraOptions
  version: string
  modelId: string
  clock: () => number
  folder: Pick<DataFolder, 'store' | 'logFile' | 'log'>
  onChange: () => void
}

/** Start the device; it connects on its own. @throws TypeError for an unusable server address */
export function startCaptureDevice({ options, version, modelId, clock, folder, onChange }: CaptureDeviceParts): Device {
  const { server, code, secret, algorithmVersion } = options
  const { store, logFile, log } = folder
  const device: Device = startDevice({
    server,
    code,
    secret,
    store,
    modelId,
    version,
    clock,
    log,
    operateDoor: async () => ({ isSuccess: false, errorType: doorControlErrorType.business }),
    commands: maintenanceCommands({
      client: () => device.client,
      watch: () => watch,
      logFile,
      synchronise: () => device.synchronise(),
      onRestart: options.onRestart ?? null,
      log,
    }),
    facts: () => ({
      apkName: TERMINAL_PACKAGE,
      ...(algorithmVersion && { algorithmVersion }),
      platform: process.platform,
      license: deviceLicense.present,
      capacity: 0,
    }),
    tls: options.brokerTls,
    ...(options.retry && { retry: options.retry }),
    onChange,
  })
  const watch = startResourceWatch({
    client: device.client,
    online: device.isOnline,
    usage: options.usage ?? usageOf(options.dataDir),
    every: options.usageEvery,
    log,
  })
  return {
    ...device,
    async stop() {
      watch.stop()
      await device.stop()
    },
  }
}
