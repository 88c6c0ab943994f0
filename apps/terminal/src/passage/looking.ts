/** Pictures: the largest face of each is found, and decided about alone or together with earlier inputs. */
import { accessDeviceOf } from '@gatehouse/access-rules'
import { code } from '@gatehouse/contract'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import { acceptedFace, FacePoolBusy, PhotoRefusal, type FacePool, type PhotoAnalysis } from '@gatehouse/face-engine'
import type { Mutex } from '../async/mutex.ts'
import { FrameDropped } from './camera.ts'
import type { Decider } from './decision.ts'
import type { Deciding } from './deciding.ts'
import { isWithin } from './distance.ts'
import type { Input, SeenFace, Shown } from './inputs.ts'
import type { PendingPassage } from './pending-passage.ts'
import type { InputComparison } from './same-input.ts'
import type { StandingVerdicts } from './standing-verdicts.ts'
import { finisher, type Verdict } from './verdict.ts'

export interface LookingParts {
  pool: Pick<FacePool, 'analyse'>
  decider: Pick<Decider, 'takesFaces'>
  /** The server's settings, completed by those of the terminal; null before the first. */
  settings: () => DeviceSettings | null
  clock: () => number
  log: (sentence: string) => void
  onVerdict: (verdict: Verdict) => void
  inTurn: Mutex
  deciding: Deciding
  pending: { current(): PendingPassage | null }
  standing: Pick<StandingVerdicts, 'about'>
  comparison: Pick<InputComparison, 'isSameFace'>
}

export interface Looking {
  /** Decide about the largest face of a picture. @throws FrameDropped `busy` */
  look(photo: Uint8Array, stream: boolean): Promise<Verdict>
  /** Find the largest face; return a business code of the catalogue if there is none to decide about. @throws FrameDropped `busy` */
  analyse(photo: Uint8Array): Promise<Analysed | number>
}

export interface Analysed {
  analysis: PhotoAnalysis
  face: ReturnType<typeof acceptedFace>
}

export function createLooking({
  pool,
  decider,
  settings: inForce,
  clock,
  log,
  onVerdict,
  inTurn,
  deciding,
  pending,
  standing,
  comparison,
}: LookingParts): Looking {
  async function analyse(photo: Uint8Array): Promise<Analysed | number> {
    try {
      const analysis = await pool.analyse(photo, { embed: 'first', liveness: looksForLife(inForce()) })
      return { analysis, face: acceptedFace(analysis, { faceIndex: 0 }) }
    } catch (error) {
      if (error instanceof PhotoRefusal) return error.code
      if (error instanceof FacePoolBusy) throw new FrameDropped('busy')
      log(`The face engine failed on a picture of ${photo.length} bytes: ${error instanceof Error ? error.message : String(error)}`)
      return code.imageUnreadable
    }
  }

  /**
   * Return the inputs that a face belongs to: those that wait for a face, or none. Null if something else is awaited and the face is the
   * waiting person's own.
   */
  function besides(face: SeenFace, settings: DeviceSettings): readonly Shown[] | null {
    const waiting = pending.current()
    if (!waiting) return []
    if (waiting.awaits.factors.some((factor) => factor === 'face' || factor === 'idPortrait')) return waiting.shown
    const earlier = waiting.shown.find(({ input }) => input.kind === 'face')?.input
    const isAnother = earlier?.kind === 'face' && waiting.shown.length === 1 && !comparison.isSameFace(earlier.face, face, settings)
    return isAnother ? [] : null
  }

  async function look(photo: Uint8Array, stream: boolean): Promise<Verdict> {
    const started = performance.now()
    const moment = clock()
    const seen = await analyse(photo)
    const finish = finisher(moment, started, Math.round(performance.now() - started))
    const settings = inForce()
    const refused =
      typeof seen === 'number'
        ? seen
        : isWithin(seen.analysis, settings?.configuration?.recognitionDistance ?? null)
          ? null
          : code.faceTooFewPixels
    if (refused !== null || typeof seen === 'number') {
      deciding.forgetStranger()
      const verdict = finish({ reason: refused })
      if (!stream) onVerdict(verdict)
      return verdict
    }
    if (!settings) return deciding.notConfigured(finish)

    const { embedding, livenessScore } = seen.face
    const face: SeenFace = { embedding, livenessScore }
    const input: Input = { kind: 'face', face }
    return inTurn(async () => {
      const before = besides(face, settings)
      // A person who is asked for a card need not turn away from the camera.
      if (before === null) return pending.current()!.verdict
      if (stream && before.length === 0) {
        const again = standing.about(input, moment, settings)
        if (again) return again
        if (!decider.takesFaces(settings)) return finish({})
      }
      return deciding.decide([...before, { input, seenAt: moment }], settings, moment, {
        picture: { photo, analysis: seen.analysis },
        finish,
        stream,
      })
    })
  }

  return { look, analyse }
}

const looksForLife = (settings: DeviceSettings | null): boolean => settings !== null && accessDeviceOf(settings).liveness !== null
