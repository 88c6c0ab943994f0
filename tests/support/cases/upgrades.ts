import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import { deviceType, updateType } from '@gatehouse/contract/enums/devices'
import { addTask, saveVersion } from '@gatehouse/dev-env/packages'
import type { Given } from '../requests.ts'
import type { CallCase, Ground, ScreenParameters } from './case.ts'

/** Each version can be uploaded once. */
let versions = 0
const nextNumber = () => String(++versions)

/** A version of the installation, which no park owns. */
const version: CallCase['given'] = async ({ world }) => {
  const { id } = await saveVersion(world.client, { kind: 'device', versionNumber: nextNumber() })
  return { id, versionId: id }
}

/** Create a task for every device of the park, requested by the administrator. */
async function task({ world, site }: Ground, type: 0 | 1 = updateType.prompt): Promise<{ id: string }> {
  const { id: versionId } = await saveVersion(world.client, { kind: 'device', versionNumber: nextNumber() })
  return { id: await addTask(site.client, { versionId, deviceTypes: [...deviceType.values], type }) }
}

/** Create a task that is pending the approval of another user. */
const pending: CallCase['given'] = (ground) => task(ground, updateType.forced)

/** Return a device of such a task. */
async function rowOf({ site }: Ground, id: string): Promise<Given> {
  const {
    content: [row],
  } = await site.call(upgradeCalls.taskDevices, { params: { id }, query: {} })
  return { id, rowId: row!.id }
}

const open: CallCase['given'] = async (ground) => rowOf(ground, (await task(ground)).id)

const failed: CallCase['given'] = async (ground) => {
  const { id } = await task(ground)
  await ground.site.call(upgradeCalls.cancel, { params: { id }, body: {} })
  return rowOf(ground, id)
}

const targets: CallCase['given'] = async (ground) => {
  const { versionId } = (await version(ground)) as { versionId: string }
  return { versionId, codes: ['unknown'] }
}

export const cases: readonly CallCase[] = [
  // These calls require a permission of the installation and name a version of it; that devices of another park are refused is tested
  // elsewhere. The photo of a face that is sent along is no package.
  { call: upgradeCalls.addTask, given: targets, foreign: false, lastWord: [400, 400] },
  { call: upgradeCalls.reach, given: targets, foreign: false },
  { call: upgradeCalls.approve, given: pending, foreign: false },
  { call: upgradeCalls.decline, given: pending, foreign: false },
  { call: upgradeCalls.retry, given: failed, foreign: false },
  { call: upgradeCalls.cancel, given: open, foreign: false },
  { call: upgradeCalls.deleteVersion, given: version, foreign: false },
  // A photo of a face is no package.
  { call: upgradeCalls.saveVersion, given: () => ({ versionNumber: '1', md5: '0'.repeat(32) }), lastWord: [400, 400] },
  { call: upgradeCalls.task, given: (ground) => task(ground) },
  { call: upgradeCalls.taskDevices, given: (ground) => task(ground) },
  { call: upgradeCalls.deviceUpgrade, given: (ground) => task(ground) },
  { call: upgradeCalls.devicePackage, given: (ground) => task(ground) },
  { call: upgradeCalls.deviceReport, given: (ground) => task(ground) },
]

/** What the parameters of screens name. */
export const screens = {
  clientUpgradeDetail: { id: upgradeCalls.task },
  deviceUpgradeDetail: { id: upgradeCalls.task },
} satisfies ScreenParameters
