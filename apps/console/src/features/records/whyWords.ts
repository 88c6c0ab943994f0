/** The answer to "why?" as sentences: the key of each in the texts of `records`, and its values. */
import type { Check } from '@gatehouse/access-rules'
import { localTime } from '@gatehouse/access-rules/local-time'
import { recordedScore, scoreInWords, type OutputOf } from '@gatehouse/contract'
import type { recordWhy } from '@gatehouse/contract/records/calls'
import { temperatureSpecialValue } from '@gatehouse/contract/enums/access'
import { clockOf, periodsOf } from '../strategies/index.ts'
import { shownName } from '../../kit/shownName.ts'

export type RecordWhy = OutputOf<typeof recordWhy>
export interface Sentence {
  key: string
  values: Record<string, string | number>
}

/** Words that depend on the language. */
export interface Words {
  /** Word for a bound that is not set. */
  unbounded: string
  /** Word for something without a name, because it was deleted since. */
  deleted: string
  /** Separator between the hours of a day. */
  separator: string
  method(method: number): string
  weekday(day: number): string
  /** Return the name of a permission code. */
  permission(code: string): string
}

/** Number of changes that are listed. */
export const CHANGES_SHOWN = 5
const DASH = '–'

/** Return an instant as `2026-11-20 18:24` on the clock of a zone: with the offset of that instant, not of now. */
export function timeInZone(instant: number, zone: string): string {
  const { date, minute } = localTime(instant, zone)
  return `${date} ${clockOf(minute)}`
}

/** Return the checks as `access-rules` defines them: the server decodes them by it, and sends all but code and outcome as `data`. */
export const checksOf = ({ checks }: Pick<RecordWhy, 'checks'>): Check[] =>
  checks.map(({ code, ok, data }) => ({ ...data, code, ok }) as Check)

const seconds = (milliseconds: number | null): string => (milliseconds === null ? DASH : (milliseconds / 1000).toFixed(1))

/** Return a share from 0 to 1 as 0.0 to 100.0, rounded down so that it does not reach a threshold it missed. */
const percent = (share: number): string => (Math.floor(1000 * share) / 10).toFixed(1)

/** Return the sentence of a check. Rules and strategies are given their present names. */
export function checkSentence(check: Check, why: Pick<RecordWhy, 'local' | 'strategy' | 'timeRule'>, words: Words): Sentence {
  const outcome = check.ok ? 'ok' : 'not'
  const time = (instant: number | null): string => (instant === null ? words.unbounded : timeInZone(instant, why.local.zone))
  switch (check.code) {
    case 'face': {
      if (check.score === null) return { key: 'check.face.nobody', values: {} }
      return { key: `check.face.${outcome}`, values: { score: scoreInWords(check.score), threshold: scoreInWords(check.threshold) } }
    }
    case 'registered':
    case 'enabled':
      return { key: `check.${check.code}.${outcome}`, values: {} }
    case 'validity':
      if (check.from === null && check.to === null && check.ok) return { key: 'check.validity.always', values: {} }
      return { key: `check.validity.${outcome}`, values: { from: time(check.from), to: time(check.to) } }
    case 'strategy':
      return { key: `check.strategy.${outcome}`, values: { count: check.count ?? 0 } }
    case 'strategyBegun':
      return { key: `check.strategyBegun.${outcome}`, values: { from: check.from === null ? DASH : time(check.from) } }
    case 'timeRule':
      return {
        key: `check.timeRule.${check.reason ?? 'none'}`,
        values: { rule: shownName(why.timeRule?.name ?? words.deleted), strategy: why.strategy?.name ?? words.deleted },
      }
    case 'method':
      return { key: `check.method.${outcome}`, values: { method: check.method === null ? DASH : words.method(check.method) } }
    case 'factorTime':
      return { key: `why.check.factorTime.${outcome}`, values: { elapsed: seconds(check.elapsed), limit: seconds(check.limit) } }
    case 'secondVerification':
      return { key: `why.check.secondVerification.${secondVerificationOutcome(check)}`, values: {} }
    case 'runnerUp':
      return check.score === null
        ? { key: 'check.runnerUp.nobody', values: {} }
        : { key: `check.runnerUp.${outcome}`, values: { score: scoreInWords(check.score) } }
    case 'liveness':
      return livenessSentence(check)
    case 'mask':
    case 'helmet':
      return { key: `why.check.${check.code}.${wornOutcome(check)}`, values: {} }
    case 'temperature':
      return temperatureSentence(check)
    case 'unknown':
      return { key: 'check.unknown', values: { number: check.number } }
    default:
      return { key: `why.check.${check.code}.${outcome}`, values: {} }
  }
}

/** The score beside the two faces, and whether the registered one is of the watch list. */
export interface Compared {
  score: number | null
  watchList: boolean
}
/** Checks are rounded to four places. */
const SAME_SCORE = 0.001

/** Return the sentences below the check of the face where the score beside the faces comes from another comparison. */
export function comparisonSentences(check: Check, { score, watchList }: Compared): Sentence[] {
  if (check.code !== 'face' || check.score === null || score === null) return []
  // A record's score is capped at 100, the compared one is not.
  if (Math.abs(recordedScore(score) - recordedScore(check.score)) < SAME_SCORE) return []
  return [{ key: `check.face.${watchList ? 'besideWatchList' : 'besideServer'}`, values: { score: scoreInWords(score) } }]
}

/**
 * Return the sentences below the check of the face: that the door computed its threshold from a number of templates, and that this
 * person needs a higher score than others.
 */
