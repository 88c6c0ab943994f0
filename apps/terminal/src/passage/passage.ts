/** Passage through this terminal: successive inputs become one passage, which is decided, recorded, and opens the door. */
import type { Measured } from '@gatehouse/access-rules'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import type { FacePool } from '@gatehouse/face-engine'
import { createMutex } from '../async/mutex.ts'
import type { Device } from '../device/device.ts'
import type { Door } from '../door/door.ts'
import type { TerminalStore } from '../store/store.ts'
import { createDeciding } from './deciding.ts'
import type { Awaiting, Decider } from './decision.ts'
import { createGuessLimits } from './guess-limits.ts'
import { LYING, type Input } from './inputs.ts'
import { createLooking } from './looking.ts'
import { createPending, type PendingPassage } from './pending-passage.ts'
import { createRecorder } from './recorder.ts'
import { createInputComparison } from './same-input.ts'
import { createSensors } from './sensors.ts'
import { createStandingVerdicts } from './standing-verdicts.ts'
import { finisher, type Verdict } from './verdict.ts'

export { Paused } from './guess-limits.ts'
export type { Verdict } from './verdict.ts'

export interface Passage {
  /**
   * Decide about the largest face of a picture.
   * @param stream whether it is a frame of a camera: the same face is decided about once in a few seconds, a stranger only after several
   *   frames, and an empty picture is not reported
   * @throws FrameDropped `busy` when the engine has too much to do
   */
  look(photo: Uint8Array, options: { stream: boolean }): Promise<Verdict>
  /**
   * Take another input, alone or with earlier ones.
   * @param source the reader it comes from; unknown numbers are counted for each source
   * @throws Paused for a password after too many wrong ones, and for a number after too many unknown ones
   */
  show(input: Exclude<Input, { kind: 'face' }>, source?: string): Promise<Verdict>
  /** Return the embedding of an ID card's portrait; null if it shows no face. @throws FrameDropped `busy` */
  portraitOf(photo: Uint8Array): Promise<Float32Array | null>
  /** Take measurements of sensors about the person at the door. */
  measure(measured: Measured): Promise<void>
  /** Return what is awaited; null if nothing is. */
  awaiting(): Awaiting | null
  /** Return false after a record could not be written. */
  storageWorks(): boolean
  /** Return the number of unsent pictures dropped since the start for lack of space. */
  picturesLost(): number
  /** Resolves when the pictures of all records so far are stored. */
  settled(): Promise<void>
  /** Stop waiting for further inputs. */
  stop(): void
}

export interface PassageOptions {
  pool: Pick<FacePool, 'analyse' | 'modelId' | 'description'>
  decider: Decider
  /** The server's settings, completed by those of the terminal; null before the first. */
  settings: () => DeviceSettings | null
  store: Pick<TerminalStore, 'keepRoom' | 'makeRoom' | 'tight'>
  device: Pick<Device, 'appendRecord' | 'addPicture'>
  door: Pick<Door, 'letThrough'>
  clock: () => number
  log: (sentence: string) => void
  onVerdict: (verdict: Verdict) => void
  onPicture: (recordId: string, image: Uint8Array) => void
  /** Called when something else is awaited, or nothing any more. */
  onAwaiting?: (awaiting: Awaiting | null) => void
}

export function createPassage({
  pool,
  decider,
  settings,
  store,
  device,
  door,
  clock,
  log,
  onVerdict,
  onPicture,
  onAwaiting = () => {},
}: PassageOptions): Passage {
  const recorder = createRecorder({ store, device, log, onPicture })
  const sensors = createSensors(() => settings()?.factorTimeoutMs ?? 0)
  /** A decision that waits for the server must not be overtaken by the next input. */
  const inTurn = createMutex()
  const limits = createGuessLimits(decider, log)
  const comparison = createInputComparison(pool, decider)
  const standing = createStandingVerdicts(comparison)
  const pending = createPending({ clock, onAwaiting, onTimeout: (due) => void endInTime(due) })
  const deciding = createDeciding({ decider, recorder, sensors, door, pending, standing, onVerdict })
  const looking = createLooking({ pool, decider, settings, clock, log, onVerdict, inTurn, deciding, pending, standing, comparison })
  const looks = new Set<Promise<Verdict>>()

  /** End a passage at its time limit, after the faces that came in time have been processed. */
  async function endInTime(due: PendingPassage): Promise<void> {
    await Promise.allSettled(looks)
    await inTurn(() => timeOut(due)).catch((error: unknown) => log(`A passage that was waited for could not be ended: ${String(error)}`))
  }

  /** Decide about a passage whose missing inputs did not arrive in time. */
  async function timeOut(due: PendingPassage): Promise<void> {
    const current = settings()
    if (pending.current() !== due || pending.isStopped() || !current) return
    const moment = Math.max(clock(), due.awaits.until + 1)
    await deciding.decide(due.shown, current, moment, { picture: due.picture, finish: finisher(moment) })
  }

  return {
    async look(photo, { stream }) {
      const look = looking.look(photo, stream)
      looks.add(look)
      try {
        return await look
      } finally {
        looks.delete(look)
      }
    },
    async show(input, source = 'calls') {
      const moment = clock()
      const finish = finisher(moment)
      const current = settings()
      if (!current) return deciding.notConfigured(finish)
      return inTurn(async () => {
        const waiting = pending.current()
        const again = LYING.includes(input.kind) && !waiting ? standing.about(input, moment, current) : null
        if (again) return again
        if (waiting?.shown.some((shown) => comparison.isSame(shown.input, input, current) && LYING.includes(input.kind)))
          return waiting.verdict
        // Another input of the same kind is another attempt.
        const before = waiting && !waiting.shown.some((shown) => shown.input.kind === input.kind) ? waiting.shown : []
        limits.admit(input, before, source, moment)
        return deciding.decide([...before, { input, seenAt: moment }], current, moment, {
          picture: before.length > 0 ? (waiting?.picture ?? null) : null,
          finish,
        })
      })
    },
    async portraitOf(photo) {
      const seen = await looking.analyse(photo)
      return typeof seen === 'number' ? null : seen.face.embedding
    },
    measure(measured) {
      sensors.note(measured, clock())
      return inTurn(async () => {
        const [waiting, current] = [pending.current(), settings()]
        if (!waiting || waiting.awaits.factors.length > 0 || !current) return
        const { shown, picture } = waiting
        await deciding.decide(shown, current, clock(), { picture, finish: finisher(clock()) })
      })
    },
    awaiting: () => pending.current()?.awaits ?? null,
    storageWorks: recorder.storageWorks,
    picturesLost: recorder.picturesLost,
    settled: () => inTurn(() => recorder.settled()),
    stop: pending.stop,
  }
}
