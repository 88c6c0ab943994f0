import { deviceType } from '@gatehouse/contract/enums'
import { monitoringTaskCalls as tasks } from '@gatehouse/contract/surveillance/tasks'
import { ALWAYS_OPEN } from '@gatehouse/dev-env/site'
import type { CallCase, Ground, ScreenParameters } from './case.ts'

let samples = 0

const MINUTE = 60_000

/** Where a task looks out and for whom: a camera and a group of its own, so that it clashes with no other. */
async function members({ site }: Ground) {
  const camera = await site.device({ type: deviceType.captureCamera, model: 1 })
  return { deviceIds: [camera.id], personGroupIds: [(await site.personGroup()).id] }
}

/** A task that waits for its start, so that it can be changed and deleted. */
async function fields(ground: Ground) {
  const startTime = ground.world.clock.now() + 60 * MINUTE
  return { name: `Watch ${++samples}`, startTime, endTime: startTime + 60 * MINUTE, periods: ALWAYS_OPEN, ...(await members(ground)) }
}
const thresholds = { customPrecision: 60, similarityThreshold: 70, lowThreshold: 60, highThreshold: 80 }
const id = async (ground: Ground): Promise<{ id: string }> => ground.site.call(tasks.add, { body: await fields(ground) })

export const cases: readonly CallCase[] = [
  { call: tasks.add, given: async (ground) => ({ ...(await fields(ground)), ...thresholds }) },
  { call: tasks.read, given: id },
  { call: tasks.updateBase, given: async (ground) => ({ ...(await fields(ground)), ...(await id(ground)) }) },
  { call: tasks.updateConfig, given: async (ground) => ({ ...(await fields(ground)), ...thresholds, ...(await id(ground)) }) },
  { call: tasks.delete, given: id },
]

/** What the parameters of screens name. */
export const screens = {
  editMonitor: { id: tasks.read },
  monitorDetail: { id: tasks.read },
} satisfies ScreenParameters

export const listed = [tasks.add]
