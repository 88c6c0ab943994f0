/** All enums by name, in a file separate from `enums.ts` so that a bundle contains only those it uses. */
import * as access from './access.ts'
import * as alarms from './alarms.ts'
import * as attendance from './attendance.ts'
import * as common from './common.ts'
import * as devices from './devices.ts'
import * as epidemic from './epidemic.ts'
import * as identity from './identity.ts'
import * as organisation from './organisation.ts'
import * as patrol from './patrol.ts'
import * as people from './people.ts'
import * as realtime from './realtime.ts'
import * as visitors from './visitors.ts'

export const enums = {
  ...access,
  ...alarms,
  ...attendance,
  ...common,
  ...devices,
  ...epidemic,
  ...identity,
  ...organisation,
  ...patrol,
  ...people,
  ...realtime,
  ...visitors,
} as const
export type EnumName = keyof typeof enums
