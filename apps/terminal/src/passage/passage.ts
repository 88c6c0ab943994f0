/** One look at a picture: find the face, decide, record, open, and let everybody know. */
import { encodeChecks, type Check } from '@gatehouse/access-rules'
import { code } from '@gatehouse/contract'
import { accessResult, failReason, verifyType } from '@gatehouse/contract/enums'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol'
import { RECOGNITION_FAILURE_INTERVAL, RECOGNITION_SUCCESS_INTERVAL } from '@gatehouse/contract/limits'
import { acceptedFace, distanceOf, distanceOfScore, FacePoolBusy, PhotoRefusal, type FacePool, type PhotoAnalysis } from '@gatehouse/face-engine'
import { FrameDropped } from './camera.ts'
import type { Decider, Outcome } from './decision.ts'
import type { Door } from './door.ts'
import { faceCrop } from './face-crop.ts'
import type { Device } from '../device/device.ts'
import type { TerminalStore } from '../store/store.ts'

export interface Verdict {
  verdict: 'allowed' | 'rejected'
  /** Fail reason of the specification; null when allowed, and when the picture shows no face to decide about. */
  failReason: number | null
  /** Why there was no face to decide about, as a business code of the catalogue; null when there was one. */
  reason: number | null
  personId: string | null
  personName: string
  /** 0..100; null when nobody was compared. */
  score: number | null
  /** Null when no record was made. */
  recordId: string | null
  checks: Check[]
  /** Epoch milliseconds. */
  occurredAt: number
  /** The verdict of a moment ago on the same face, given again without a record. */
  repeated: boolean
  /** Milliseconds the engine took, and everything. */
  timings: { engine: number; total: number }
}

export interface Passage {
  /**
   * Decides about the largest face of a picture.
   * @param stream a frame of a camera: the same face is decided about once in a few seconds, a stranger when he was
   *   seen in several frames, and an empty picture is nothing to speak of
   * @throws FrameDropped `busy` when the engine has too much to do
   */
  look(photo: Uint8Array, options: { stream: boolean }): Promise<Verdict>
  /** False after a record could not be written. */
  storageWorks(): boolean
  /** Pictures given up unsent since the start, for want of room. */
  picturesLost(): number
  /** Resolves when the pictures of all records so far are stored. */
  settled(): Promise<void>
}

export interface PassageOptions {
  pool: Pick<FacePool, 'analyse' | 'modelId' | 'description'>
  decider: Decider
  store: Pick<TerminalStore, 'holdings' | 'keepRoom' | 'makeRoom' | 'tight'>
  device: Pick<Device, 'appendRecord' | 'addPicture'>
  door: Door
  clock: () => number
  log: (sentence: string) => void
  onVerdict: (verdict: Verdict) => void
  onPicture: (recordId: string, image: Uint8Array) => void
}

/** Frames of a stream in a row that show a stranger before he is one: the first may have caught somebody turning. */
const STRANGER_FRAMES = 3
/** Pictures being cut at once; each holds a whole photograph in memory. */
const CROPS = 4
const NAME_LENGTH = 64

/** Somebody before the camera, for as long as his verdict stands. */
interface Standing {
  embedding: Float32Array
  until: number
  verdict: Verdict
}

