/**
 * What a terminal reveals of a decision and of itself, by audience. The person at the door learns the decision and what to do next. How
 * similar a face is, and to whose, would help an attacker: this leaves the terminal only for a program with the key, and for the screen
 * while an installer has it shown there.
 */
import type { Check, Restriction } from '@gatehouse/access-rules'
import type { Verdict } from '../passage/passage.ts'
import type { TerminalState } from '../state.ts'

/**
 * `program`: a caller that sent the key. `installer`: a screen that shows check details. `public`: any other screen, and any other caller
 * on this machine.
 */
export type Audience = 'program' | 'installer' | 'public'

/** How a decision came about. */
type Details = Pick<Verdict, 'score' | 'checks' | 'timings'>
/** A reason that is more precise than the words of the fail reason. */
export type Explanation = 'livenessUntold' | Restriction

/** A verdict as it leaves the terminal. */
export type DisclosedVerdict = Omit<Verdict, keyof Details> &
  Partial<Details> & {
    explanation: Explanation | null
    /** Temperature of the person in degrees Celsius; null if none was measured. */
    temperature: number | null
  }

const INNER_STATE = ['held', 'queue', 'engine', 'security', 'clockOffset'] as const
type InnerState = Pick<TerminalState, (typeof INNER_STATE)[number]>
type DisplayField = TerminalState['settings']['values']['displayFields'][number]
type PublicValues = Omit<TerminalState['settings']['values'], 'threshold' | 'lowThreshold'>

/** The state as it leaves the terminal. */
export type DisclosedState = Omit<TerminalState, keyof InnerState | 'device' | 'settings'> &
  Partial<InnerState> & {
    device: Pick<NonNullable<TerminalState['device']>, 'deviceId' | 'name' | 'direction' | 'zone'> | null
    settings: { values: PublicValues; sources: TerminalState['settings']['sources'] }
    /** Whether the screen shows how each decision came about. */
    showsChecks: boolean
    /**
     * Why faces or hours cannot be judged properly: the face engine cannot judge the required liveness, faces are still being prepared, or
     * the clock is wrong.
     */
    hindered: 'liveness' | 'renewing' | 'clock' | null
  }

const NOT_REGISTERED = 904
const MINUTE = 60_000

/** Whether a person was rejected because the face may be either of two persons'. */
const isUndecided = (checks: readonly Check[]): boolean => checks.some(({ code, ok }) => code === 'runnerUp' && !ok)

/** Return the rule of a restriction area that refused the person; null if none did. */
const restrictionOf = (checks: readonly Check[]): Restriction | null =>
  checks.find((check) => check.code === 'secondVerification')?.restriction ?? null

/** Whether a person was rejected because liveness is required and the engine cannot judge it. */
const isLivenessUndecided = (checks: readonly Check[]): boolean =>
  checks.some((check) => check.code === 'liveness' && !check.ok && check.score === null)

/** Return the temperature. Values below zero are codes of the specification, not temperatures. */
function temperatureOf(checks: readonly Check[]): number | null {
  const value = checks.find((check) => check.code === 'temperature')?.value ?? null
  return value !== null && value >= 0 ? value : null
}

/** Return a verdict for an audience. @param fields those of a person that the settings let the screen show */
export function verdictFor(verdict: Verdict, audience: Audience, fields: readonly DisplayField[]): DisclosedVerdict {
  const { score, checks, timings, ...rest } = verdict
  const details = { score, checks, timings }
  const isRefused = verdict.verdict === 'rejected'
  const explanation: Explanation | null = isRefused ? (isLivenessUndecided(checks) ? 'livenessUntold' : restrictionOf(checks)) : null
  const disclosed = { ...rest, explanation, temperature: temperatureOf(checks) }
  if (audience === 'program') return { ...disclosed, ...details }
  const isSomebody = verdict.failReason !== NOT_REGISTERED && !isUndecided(checks)
  const { workNumber, ...shown } = disclosed
  return {
    ...shown,
    ...(!isSomebody && { personId: null }),
    ...(!(isSomebody && fields.includes('name')) && { personName: '', contactName: '' }),
    ...(isSomebody && workNumber !== undefined && fields.includes('workNumber') && { workNumber }),
    temperature: fields.includes('temperature') ? disclosed.temperature : null,
    ...(audience === 'installer' && details),
  }
}

/** Return the state for an audience. */
export function stateFor(state: TerminalState, audience: Audience, showsChecks: boolean): DisclosedState {
  const { held, queue, engine, security, clockOffset, device, settings, ...rest } = state
  const shared = { ...rest, showsChecks, hindered: hindranceOf(state) }
  if (audience !== 'public') return { ...shared, device, settings, held, queue, engine, security, clockOffset }
  const { threshold: _threshold, lowThreshold: _lowThreshold, ...values } = settings.values
  return { ...shared, device: device && named(device), settings: { values, sources: settings.sources } }
}

const named = ({ deviceId, name, direction, zone }: NonNullable<TerminalState['device']>) => ({ deviceId, name, direction, zone })

function hindranceOf({ device, engine, held, clockOffset }: TerminalState): DisclosedState['hindered'] {
  if (device?.liveness?.refuses && !engine.tellsLiving) return 'liveness'
  if (held.renewing) return 'renewing'
  return Math.round(Math.abs(clockOffset ?? 0) / MINUTE) > 0 ? 'clock' : null
}
