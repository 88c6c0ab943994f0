import { developmentCalls } from '@gatehouse/contract/development/calls'
import type { CallCase } from './case.ts'

export const cases: readonly CallCase[] = [
  { call: developmentCalls.personsOfDevice, given: async ({ site }) => ({ deviceId: (await site.device()).id }) },
  { call: developmentCalls.devicesOfPerson, given: async ({ site }) => ({ personId: (await site.person()).id }) },
]