/** The way through this terminal. */
export function createPassage({ pool, decider, store, device, door, clock, log, onVerdict, onPicture }: PassageOptions): Passage {
  const crops = new Set<Promise<void>>()
  let standing: Standing | null = null
  let strangerFrames = 0
  let storageWorks = true
  let picturesLost = 0

  async function analyse(photo: Uint8Array) {
    try {
      const analysis = await pool.analyse(photo, { embed: 'first', liveness: store.holdings.settings()?.liveness != null })
      return { analysis, face: acceptedFace(analysis, { faceIndex: 0 }) }
    } catch (error) {
      if (error instanceof PhotoRefusal) return error.code
      if (error instanceof FacePoolBusy) throw new FrameDropped('busy')
      log(`The face engine failed on a picture of ${photo.length} bytes: ${error instanceof Error ? error.message : String(error)}`)
      return code.imageUnreadable
    }
  }

  /** The verdict of a moment ago, where this face is as like to that one as the door asks of a person's. */
  function verdictStanding(embedding: Float32Array, moment: number, { threshold }: DeviceSettings): Verdict | null {
    if (!standing || moment >= standing.until) return null
    const distance = distanceOf({ modelId: pool.modelId, embedding }, { modelId: pool.modelId, embedding: standing.embedding })
    return distance <= distanceOfScore(pool.description.calibration, threshold) ? { ...standing.verdict, repeated: true } : null
  }

  /** Stores the record; a full disk first costs pictures. @returns null when even that did not help */
  function record(settings: DeviceSettings, outcome: Outcome, moment: number): string | null {
    const append = () =>
      device.appendRecord({
        occurredAt: moment,
        personId: outcome.personId,
        personName: outcome.personName.slice(0, NAME_LENGTH),
        result: outcome.verdict === 'allowed' ? accessResult.allowed : accessResult.rejected,
        failReason: outcome.failReason,
        verifyType: verifyType.face,
        direction: settings.direction,
        score: outcome.score,
        checks: encodeChecks(outcome.checks),
        revision: outcome.revision,
        hasPicture: true,
      })?.id ?? null
    try {
      picturesLost += store.keepRoom()
      const id = attempt(append, () => {
        log('The disk is full: pictures give way to records.')
        picturesLost += store.makeRoom()
      })
      storageWorks = true
      return id
    } catch (error) {
      storageWorks = false
      log(`A record could not be written: ${error instanceof Error ? error.message : String(error)}. The door works on, but this passage is not recorded.`)
      return null
    }
  }

  function keepPicture(recordId: string, photo: Uint8Array, analysis: PhotoAnalysis): void {
    const { faces, width, height } = analysis
    if (crops.size >= CROPS || store.tight()) {
      picturesLost++
      return
    }
    const crop = cutAndStore()
    crops.add(crop)
    void crop.finally(() => crops.delete(crop))

    async function cutAndStore(): Promise<void> {
      try {
        const image = await faceCrop(photo, faces[0]!.box, { width, height })
        const lost = device.addPicture(recordId, image)
        if (lost > 0) {
          picturesLost += lost
          log(`${lost} unsent pictures gave way to newer ones: their quota is used up.`)
        }
        onPicture(recordId, image)
      } catch (error) {
        picturesLost++
        log(`The picture of record ${recordId} could not be kept: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }

  return {
    async look(photo, { stream }) {
      const started = performance.now()
      const moment = clock()
      let engine = 0
      const finish = (outcome: Partial<Verdict>): Verdict => ({
        ...NOBODY,
        occurredAt: moment,
        ...outcome,
        timings: { engine, total: Math.round(performance.now() - started) },
      })

      const seen = await analyse(photo)
      engine = Math.round(performance.now() - started)
      const settings = store.holdings.settings()
      if (typeof seen === 'number') {
        strangerFrames = 0
        const verdict = finish({ reason: seen })
        if (!stream) onVerdict(verdict)
        return verdict
      }
      if (!settings) {
        const verdict = finish({ failReason: failReason.deviceNotConfigured })
        onVerdict(verdict)
        return verdict
      }

      const { embedding } = seen.face
      const again = stream ? verdictStanding(embedding, moment, settings) : null
      if (again) return again
      const outcome = await decider.decide(seen.face, settings, moment)
      if (stream && outcome.failReason === failReason.notRegistered && ++strangerFrames < STRANGER_FRAMES) return finish({})
      strangerFrames = 0

      const recordId = record(settings, outcome, moment)
      if (outcome.verdict === 'allowed') door.letThrough()
      const { revision: _, ...shown } = outcome
      const verdict = finish({ ...shown, recordId })
      const interval = outcome.verdict === 'allowed' ? RECOGNITION_SUCCESS_INTERVAL[1] : RECOGNITION_FAILURE_INTERVAL[1]
      standing = { embedding, until: moment + interval * 1000, verdict }
      onVerdict(verdict)
      if (recordId) keepPicture(recordId, photo, seen.analysis)
      return verdict
    },
    storageWorks: () => storageWorks,
    picturesLost: () => picturesLost,
    async settled() {
      await Promise.all(crops)
    },
  }
}

const NOBODY = {
  verdict: 'rejected',
  failReason: null,
  reason: null,
  personId: null,
  personName: '',
  score: null,
  recordId: null,
  checks: [],
  repeated: false,
} satisfies Partial<Verdict>

/** Tries once more after `remedy`. */
function attempt<T>(work: () => T, remedy: () => void): T {
  try {
    return work()
  } catch {
    remedy()
    return work()
  }
}
