import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { deviceLimitCalls } from '@gatehouse/contract/organisation/limits'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import type { CallCase, Ground, ScreenParameters } from './case.ts'

const park = ({ site }: Ground) => ({ id: site.park.id })
const parkAndParent = ({ site }: Ground) => ({ id: site.park.id, parentId: site.park.id })

/** Return a limit of the park that is too high to be reached; create it where there is none. */
async function limited({ world, site }: Ground, deviceType: 14 | 15): Promise<{ id: string; limit: number }> {
  const admin = await world.session({ roleSign: 'admin', organisationId: world.server.contexts.organisation.service.root().id })
  const { content } = await admin.call(deviceLimitCalls.list, { body: { organisationId: site.park.id, deviceType } })
  const limit = 100_000
  return {
    id: content[0]?.id ?? (await admin.call(deviceLimitCalls.add, { body: { organisationId: site.park.id, deviceType, limit } })).id,
    limit,
  }
}

export const cases: readonly CallCase[] = [
  // The role in use is bound to its park.
  { call: organisationCalls.choicePark, lastWord: [200, 100413] },
  { call: areaCalls.modules, given: parkAndParent },
  { call: areaCalls.read, given: park },
  // A park has no children, and users cannot move or delete the park they work in.
  { call: areaCalls.add, given: ({ site }) => ({ parentId: site.park.id, type: 200 }), lastWord: [400, 400] },
  { call: areaCalls.update, given: parkAndParent, lastWord: [400, 400] },
  { call: areaCalls.delete, given: park, lastWord: [200, 200227] },
  { call: areaCalls.qrCode, given: park },
  { call: areaCalls.qrCodeInfo, given: park },
  { call: areaCalls.verificationCode, given: park },
  { call: areaCalls.renewVerificationCode, given: park },
  {
    call: areaCalls.byVerificationCode,
    given: async ({ site }) => ({ code: (await site.call(areaCalls.verificationCode, { query: {} })).verificationCode }),
  },
  // The app id is the name of the park in another system.
  { call: parkSettingCalls.saveCarPark, given: () => ({ url: '', createUrl: '', appId: '' }), foreign: false },
  { call: parkSettingCalls.carParkLogin, lastWord: [200, 510001] },
  { call: parkSettingCalls.saveChildrenCap, given: () => ({ cap: 100 }) },
  { call: deviceLimitCalls.list, given: ({ site }) => ({ organisationId: site.park.id }), foreign: false },
  { call: deviceLimitCalls.add, given: ({ site }) => ({ organisationId: site.park.id, limit: 100_000, deviceType: 16 }), foreign: false },
  { call: deviceLimitCalls.update, given: (ground) => limited(ground, 15), foreign: false },
  { call: deviceLimitCalls.remove, given: async (ground) => ({ id: (await limited(ground, 14)).id }), foreign: false },
]

/** What the parameters of screens name. */
export const screens = {
  regionDetail: { id: ({ site }) => site.park.id },
} satisfies ScreenParameters
