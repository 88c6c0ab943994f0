/**
 * What a terminal tells of a decision and of itself, and to whom. The person at the door learns what was decided and what to do next. How
 * near a face came, and to what, tells an attacker how to go on: it leaves the terminal for a program with the key alone, and for the screen
 * while an installer has it shown there.
 */
import type { Check, Restriction } from '@gatehouse/access-rules'
import type { Verdict } from '../passage/passage.ts'
import type { TerminalState } from '../terminal.ts'

/** `program`: it sent the key. `installer`: a screen that shows check details. `public`: any other screen, and whoever asks on this machine. */
export type Audience = 'program' | 'installer' | 'public'

/** How a decision came about. */
type Details = Pick<Verdict, 'score' | 'checks' | 'timings'>
/** What is more to the point than the words of the fail reason. */
export type Explanation = 'livenessUntold' | Restriction

/** A verdict as it leaves the terminal. */
export type ToldVerdict = Omit<Verdict, keyof Details> &
  Partial<Details> & {
    explanation: Explanation | null
    /** Degrees Celsius of the person; null where none was measured. */
    temperature: number | null
  }

const INNER_STATE = ['held', 'queue', 'engine', 'security', 'clockOffset'] as const
type InnerState = Pick<TerminalState, (typeof INNER_STATE)[number]>
type DisplayField = TerminalState['settings']['values']['displayFields'][number]
type PublicValues = Omit<TerminalState['settings']['values'], 'threshold' | 'lowThreshold'>

/** The state as it leaves the terminal. */
export type ToldState = Omit<TerminalState, keyof InnerState | 'device' | 'settings'> &
  Partial<InnerState> & {
    device: Pick<NonNullable<TerminalState['device']>, 'deviceId' | 'name' | 'direction' | 'zone'> | null
    settings: { values: PublicValues; sources: TerminalState['settings']['sources'] }
    /** The screen shows how each decision came about. */
    showsChecks: boolean
    /** Why faces or hours are not judged as they should be: no face engine for the liveness asked for, faces still prepared, a wrong clock. */
    hindered: 'liveness' | 'renewing' | 'clock' | null
  }

const NOT_REGISTERED = 904
const MINUTE = 60_000

/** A person was rejected because it could be either of two. */
const isUndecided = (checks: readonly Check[]): boolean => checks.some(({ code, ok }) => code === 'runnerUp' && !ok)

/** The rule of a restriction area that refused the person; null where none did. */
const restrictionOf = (checks: readonly Check[]): Restriction | null =>
  checks.find((check) => check.code === 'secondVerification')?.restriction ?? null

/** A person was rejected because a live face is demanded of an engine that cannot tell one. */
const isLivenessUntold = (checks: readonly Check[]): boolean =>
  checks.some((check) => check.code === 'liveness' && !check.ok && check.score === null)

/** Marks of the specification stand below zero, and are no temperature. */
function temperatureOf(checks: readonly Check[]): number | null {
  const value = checks.find((check) => check.code === 'temperature')?.value ?? null
  return value !== null && value >= 0 ? value : null
}

/** A verdict for an audience. @param fields what the settings let the screen show of a person */
export function verdictFor(verdict: Verdict, audience: Audience, fields: readonly DisplayField[]): ToldVerdict {
  const { score, checks, timings, ...rest } = verdict
  const details = { score, checks, timings }
  const isRefused = verdict.verdict === 'rejected'
  const explanation: Explanation | null = isRefused ? (isLivenessUntold(checks) ? 'livenessUntold' : restrictionOf(checks)) : null
  const told = { ...rest, explanation, temperature: temperatureOf(checks) }
  if (audience === 'program') return { ...told, ...details }
  const isSomebody = verdict.failReason !== NOT_REGISTERED && !isUndecided(checks)
  const { workNumber, ...shown } = told
  return {
    ...shown,
    ...(!isSomebody && { personId: null }),
    ...(!(isSomebody && fields.includes('name')) && { personName: '', contactName: '' }),
    ...(isSomebody && workNumber !== undefined && fields.includes('workNumber') && { workNumber }),
    temperature: fields.includes('temperature') ? told.temperature : null,
    ...(audience === 'installer' && details),
  }
}

/** The state for an audience. */
export function stateFor(state: TerminalState, audience: Audience, showsChecks: boolean): ToldState {
  const { held, queue, engine, security, clockOffset, device, settings, ...rest } = state
  const shared = { ...rest, showsChecks, hindered: hindranceOf(state) }
  if (audience !== 'public') return { ...shared, device, settings, held, queue, engine, security, clockOffset }
  const { threshold: _threshold, lowThreshold: _lowThreshold, ...values } = settings.values
  return { ...shared, device: device && named(device), settings: { values, sources: settings.sources } }
}

const named = ({ deviceId, name, direction, zone }: NonNullable<TerminalState['device']>) => ({ deviceId, name, direction, zone })

function hindranceOf({ device, engine, held, clockOffset }: TerminalState): ToldState['hindered'] {
  if (device?.liveness?.refuses && !engine.tellsLiving) return 'liveness'
  if (held.renewing) return 'renewing'
  return Math.round(Math.abs(clockOffset ?? 0) / MINUTE) > 0 ? 'clock' : null
}
