import { restrictionCalls } from '@gatehouse/contract/restrictions/calls'
import type { CallCase, Ground, ScreenParameters } from './case.ts'

let samples = 0

/** Create an area with a door of its own: a device cannot be the door of two areas. */
async function area({ site }: Ground): Promise<{ id: string }> {
  const { id: deviceId } = await site.device()
  return site.call(restrictionCalls.create, {
    body: { name: `Restricted ${++samples}`, limitType: 'antiSneakBack', deviceIds: [deviceId], antiSneakBack: true, flowLimit: false },
  })
}

const id = area
const restrictionId = async (ground: Ground) => ({ restrictionId: (await area(ground)).id })
/** Create an area with a muster in progress. */
async function mustered(ground: Ground) {
  const given = await restrictionId(ground)
  await ground.site.call(restrictionCalls.beginMuster, { body: given })
  return given
}
const freeDoor = async ({ site }: Ground) => ({
  deviceIds: [(await site.device()).id],
  exitDeviceIds: [(await site.device()).id],
  flowLimit: false,
})

export const cases: readonly CallCase[] = [
  { call: restrictionCalls.create, given: freeDoor },
  { call: restrictionCalls.change, given: async (ground) => ({ ...(await id(ground)), ...(await freeDoor(ground)) }) },
  { call: restrictionCalls.delete, given: id },
  { call: restrictionCalls.read, given: id },
  { call: restrictionCalls.setFlowLimit, given: async (ground) => ({ ...(await id(ground)), status: 0 }) },
  { call: restrictionCalls.persons, given: restrictionId },
  { call: restrictionCalls.setStatus, given: restrictionId },
  { call: restrictionCalls.occupancy, given: id },
  { call: restrictionCalls.muster, given: restrictionId },
  { call: restrictionCalls.beginMuster, given: restrictionId },
  { call: restrictionCalls.endMuster, given: mustered },
  { call: restrictionCalls.meet, given: mustered },
]

/** What the parameters of screens name. */
export const screens = {
  accessRestrictionDetail: { id: restrictionCalls.read },
  accessRestrictionPersonList: { id: restrictionCalls.read },
  accessRestrictionMuster: { id: restrictionCalls.read },
} satisfies ScreenParameters
