/** A camera that is read as long as the terminal runs. While it is away, it is tried again. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Backoff } from '../async/backoff.ts'
import type { CameraAddress } from './address.ts'
import type { CameraFault } from './fault.ts'
import { PICTURES_PER_SECOND, record, type Recording } from './ffmpeg.ts'

/** `connecting` until the first picture; later `away` whenever no pictures arrive. */
export interface CameraState {
  state: 'connecting' | 'live' | 'away'
  /** Why it is away; absent otherwise. */
  fault?: CameraFault
}

export interface CameraSource {
  state(): CameraState
  /** Resolves when everything has ended. */
  stop(): Promise<void>
}

export interface SourceOptions {
  address: CameraAddress
  /** Milliseconds without a picture after which the camera counts as away. */
  silence: number
  /** Default: as many as can be looked at thoroughly. */
  picturesPerSecond?: number
  backoff: Backoff
  onPicture: (jpeg: Uint8Array<ArrayBuffer>) => void
  onState: (state: CameraState) => void
  log: (sentence: string) => void
}

export function startSource({
  address,
  silence,
  picturesPerSecond = PICTURES_PER_SECOND,
  backoff,
  onPicture,
  onState,
  log,
}: SourceOptions): CameraSource {
  const stopping = new AbortController()
  let state: CameraState['state'] = 'connecting'
  let fault: CameraFault = 'ended'
  let recording: Recording | null = null

  const current = (): CameraState => (state === 'away' ? { state, fault } : { state })

  function turn(next: CameraState['state'], sentence: string): void {
    if (state === next) return
    state = next
    log(sentence)
    onState(current())
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      recording = record({ address, silence, picturesPerSecond }, (jpeg) => {
        backoff.reset()
        turn('live', `The camera ${address.shown} sends pictures.`)
        onPicture(jpeg)
      })
      const ending = await recording.ended
      if (stopping.signal.aborted) return
      fault = ending.fault
      turn('away', `The camera ${address.shown} is away and is asked for again and again: ${ending.sentence}`)
      await delay(backoff.next(), undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  log(`The camera ${address.shown} is asked for pictures.`)
  const watching = watch()

  return {
    state: current,
    async stop() {
      stopping.abort()
      recording?.end()
      await watching
    },
  }
}
