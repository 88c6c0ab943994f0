/** The way through this terminal: what is shown one after the other becomes one passage, is decided, recorded, and opens the door. */
import { accessDeviceOf, type Check, type Measured } from '@gatehouse/access-rules'
import { code } from '@gatehouse/contract'
import { failReason } from '@gatehouse/contract/enums'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol'
import { RECOGNITION_FAILURE_INTERVAL, RECOGNITION_SUCCESS_INTERVAL } from '@gatehouse/contract/limits'
import {
  acceptedFace,
  distanceOf,
  distanceOfScore,
  FacePoolBusy,
  PhotoRefusal,
  recommendedScore,
  type FacePool,
} from '@gatehouse/face-engine'
import { FrameDropped } from './camera.ts'
import type { Awaiting, Decider, Outcome } from './decision.ts'
import { isWithin } from './distance.ts'
import type { Door } from '../door/door.ts'
import { isSameInput, LYING, type Input, type SeenFace, type Shown } from './inputs.ts'
import { createNumberThrottle } from './number-throttle.ts'
import { createRecorder, type Picture } from './recorder.ts'
import { createSensors } from './sensors.ts'
import { createSerial } from './serial.ts'
import { createThrottle } from './throttle.ts'
import type { Device } from '../device/device.ts'
import type { TerminalStore } from '../store/store.ts'

