/** The face engine while it loads. */
import type { FacePool } from '@gatehouse/face-engine'

export type EngineState = 'loading' | 'ready' | 'failed'

export interface Engine {
  state(): EngineState
  /** Resolves when the engine has loaded, or has failed to. */
  readonly loading: Promise<void>
}

export function loadEngine(pool: Pick<FacePool, 'ready'>, log: (sentence: string) => void): Engine {
  let state: EngineState = 'loading'
  const loading = pool.ready().then(
    () => void (state = 'ready'),
    (error: unknown) => {
      state = 'failed'
      log(`The face engine does not start: ${error instanceof Error ? error.message : String(error)}`)
    },
  )
  return { state: () => state, loading }
}
