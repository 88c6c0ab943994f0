/** Handlers of the calls of upgrades. */
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { UpgradesService } from './service.ts'

const PACKAGE_TYPE = 'application/x-tar'

export const upgradeHandlers = ({ versions, tasks, addTask, deviceSide, runner }: UpgradesService): MountedCall[] => [
  handler(upgradeCalls.addTask, async ({ scope, session, body, file }) => {
    const id = await addTask(scope, session, body, file)
    runner.soon()
    return { id }
  }),
  handler(upgradeCalls.tasks, ({ scope, session, query }) => tasks.list(scope, session, query)),
  handler(upgradeCalls.task, ({ scope, session, query }) => tasks.read(scope, session, query.id)),
  handler(upgradeCalls.taskDevices, ({ scope, params, query }) => tasks.devices(scope, params.id, query)),
  handler(upgradeCalls.running, ({ scope }) => tasks.running(scope)),
  handler(upgradeCalls.reach, ({ scope, body }) => tasks.reach(scope, body)),
  handler(upgradeCalls.approve, async ({ scope, session, params }) => {
    const devices = await tasks.approve(scope, session, params.id)
    runner.soon()
    return { devices }
  }),
  handler(upgradeCalls.decline, async ({ scope, session, params }) => ({ devices: await tasks.decline(scope, session, params.id) })),
  handler(upgradeCalls.retry, async ({ scope, session, params, body }) => {
    const devices = await tasks.retry(scope, session, params.id, body.rowId)
    runner.soon()
    return { devices }
  }),
  handler(upgradeCalls.cancel, async ({ scope, session, params, body }) => ({
    devices: await tasks.cancel(scope, session, params.id, body.rowId),
  })),
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