export interface Verdict {
  /** `pending`: `awaits` tells what is missing. */
  verdict: 'allowed' | 'rejected' | 'pending'
  /** Fail reason of the specification; null when allowed, and when the picture shows no face to decide about. */
  failReason: number | null
  /** Why there was no face to decide about, as a business code of the catalogue; null when there was one. */
  reason: number | null
  /** What is to be shown next, and until when; absent or null unless the verdict is pending. */
  awaits?: Awaiting | null
  /** What somebody let in is asked to put on. */
  prompts?: ('mask' | 'helmet')[]
  personId: string | null
  personName: string
  /** The contact who came in the person's place; null, empty or absent where the person came. */
  contactId?: string | null
  contactName?: string
  workNumber?: string
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

/** Too many wrong passwords or unknown numbers: no further one is looked at before `wait` milliseconds have passed. */
export class Paused extends Error {
  override readonly name = 'Paused'
  readonly wait: number
  constructor(wait: number) {
    super(`Nothing of this kind is looked at for another ${wait} ms.`)
    this.wait = wait
  }
}

export interface Passage {
  /**
   * Decides about the largest face of a picture.
   * @param stream a frame of a camera: the same face is decided about once in a few seconds, a stranger when he was
   *   seen in several frames, and an empty picture is nothing to speak of
   * @throws FrameDropped `busy` when the engine has too much to do
   */
  look(photo: Uint8Array, options: { stream: boolean }): Promise<Verdict>
  /**
   * Takes something else that was shown, alone or with what was shown before.
   * @param source the reader it comes from, whose unknown numbers are counted apart from those of others
   * @throws Paused for a password after too many wrong ones, and for a number after too many unknown ones
   */
  show(input: Exclude<Input, { kind: 'face' }>, source?: string): Promise<Verdict>
  /** The portrait of an ID card as it is compared; null where it shows no face. @throws FrameDropped `busy` */
  portraitOf(photo: Uint8Array): Promise<Float32Array | null>
  /** Takes what sensors say of whoever stands there. */
  measure(measured: Measured): Promise<void>
  /** What is waited for; null when nothing is. */
  awaiting(): Awaiting | null
  /** False after a record could not be written. */
  storageWorks(): boolean
  /** Pictures given up unsent since the start, for want of room. */
  picturesLost(): number
  /** Resolves when the pictures of all records so far are stored. */
  settled(): Promise<void>
  /** Waits for nothing any more. */
  stop(): void
}

export interface PassageOptions {
  pool: Pick<FacePool, 'analyse' | 'modelId' | 'description'>
  decider: Decider
  /** What the server sent, with what else this terminal is set to; null before the first. */
  settings: () => DeviceSettings | null
  store: Pick<TerminalStore, 'keepRoom' | 'makeRoom' | 'tight'>
  device: Pick<Device, 'appendRecord' | 'addPicture'>
  door: Pick<Door, 'letThrough'>
  clock: () => number
  log: (sentence: string) => void
  onVerdict: (verdict: Verdict) => void
  onPicture: (recordId: string, image: Uint8Array) => void
  /** Something else is waited for, or nothing any more. */
  onAwaiting?: (awaiting: Awaiting | null) => void
}

/** Frames of a stream in a row that show a stranger before he is one: the first may have caught somebody turning. */
const STRANGER_FRAMES = 3
/** What another frame of the same face may put right. */
const OF_THE_FACE: readonly (number | null)[] = [failReason.notRegistered, failReason.faceVerifyFailed, failReason.substitute]
/** Wrong passwords within a minute, and for how long none is looked at then. */
const WRONG_PASSWORDS = { most: 5, within: 60_000, pause: 30_000 }

/** Somebody whose verdict stands for a moment. */
interface Standing {
  /** What decided, faces and things. */
  inputs: readonly Input[]
  since: number
  /** Milliseconds. */
  lasts: number
  verdict: Verdict
}

/** A passage that waits for more. */
interface Session {
  shown: readonly Shown[]
  awaits: Awaiting
  picture: Picture | null
  verdict: Verdict
}

export function createPassage({
  pool,
  decider,
  settings: inForce,
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
  const inTurn = createSerial()
  const throttle = createThrottle(WRONG_PASSWORDS)
  const numbers = createNumberThrottle(log)
  const sensors = createSensors(() => inForce()?.factorTimeoutMs ?? 0)
  /** Of each who was here a moment ago: somebody who stands before the camera is not there anew because another passed. */
  let standing: readonly Standing[] = []
  let session: Session | null = null
  let waiting: NodeJS.Timeout | undefined
  let strangerFrames = 0
  let stopped = false
  const looks = new Set<Promise<Verdict>>()

  async function analyse(photo: Uint8Array) {
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
   * As like to one another as the door asks of a person's faces, and no more than is recommended for a door: two frames are compared with
   * each other, however many people are held.
   */
  function isSameFace(one: SeenFace, other: SeenFace, settings: DeviceSettings): boolean {
    const { calibration } = pool.description
    const template = ({ embedding }: SeenFace) => ({ modelId: pool.modelId, embedding })
    const score = Math.min(decider.asked(settings).face, recommendedScore(calibration, 'door'))
    return distanceOf(template(one), template(other)) <= distanceOfScore(calibration, score)
  }

  const isSame = (one: Input, other: Input, settings: DeviceSettings) =>
    one.kind === 'face' && other.kind === 'face' ? isSameFace(one.face, other.face, settings) : isSameInput(one, other)

  const isAbout = ({ inputs }: Standing, input: Input, settings: DeviceSettings) => inputs.some((known) => isSame(input, known, settings))

  /** The verdict of a moment ago on the same face or thing. */
  function verdictStanding(input: Input, moment: number, settings: DeviceSettings): Verdict | null {
    const same = standing.find((one) => isStanding(one, moment) && isAbout(one, input, settings))
    return same ? { ...same.verdict, repeated: true } : null
  }

  /** Lets a verdict stand, in place of earlier ones on the same. */
  function letStand(latest: Standing, settings: DeviceSettings): void {
    const isOfOthers = (one: Standing) => !latest.inputs.some((input) => isAbout(one, input, settings))
    standing = [latest, ...standing.filter((one) => isStanding(one, latest.since) && isOfOthers(one))]
  }

  function waitFor(next: Session | null): void {
    clearTimeout(waiting)
    const changed = next !== null || session !== null
    session = next
    if (next && !stopped) {
      waiting = setTimeout(() => void endInTime(next), Math.max(0, next.awaits.until + 1 - clock()))
      waiting.unref()
    }
    if (changed) onAwaiting(next?.awaits ?? null)
  }

  /** A face that came in time may still be looked at. */
  async function endInTime(due: Session): Promise<void> {
    await Promise.allSettled(looks)
    await inTurn(() => timeOut(due)).catch((error: unknown) => log(`A passage that was waited for could not be ended: ${String(error)}`))
  }

  /** Nothing came in time. */
  async function timeOut(due: Session): Promise<void> {
    const settings = inForce()
    if (session !== due || stopped || !settings) return
    const moment = Math.max(clock(), due.awaits.until + 1)
    await decide(due.shown, settings, moment, { picture: due.picture, finish: finisher(moment) })
  }

  interface Circumstances {
    picture: Picture | null
    finish: (outcome: Partial<Verdict>) => Verdict
    /** The last thing shown is a frame of a stream. */
    stream?: boolean
  }

  async function decide(
    shown: readonly Shown[],
    settings: DeviceSettings,
    moment: number,
    { picture, finish, stream = false }: Circumstances,
  ): Promise<Verdict> {
    const measured = sensors.latest(moment)
    const outcome = await decider.decide(shown, settings, moment, measured)
    if (stream && isUnsure(outcome, shown) && ++strangerFrames < STRANGER_FRAMES) return session?.verdict ?? finish({})
    strangerFrames = 0
    const { revision: _revision, verifyType: _verifyType, ...told } = outcome
    if (outcome.awaits) {
      // Whoever found a card is not told whose it is.
      const verdict = finish({ verdict: 'pending', awaits: outcome.awaits, checks: outcome.checks })
      waitFor({ shown, awaits: outcome.awaits, picture, verdict })
      return verdict
    }

    waitFor(null)
    const recordId = recorder.record(settings, outcome, { moment, measured, picture })
    if (outcome.verdict === 'allowed') door.letThrough()
    sensors.forget()
    const verdict = finish({ ...told, recordId })
    const lasts = intervalOf(settings, outcome.verdict) * 1000
    letStand({ inputs: shown.map(({ input }) => input), since: moment, lasts, verdict }, settings)
    onVerdict(verdict)
    return verdict
  }

  /** A stranger at first sight may be somebody who turns away; so may the wrong face beside a card. */
  const isUnsure = ({ verdict, failReason: reason }: Outcome, shown: readonly Shown[]) =>
    verdict === 'rejected' && (shown.length === 1 ? reason === failReason.notRegistered : OF_THE_FACE.includes(reason))

  function finisher(moment: number, started = performance.now(), engine = 0): Circumstances['finish'] {
    return (outcome) => ({ ...NOBODY, occurredAt: moment, ...outcome, timings: { engine, total: Math.round(performance.now() - started) } })
  }

  /** What a face is shown with: what waits for one, or nothing. Null where something else is waited for, and where this face is. */
  function besides(face: SeenFace, settings: DeviceSettings): readonly Shown[] | null {
    if (!session) return []
    if (session.awaits.factors.some((factor) => factor === 'face' || factor === 'idPortrait')) return session.shown
    const waits = session.shown.find(({ input }) => input.kind === 'face')?.input
    return waits?.kind === 'face' && session.shown.length === 1 && !isSameFace(waits.face, face, settings) ? [] : null
  }

  const notConfigured = (finish: Circumstances['finish']): Verdict => {
    const verdict = finish({ failReason: failReason.deviceNotConfigured })
    onVerdict(verdict)
    return verdict
  }

  async function lookAt(photo: Uint8Array, stream: boolean): Promise<Verdict> {
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
      strangerFrames = 0
      const verdict = finish({ reason: refused })
      if (!stream) onVerdict(verdict)
      return verdict
    }
    if (!settings) return notConfigured(finish)

    const { embedding, livenessScore } = seen.face
    const face: SeenFace = { embedding, livenessScore }
    const input: Input = { kind: 'face', face }
    return inTurn(async () => {
      const before = besides(face, settings)
      // Whoever waits for a card need not turn away from the camera.
      if (before === null) return session!.verdict
      if (stream && before.length === 0) {
        const again = verdictStanding(input, moment, settings)
        if (again) return again
        if (!decider.takesFaces(settings)) return finish({})
      }
      return decide([...before, { input, seenAt: moment }], settings, moment, {
        picture: { photo, analysis: seen.analysis },
        finish,
        stream,
      })
    })
  }

  return {
    async look(photo, { stream }) {
      const looking = lookAt(photo, stream)
      looks.add(looking)
      try {
        return await looking
      } finally {
        looks.delete(looking)
      }
    },
    async show(input, source = 'calls') {
      const moment = clock()
      const finish = finisher(moment)
      const settings = inForce()
      if (!settings) return notConfigured(finish)
      return inTurn(async () => {
        const again = LYING.includes(input.kind) && !session ? verdictStanding(input, moment, settings) : null
        if (again) return again
        if (session?.shown.some((shown) => isSame(shown.input, input, settings) && LYING.includes(input.kind))) return session.verdict
        // The same kind shown once more is another try.
        const before = session && !session.shown.some((shown) => shown.input.kind === input.kind) ? session.shown : []
        if (input.kind === 'password') {
          const wait = throttle.wait(moment)
          if (wait > 0) throw new Paused(wait)
          if (!decider.knowsPassword(input.password, before)) throttle.failed(moment)
        } else {
          const wait = numbers.wait(source, input, moment)
          if (wait > 0) throw new Paused(wait)
          if (!decider.isHeld(input)) numbers.unknown(source, input, moment)
        }
        return decide([...before, { input, seenAt: moment }], settings, moment, {
          picture: before.length > 0 ? (session?.picture ?? null) : null,
          finish,
        })
      })
    },
    async portraitOf(photo) {
      const seen = await analyse(photo)
      return typeof seen === 'number' ? null : seen.face.embedding
    },
    measure(measured) {
      sensors.tell(measured, clock())
      return inTurn(async () => {
        const settings = inForce()
        if (!session || session.awaits.factors.length > 0 || !settings) return
        const { shown, picture } = session
        await decide(shown, settings, clock(), { picture, finish: finisher(clock()) })
      })
    },
    awaiting: () => session?.awaits ?? null,
    storageWorks: recorder.storageWorks,
    picturesLost: recorder.picturesLost,
    settled: () => inTurn(() => recorder.settled()),
    stop() {
      stopped = true
      clearTimeout(waiting)
    },
  }
}

const looksForLife = (settings: DeviceSettings | null): boolean => settings !== null && accessDeviceOf(settings).liveness !== null

/** Seconds a verdict stands. */
function intervalOf({ configuration }: DeviceSettings, verdict: Verdict['verdict']): number {
  if (verdict === 'allowed') return configuration?.successInterval ?? RECOGNITION_SUCCESS_INTERVAL[1]
  return configuration?.failureInterval ?? RECOGNITION_FAILURE_INTERVAL[1]
}

/** Before it as well as after: a clock that was put back must not keep anybody out until it is as late again. */
const isStanding = ({ since, lasts }: Standing, moment: number) => Math.abs(moment - since) < lasts

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
