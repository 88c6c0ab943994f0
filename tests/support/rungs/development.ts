import { developmentCalls } from '@gatehouse/contract/development/calls'
import type { Rung } from './rungs.ts'

export const developmentRungs: readonly Rung[] = [
  { call: developmentCalls.personsOfDevice, given: async ({ site }) => ({ deviceId: (await site.device()).id }) },
  { call: developmentCalls.devicesOfPerson, given: async ({ site }) => ({ personId: (await site.person()).id }) },
]