export function thresholdSentences(check: Check, { usualThreshold }: Pick<RecordWhy, 'usualThreshold'>): Sentence[] {
  if (check.code !== 'face') return []
  return [
    ...(check.templates === undefined ? [] : [{ key: 'check.face.worked', values: { count: check.templates } }]),
    ...(usualThreshold === null ? [] : [{ key: 'check.face.raised', values: { threshold: scoreInWords(usualThreshold) } }]),
  ]
}

/** Return the sentence for the server's answer where the terminal asked it to recognise the face. */
export const recognisedSentence = (recognised: NonNullable<RecordWhy['recognised']>): Sentence => ({
  key: `why.recognised.${recognised}`,
  values: {},
})

/**
 * Return the outcome. A rule of an area that refused is more specific than the server's refusal; a terminal may admit persons when it
 * cannot reach the server.
 */
function secondVerificationOutcome({ ok, outcome, restriction }: Extract<Check, { code: 'secondVerification' }>): string {
  if (restriction) return restriction
  return ok && (outcome === 'offline' || outcome === 'timedOut') ? 'away' : (outcome ?? 'none')
}

/** Return the outcome. A terminal that only prompts for it admits a person who does not wear one. */
function wornOutcome({ ok, worn }: Extract<Check, { code: 'mask' | 'helmet' }>): string {
  if (worn === null) return 'untold'
  if (worn === 1) return 'ok'
  return ok ? 'prompt' : 'not'
}

/** Return the sentence of a temperature. Values below zero are marks, not temperatures. */
function temperatureSentence({ ok, value }: Extract<Check, { code: 'temperature' }>): Sentence {
  if (value === null || value === temperatureSpecialValue.blank) return { key: 'why.check.temperature.untold', values: {} }
  if (value === temperatureSpecialValue.warning) return { key: 'why.check.temperature.failed', values: {} }
  return { key: `why.check.temperature.${ok ? 'ok' : 'not'}`, values: { value: value.toFixed(1) } }
}

/** Return the sentence of a liveness check. A trial has no threshold; an engine that cannot measure gives no score. */
function livenessSentence({ ok, score, threshold }: Extract<Check, { code: 'liveness' }>): Sentence {
  if (score === null) return { key: 'check.liveness.none', values: {} }
  if (threshold === null) return { key: 'check.liveness.trial', values: { score: percent(score) } }
  return { key: `check.liveness.${ok ? 'ok' : 'not'}`, values: { score: percent(score), threshold: percent(threshold) } }
}

/** Return the sentences below the check of the time rule: its hours of that day as the terminal had them, the clock, the next opening. */
export function ruleSentences(
  check: Check,
  { local, timeRule, nextOpening }: Pick<RecordWhy, 'local' | 'timeRule' | 'nextOpening'>,
  words: Words,
): Sentence[] {
  if (check.code !== 'timeRule' || timeRule === null || check.reason === null || check.reason === 'missing') return []
  const { held } = timeRule
  if (held === null) return [{ key: 'why.hoursNotKept', values: {} }]
  const clock: Sentence = { key: 'why.clock', values: { time: local.time.slice(0, 5) } }
  const opening = nextOpening === null ? null : localTime(nextOpening, local.zone)
  const next: Sentence[] =
    opening === null
      ? []
      : [{ key: 'why.nextOpening', values: { day: `${opening.date} ${words.weekday(opening.weekday)}`, time: clockOf(opening.minute) } }]
  if (check.reason === 'beforeEffective') return [{ key: 'why.inForceFrom', values: { date: held.effectiveDate ?? DASH } }, ...next]
  if (check.reason === 'allowedDate' || check.reason === 'forbiddenDate') return next
  const day = `${local.date} ${words.weekday(local.weekday)}`
  const hours = periodsOf(held.periods, local.weekday)
    .map(({ start, end }) => `${start}–${end}`)
    .toSorted()
    .join(words.separator)
  return [hours === '' ? { key: 'why.closedToday', values: { day } } : { key: 'why.today', values: { day, hours } }, clock, ...next]
}

/** Return the sentence of a change that the terminal had not received. */
export const changeSentence = (
  { of, kind, name }: NonNullable<RecordWhy['currency']>['changes'][number],
  words: Pick<Words, 'deleted'>,
): Sentence => ({
  key: `why.change.${of}.${kind}`,
  values: { name: name ?? words.deleted },
})

/** Return the sentence of one thing that would have to change for the person to pass; `Why` links it for users who may change it. */
export const remedySentence = ({ code }: RecordWhy['remedy'][number]): Sentence => ({ key: `why.remedy.${code}`, values: {} })

/** Return the sentences below a remedy: who may carry it out. @param say puts a sentence into words that stands inside another one */
export function whoSentences(
  { who, permission }: Pick<RecordWhy['remedy'][number], 'who' | 'permission'>,
  words: Pick<Words, 'separator' | 'permission'>,
  say: (sentence: Sentence) => string,
): Sentence[] {
  if (who === null) return []
  const { you, users, roles, more, company } = who
  if (company !== null) return [{ key: 'why.remedy.who.nobody', values: { company, permission: words.permission(permission ?? '') } }]
  const own: Sentence[] = you ? [{ key: 'why.remedy.who.you', values: {} }] : []
  if (users.length + roles.length === 0) return own
  const byRole = users.length === 0
  const first = (byRole ? roles : users).join(words.separator)
  const names =
    more === 0
      ? first
      : say({ key: byRole ? 'why.remedy.who.moreRoles' : 'why.remedy.who.moreUsers', values: { names: first, count: more } })
  const form = you ? (byRole ? 'alsoRoles' : 'also') : byRole ? 'roles' : 'others'
  return [...own, { key: `why.remedy.who.${form}`, values: { names } }]
}
