import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Check } from '@gatehouse/access-rules'
import { LANGUAGES } from '@gatehouse/contract'
import { RECOGNISED } from '@gatehouse/contract/records/calls'
import { remedies, REMEDY_CODES } from '@gatehouse/contract/records/remedies'
import { addresses } from '../../paths.ts'
import {
  changeSentence,
  checkSentence,
  checksOf,
  comparisonSentences,
  recognisedSentence,
  remedySentence,
  ruleSentences,
  thresholdSentences,
  timeInZone,
  whoSentences,
  type RecordWhy,
  type Sentence,
  type Words,
} from './whyWords.ts'

const WORDS: Words = {
  unbounded: 'no limit',
  deleted: '(deleted)',
  separator: ', ',
  method: (method) => `way ${method}`,
  weekday: (day) => `day ${day}`,
  permission: (code) => `may ${code}`,
}

/** 28 November 2026, a Saturday, 19:12 in Shanghai. */
const WHY: RecordWhy = {
  checks: [],
  settingsRevision: 'a.b.c',
  clockOffsetMs: 0,
  local: { date: '2026-11-28', time: '19:12:30', weekday: 6, zone: 'Asia/Shanghai', offset: 480 },
  strategy: { id: 's', name: 'Staff' },
  contact: null,
  recognised: null,
  usualThreshold: null,
  timeRule: {
    id: 'r',
    name: 'Office hours',
    held: {
      periods: [
        { weekday: 6, start: '13:00', end: '17:00' },
        { weekday: 6, start: '08:00', end: '12:00' },
        { weekday: 1, start: '09:00', end: '18:00' },
      ],
      allowedExceptionDates: [],
      forbiddenExceptionDates: [],
      effectiveDate: null,
    },
  },
  nextOpening: Date.parse('2026-11-30T09:00:00+08:00'),
  currency: null,
  remedy: [],
  historyCompleteSince: 0,
}
const RULE = { code: 'timeRule', strategyId: 's', ruleId: 'r' } as const
const OUTCOMES = [null, 'confirmed', 'refused', 'offline', 'timedOut', 'failed'] as const
const REASONS = [null, 'period', 'allowedDate', 'forbiddenDate', 'beforeEffective', 'noPeriod', 'missing'] as const

/** Every check a terminal can send, with each outcome. */
const CHECKS: Check[] = [true, false].flatMap((ok): Check[] => [
  { code: 'face', ok, score: 91, threshold: 70, distance: 0.3 },
  { code: 'face', ok, score: null, threshold: 70, distance: null },
  ...(
    [
      'registered',
      'enabled',
      'card',
      'idCard',
      'idNumber',
      'idPortrait',
      'qrCode',
      'devicePassword',
      'personalPassword',
      'smartPersonalPassword',
      'handprint',
      'samePerson',
    ] as const
  ).map((code) => ({ code, ok })),
  { code: 'validity', ok, from: null, to: null },
  { code: 'validity', ok, from: 0, to: null },
  { code: 'strategy', ok, count: ok ? 2 : 0 },
  { code: 'strategyBegun', ok, from: ok ? null : 0 },
  ...REASONS.map((reason) => ({ ...RULE, ok, reason })),
  { code: 'method', ok, method: 1 },
  { code: 'factorTime', ok, elapsed: 12_000, limit: 10_000 },
  ...OUTCOMES.map((outcome) => ({ code: 'secondVerification' as const, ok, outcome, restriction: null })),
  ...(['alreadyInside', 'alreadyOutside', 'full'] as const).map((restriction) => ({
    code: 'secondVerification' as const,
    ok,
    outcome: 'refused' as const,
    restriction,
  })),
  { code: 'runnerUp', ok, score: 64, margin: 3 },
  { code: 'runnerUp', ok, score: null, margin: 3 },
  { code: 'liveness', ok, score: 0.4, threshold: 0.5 },
  { code: 'liveness', ok, score: 0.4, threshold: null },
  { code: 'liveness', ok, score: null, threshold: 0.5 },
  ...[1, 0, null].flatMap((worn): Check[] => [
    { code: 'mask', ok, worn },
    { code: 'helmet', ok, worn },
  ]),
  ...[36.6, -1, -2, null].map((value): Check => ({ code: 'temperature', ok, value })),
  { code: 'unknown', ok, number: 200 },
])
const CHANGES = (['device', 'zone', 'facePolicy', 'person', 'strategy', 'timeRule'] as const).flatMap((of) =>
  (['changed', 'added', 'removed'] as const).map((kind) => changeSentence({ of, kind, id: of, name: null, since: 0 }, WORDS)),
)
const NO_IDS = { personId: null, deviceId: null, strategyId: null, timeRuleId: null }
const REMEDIES = REMEDY_CODES.map((code) => remedySentence({ code, permission: null, path: null, ids: NO_IDS, who: null }))
type Who = NonNullable<RecordWhy['remedy'][number]['who']>
const whoOf = (who: Partial<Who>) => ({
  permission: 'access.rule',
  who: { you: false, users: [], roles: [], more: 0, company: null, ...who },
})
/** Return the sentences of an answer, with those that are inserted into another. */
function saidOf(who: Partial<Who>): Sentence[] {
  const inside: Sentence[] = []
  const outside = whoSentences(whoOf(who), WORDS, (sentence) => {
    inside.push(sentence)
    return 'some'
  })
  return [...outside, ...inside]
}
const WHO = [true, false].flatMap((you) =>
  [{ users: ['Ada'] }, { roles: ['Guard'] }].flatMap((others) => [0, 2].flatMap((more) => saidOf({ you, more, ...others }))),
)
const NOBODY = saidOf({ company: 'Company' })
test('a score beyond what a record shows is the one beside the faces, and no other comparison', () => {
  const beyond = { code: 'face', ok: true, score: 113.8, threshold: 84, distance: 0.36 } as const
  expect(comparisonSentences(beyond, { score: 100, watchList: false })).toEqual([])
  expect(comparisonSentences(beyond, { score: 91, watchList: false })).toHaveLength(1)
  expect(thresholdSentences(beyond, { usualThreshold: null })).toEqual([])
})

