/** Sessions for tests that need no server. */
import { NO_LIMITS } from '../device-limits.ts'
import type { Session } from '../session.ts'

const PARK = 'park'

/** Return the session of a user at the root of the tree without permissions, with these differences. */
export const testSession = (differences: Partial<Session> = {}): Session => ({
  tokenId: 'token',
  userId: 'user',
  kind: 'user',
  account: 'tester',
  operator: 'Tess Tester',
  organisationId: 'root',
  roleSign: 'admin',
  permissions: new Set(),
  circumstances: {
    roleSign: 'admin',
    atRoot: true,
    lite: false,
    privatised: false,
    customerManager: false,
    deviceUpgradeType: 0,
    masking: false,
  },
  deviceLimits: NO_LIMITS,
  masking: false,
  park: { id: PARK, areaCode: '100', name: 'Park', zone: 'UTC' },
  scope: { parkId: PARK },
  ...differences,
})
