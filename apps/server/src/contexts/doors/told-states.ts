/** What devices tell of their doors, gathered: a busy entrance moves all day, and each movement is worth little by itself. */
import type { Platform } from '../../platform/context.ts'
import type { ToldState } from './data.ts'

/** So long after the first of them, states are written. */
const GATHER_MS = 100

export interface ToldStates {
  add(parkId: string, state: ToldState): void
  /** Writes what has gathered. */
  stop(): Promise<void>
}

/** @param write stores states of one park, each device once */
export function createToldStates(
  platform: Pick<Platform, 'log'>,
  write: (parkId: string, states: readonly ToldState[]) => Promise<void>,
): ToldStates {
  const gathered = new Map<string, Map<string, ToldState>>()
  let timer: NodeJS.Timeout | null = null
  let writing = Promise.resolve()

  async function flush(): Promise<void> {
    timer = null
    const parks = [...gathered]
    gathered.clear()
    for (const [parkId, states] of parks) {
      // In one order, so that two nodes never wait for each other.
      const ordered = [...states.values()].toSorted((a, b) => (a.deviceId < b.deviceId ? -1 : 1))
      // Only what is shown is lost: the next movement, or the next connection, tells it anew.
      await write(parkId, ordered).catch((error: unknown) => platform.log.error({ err: error, parkId }, 'states of doors were not noted'))
    }
  }

  return {
    add(parkId, state) {
      const states = gathered.get(parkId) ?? new Map<string, ToldState>()
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