const SENTENCES: Sentence[] = [
  ...CHECKS.flatMap((check) => [checkSentence(check, WHY, WORDS), ...ruleSentences(check, WHY, WORDS)]),
  ...[true, false].flatMap((watchList) => comparisonSentences(CHECKS[0]!, { score: 80, watchList })),
  ...thresholdSentences({ code: 'face', ok: true, score: 91, threshold: 80, distance: 0.3, templates: 199 }, { usualThreshold: 70 }),
  ...RECOGNISED.map(recognisedSentence),
  ...CHANGES,
  ...REMEDIES,
  ...WHO,
  ...NOBODY,
]

type Texts = { [key: string]: Texts | string }

/** Return the text of a key with its values filled in; undefined where the key has no text. A placeholder without a value stays. */
function said({ key, values }: Sentence, texts: Texts): string | undefined {
  const at = (wanted: string) =>
    wanted.split('.').reduce<Texts | string | undefined>((found, part) => (typeof found === 'object' ? found[part] : undefined), texts)
  const text = at('count' in values ? `${key}_other` : key)
  return typeof text === 'string' ? text.replace(/\{\{(\w+)\}\}/g, (place, name: string) => String(values[name] ?? place)) : undefined
}

describe.each(LANGUAGES)('in %s', (language) => {
  const texts = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../i18n', language, 'records.json'), 'utf8')) as Texts

  test('every check and every change has words, and every word its value', () => {
    const wrong = SENTENCES.filter((sentence) => !/^[^{}]+$/.test(said(sentence, texts) ?? '')).map(({ key }) => key)
    expect(wrong).toEqual([])
  })

  test('passed and failed say different things', () => {
    for (const code of ['enabled', 'card', 'samePerson'] as const)
      expect(said(checkSentence({ code, ok: true }, WHY, WORDS), texts)).not.toBe(
        said(checkSentence({ code, ok: false }, WHY, WORDS), texts),
      )
  })
})

test('scores are told as a person sees them, side by side with what was needed', () => {
  expect(checkSentence({ code: 'face', ok: false, score: 49, threshold: 64, distance: 1 }, WHY, WORDS)).toEqual({
    key: 'check.face.not',
    values: { score: '70.0', threshold: '80.0' },
  })
})

