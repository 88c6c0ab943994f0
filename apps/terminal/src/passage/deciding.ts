/** From inputs to a verdict that is recorded, stands for a moment, and opens the door. */
import { failReason } from '@gatehouse/contract/enums'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import type { Door } from '../door/door.ts'
import type { Decider, Outcome } from './decision.ts'
import type { Shown } from './inputs.ts'
import type { Pending } from './pending-passage.ts'
import type { Picture, Recorder } from './recorder.ts'
import type { Sensors } from './sensors.ts'
import type { StandingVerdicts } from './standing-verdicts.ts'
import type { Finish, Verdict } from './verdict.ts'

export interface DecidingParts {
  decider: Pick<Decider, 'decide'>
  recorder: Pick<Recorder, 'record'>
  sensors: Pick<Sensors, 'latest' | 'forget'>
  door: Pick<Door, 'letThrough'>
  pending: Pick<Pending, 'current' | 'set'>
  standing: Pick<StandingVerdicts, 'add'>
  onVerdict: (verdict: Verdict) => void
}

export interface Circumstances {
  picture: Picture | null
  finish: Finish
  /** Whether the last input is a frame of a stream. */
  stream?: boolean
}

export interface Deciding {
  /** Decide about the inputs; an incomplete passage waits for the next one. */
  decide(shown: readonly Shown[], settings: DeviceSettings, moment: number, circumstances: Circumstances): Promise<Verdict>
  /** Return the verdict of a terminal without settings. */
  notConfigured(finish: Finish): Verdict
  /** Count the frames that show a stranger from zero again. */
  forgetStranger(): void
}

/** Consecutive frames of a stream that must show a stranger before they count as one: the first may show a person who is turning. */
const STRANGER_FRAMES = 3
/** Fail reasons that another frame of the same face may resolve. */
const OF_THE_FACE: readonly (number | null)[] = [failReason.notRegistered, failReason.faceVerifyFailed, failReason.substitute]

export function createDeciding({ decider, recorder, sensors, door, pending, standing, onVerdict }: DecidingParts): Deciding {
  let strangerFrames = 0
  return {
    async decide(shown, settings, moment, { picture, finish, stream = false }) {
      const measured = sensors.latest(moment)
      const outcome = await decider.decide(shown, settings, moment, measured)
      if (stream && isUnsure(outcome, shown) && ++strangerFrames < STRANGER_FRAMES) return pending.current()?.verdict ?? finish({})
      strangerFrames = 0
      const { revision: _revision, verifyType: _verifyType, ...shownOutcome } = outcome
      if (outcome.awaits) {
        // No name is included: a person who presents a card they found must not learn whose it is.
        const verdict = finish({ verdict: 'pending', awaits: outcome.awaits, checks: outcome.checks })
        pending.set({ shown, awaits: outcome.awaits, picture, verdict })
        return verdict
      }

      pending.set(null)
      const recordId = recorder.record(settings, outcome, { moment, measured, picture })
      if (outcome.verdict === 'allowed') door.letThrough()
      sensors.forget()
      const verdict = finish({ ...shownOutcome, recordId })
      standing.add(
        shown.map(({ input }) => input),
        verdict,
        moment,
        settings,
      )
      onVerdict(verdict)
      return verdict
    },
    notConfigured(finish) {
      const verdict = finish({ failReason: failReason.deviceNotConfigured })
      onVerdict(verdict)
      return verdict
    },
    forgetStranger() {
      strangerFrames = 0
    },
  }
}

/** Whether another frame may change the outcome: a person who turns away looks like a stranger, also beside a card. */
const isUnsure = ({ verdict, failReason: reason }: Outcome, shown: readonly Shown[]) =>
  verdict === 'rejected' && (shown.length === 1 ? reason === failReason.notRegistered : OF_THE_FACE.includes(reason))
