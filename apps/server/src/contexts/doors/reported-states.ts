/** States of doors that devices report, written in batches: a busy door moves all day, and a single movement matters little. */
import type { Platform } from '../../platform/context.ts'
import type { DoorStateAt } from './data.ts'

/** States are written this long after the first of a batch. */
const GATHER_MS = 100

export interface ReportedStates {
  add(parkId: string, state: DoorStateAt): void
  /** Write the pending states. */
  stop(): Promise<void>
}

/** @param write stores states of one park, each device once */
export function createReportedStates(
  platform: Pick<Platform, 'log'>,
  write: (parkId: string, states: readonly DoorStateAt[]) => Promise<void>,
): ReportedStates {
  const gathered = new Map<string, Map<string, DoorStateAt>>()
  let timer: NodeJS.Timeout | null = null
  let writing = Promise.resolve()

  async function flush(): Promise<void> {
    timer = null
    const parks = [...gathered]
    gathered.clear()
    for (const [parkId, states] of parks) {
      // In a fixed order, so that two nodes never deadlock.
      const ordered = [...states.values()].toSorted((a, b) => (a.deviceId < b.deviceId ? -1 : 1))
      // Only the displayed state is lost: the next movement, or the next connection, reports it again.
      await write(parkId, ordered).catch((error: unknown) => platform.log.error({ err: error, parkId }, 'states of doors were not noted'))
    }
  }

  return {
    add(parkId, state) {
      const states = gathered.get(parkId) ?? new Map<string, DoorStateAt>()
      gathered.set(parkId, states.set(state.deviceId, state))
      timer ??= setTimeout(() => (writing = writing.then(flush)), GATHER_MS)
    },
    async stop() {
      if (timer !== null) clearTimeout(timer)
      writing = writing.then(flush)
      await writing
    },
  }
}