test('times are of the zone at the door, with the offset they had then', () => {
  expect(timeInZone(Date.parse('2026-07-01T12:00:00Z'), 'Europe/Berlin')).toBe('2026-07-01 14:00')
  expect(timeInZone(Date.parse('2026-12-01T12:00:00Z'), 'Europe/Berlin')).toBe('2026-12-01 13:00')
  const validity: Check = { code: 'validity', ok: true, from: Date.parse('2026-11-01T00:00:00+08:00'), to: null }
  expect(checkSentence(validity, WHY, WORDS).values).toEqual({ from: '2026-11-01 00:00', to: 'no limit' })
})

describe('below a time rule', () => {
  const below = (reason: (typeof REASONS)[number], more: Partial<RecordWhy> = {}) =>
    ruleSentences({ ...RULE, ok: false, reason }, { ...WHY, ...more }, WORDS)

  test('stand its hours of that day as the terminal held them, the clock and the next opening', () => {
    expect(below('noPeriod')).toEqual([
      { key: 'why.today', values: { day: '2026-11-28 day 6', hours: '08:00–12:00, 13:00–17:00' } },
      { key: 'why.clock', values: { time: '19:12' } },
      { key: 'why.nextOpening', values: { day: '2026-11-30 day 1', time: '09:00' } },
    ])
    const sunday = { ...WHY.local, date: '2026-11-29', weekday: 7 }
    expect(below('noPeriod', { local: sunday })[0]).toEqual({ key: 'why.closedToday', values: { day: '2026-11-29 day 7' } })
  })

  test('stands that they are not kept, or nothing where the terminal did not hold it', () => {
    expect(below('noPeriod', { timeRule: { id: 'r', name: null, held: null } })).toEqual([{ key: 'why.hoursNotKept', values: {} }])
    expect(below('missing')).toEqual([])
    expect(below(null)).toEqual([])
  })

  test('stands from when it is in force', () => {
    const timeRule = { ...WHY.timeRule!, held: { ...WHY.timeRule!.held!, effectiveDate: '2026-12-01' } }
    expect(below('beforeEffective', { timeRule, nextOpening: null })).toEqual([{ key: 'why.inForceFrom', values: { date: '2026-12-01' } }])
  })
})

describe('below a remedy', () => {
  const below = (who: Partial<Who>) => whoSentences(whoOf(who), WORDS, ({ values: { names, count } }) => `${names} and ${count} more`)

  test('stands that one may oneself, and who else may', () => {
    expect(below({ you: true })).toEqual([{ key: 'why.remedy.who.you', values: {} }])
    expect(below({ you: true, users: ['Grace Hopper', 'Alan Turing'], more: 3 })).toEqual([
      { key: 'why.remedy.who.you', values: {} },
      { key: 'why.remedy.who.also', values: { names: 'Grace Hopper, Alan Turing and 3 more' } },
    ])
    expect(below({ you: true, roles: ['Guard'] }).at(-1)).toEqual({ key: 'why.remedy.who.alsoRoles', values: { names: 'Guard' } })
  })

  test('stands whom to ask, by name or by role, or that nobody may', () => {
    expect(below({ users: ['Grace Hopper'] })).toEqual([{ key: 'why.remedy.who.others', values: { names: 'Grace Hopper' } }])
    expect(below({ roles: ['Guard', 'Keeper'], more: 1 })).toEqual([
      { key: 'why.remedy.who.roles', values: { names: 'Guard, Keeper and 1 more' } },
    ])
    expect(below({ company: 'Company' })).toEqual([
      { key: 'why.remedy.who.nobody', values: { company: 'Company', permission: 'may access.rule' } },
    ])
  })

  test('stands nothing where nothing is to be written in the console', () => {
    expect(whoSentences({ permission: 'device.list', who: null }, WORDS, () => '')).toEqual([])
  })
})

test('checks come back in the form the rules know', () => {
  expect(checksOf({ checks: [{ code: 'method', ok: true, data: { method: 4 } }] })).toEqual([{ code: 'method', ok: true, method: 4 }])
})

test('whatever would have to change is done on a screen there is', () => {
  const withoutNames = (address: string): string => address.replace(/\{\w+\}/g, '{}')
  const known = Object.values(addresses).map(withoutNames)
  const unknown = Object.values(remedies).filter(({ path: at }) => at !== null && !known.includes(withoutNames(at.split('?')[0]!)))
  expect(unknown).toEqual([])
})
