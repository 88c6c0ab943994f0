/** Handlers of the calls of upgrades. */
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { UpgradesService } from './service.ts'

const PACKAGE_TYPE = 'application/x-tar'

export const upgradeHandlers = ({ versions, tasks, deviceSide, runner }: UpgradesService): MountedCall[] => [
  handler(upgradeCalls.addTask, async ({ scope, body }) => {
    const id = await tasks.add(scope, body)
    runner.soon()
    return { id }
  }),
  handler(upgradeCalls.tasks, ({ scope, query }) => tasks.list(scope, query)),
  handler(upgradeCalls.task, ({ scope, query }) => tasks.read(scope, query.id)),
  handler(upgradeCalls.taskDevices, ({ scope, params, query }) => tasks.devices(scope, params.id, query)),
  handler(upgradeCalls.reach, ({ scope, body }) => tasks.reach(scope, body)),
  handler(upgradeCalls.retry, async ({ scope, params, body }) => {
    const devices = await tasks.retry(scope, params.id, body.rowId)
    runner.soon()
    return { devices }
  }),
  handler(upgradeCalls.cancel, async ({ scope, params, body }) => ({ devices: await tasks.cancel(scope, params.id, body.rowId) })),
  handler(upgradeCalls.versions, ({ query }) => versions.list(query)),
  handler(upgradeCalls.allVersions, ({ query }) => versions.all(query.kind)),
  handler(upgradeCalls.deleteVersion, async ({ query }) => {
    await versions.delete(query.id)
    return { id: query.id }
  }),
  handler(upgradeCalls.saveVersion, async ({ body, file }) => ({ id: await versions.save(body, file) })),
  handler(upgradeCalls.deviceUpgrade, ({ device, params }) => deviceSide.read(device, params.id)),
  handler(upgradeCalls.devicePackage, async ({ device, params }) => ({
    bytes: await deviceSide.package(device, params.id),
    contentType: PACKAGE_TYPE,
  })),
  handler(upgradeCalls.deviceReport, ({ device, params, body }) => deviceSide.report(device, params.id, body)),
]
