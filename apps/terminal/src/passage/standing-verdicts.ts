/**
 * Verdicts that stand for a moment, for each person who was here just now: a person who stays before the camera does not pass again because
 * another one passed.
 */
import type { DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import { RECOGNITION_FAILURE_INTERVAL, RECOGNITION_SUCCESS_INTERVAL } from '@gatehouse/contract/limits'
import type { Input } from './inputs.ts'
import type { InputComparison } from './same-input.ts'
import type { Verdict } from './verdict.ts'

interface Standing {
  /** The inputs that decided, faces and things. */
  inputs: readonly Input[]
  since: number
  /** Milliseconds for which the verdict stands. */
  lasts: number
  verdict: Verdict
}

export interface StandingVerdicts {
  /** Return the recent verdict on the same face or thing; null if none stands. */
  about(input: Input, moment: number, settings: DeviceSettings): Verdict | null
  /** Add a verdict, in place of earlier ones on the same inputs. */
  add(inputs: readonly Input[], verdict: Verdict, moment: number, settings: DeviceSettings): void
}

export function createStandingVerdicts({ isSame }: Pick<InputComparison, 'isSame'>): StandingVerdicts {
  let standing: readonly Standing[] = []

  const isAbout = ({ inputs }: Standing, input: Input, settings: DeviceSettings) =>
    inputs.some((decisive) => isSame(input, decisive, settings))

  return {
    about(input, moment, settings) {
      const same = standing.find((one) => isStanding(one, moment) && isAbout(one, input, settings))
      return same ? { ...same.verdict, repeated: true } : null
    },
    add(inputs, verdict, moment, settings) {
      const latest = { inputs, since: moment, lasts: intervalOf(settings, verdict.verdict) * 1000, verdict }
      const isOfOthers = (one: Standing) => !inputs.some((input) => isAbout(one, input, settings))
      standing = [latest, ...standing.filter((one) => isStanding(one, moment) && isOfOthers(one))]
    },
  }
}

/** Return the seconds for which a verdict stands. */
function intervalOf({ configuration }: DeviceSettings, verdict: Verdict['verdict']): number {
  if (verdict === 'allowed') return configuration?.successInterval ?? RECOGNITION_SUCCESS_INTERVAL[1]
  return configuration?.failureInterval ?? RECOGNITION_FAILURE_INTERVAL[1]
}

/** Whether a verdict stands. Moments before it count too: a clock that was set back must not keep anybody out until it has caught up. */
const isStanding = ({ since, lasts }: Standing, moment: number) => Math.abs(moment - since) < lasts
