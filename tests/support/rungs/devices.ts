import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { Ground, Rung } from './rungs.ts'

let samples = 0
const emptyGroup = async ({ site }: Ground): Promise<string> => (await site.deviceGroup(`Sample_${++samples}`)).id

export const devicesRungs: readonly Rung[] = [
  { call: deviceCalls.changeGroup, given: async (ground) => ({ id: await emptyGroup(ground) }) },
  { call: deviceCalls.deleteGroup, given: async (ground) => ({ id: await emptyGroup(ground) }) },
]
