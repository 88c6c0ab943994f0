import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decide, type Check } from '@gatehouse/access-rules'
import { expect, test } from 'vitest'
import { TEXTS } from '../http/texts.ts'
import { checkInWords } from './checks.ts'
import { temperatureInWords } from './shown.ts'
import { fill } from './texts.ts'

const languages = Object.entries(TEXTS)
const english = TEXTS.en.own

test('every language has every text, with the same places to fill', () => {
  const places = (words: Record<string, string>) =>
    Object.fromEntries(Object.entries(words).map(([key, text]) => [key, text.match(/\{\w+\}/g)?.toSorted() ?? []]))
  for (const [, texts] of languages) expect(places(texts.own)).toEqual(places(english))
  for (const [language, texts] of languages)
    // Texts that only join placeholders need no translation.
    if (language !== 'en') expect(Object.values(texts.own).filter((text) => !/\p{Script=Han}|^(\{\w+\}|\p{P})+$/u.test(text))).toEqual([])
})

test('no text is left over', () => {
  const code = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
    .join('\n')
  const built = /^(check|link|explain|brief|alarm|time|server|security|next|wear|greet|can)\.|Out$/
  expect(Object.keys(english).filter((key) => !built.test(key) && !code.includes(`'${key}'`))).toEqual([])
})

test('every check of a decision has words in every language', () => {
  const input = {
    revision: 'r',
    device: { id: 'd', direction: 1, zone: 'UTC', thresholds: { face: 80 } },
    moment: 0,
    evidence: { face: { personId: 'p', score: 91.29, distance: 0.3 } },
    person: { id: 'p', enabled: true },
    strategies: [{ id: 's', timeRuleIds: ['t'], methods: [1] }],
    timeRules: new Map([['t', { id: 't', periods: [], allowedExceptionDates: ['1970-01-01'], forbiddenExceptionDates: [] }]]),
  }
  const { checks } = decide(input)
  expect(checks).toHaveLength(8)
  const ofFaces: Check[] = [
    { code: 'runnerUp', ok: true, score: 64, margin: 5 },
    { code: 'runnerUp', ok: false, score: 81, margin: 5 },
    { code: 'liveness', ok: true, score: 0.9876, threshold: 0.6 },
    { code: 'liveness', ok: true, score: 0.9876, threshold: null },
    { code: 'liveness', ok: false, score: 0.59999, threshold: 0.6 },
    { code: 'liveness', ok: false, score: null, threshold: 0.6 },
    { code: 'mask', ok: true, worn: 1 },
    { code: 'mask', ok: false, worn: 0 },
    { code: 'mask', ok: true, worn: null },
    { code: 'helmet', ok: true, worn: 1 },
    { code: 'helmet', ok: false, worn: 0 },
    { code: 'helmet', ok: true, worn: null },
    { code: 'temperature', ok: true, value: 36.6 },
    { code: 'temperature', ok: false, value: 38.1 },
    { code: 'temperature', ok: true, value: -2 },
  ]
  const writing = { when: String, degrees: (celsius: number) => temperatureInWords(celsius, { unit: 'F', language: 'en' }) }
  for (const [, { own }] of languages) {
    const words = ofFaces.map((check) => checkInWords(own, check, writing))
    for (const each of words) expect(each).not.toMatch(/check\.|[{}]/)
    expect(new Set(words).size).toBe(ofFaces.length)
  }
  expect(ofFaces.map((check) => checkInWords(english, check, writing)).slice(0, 5)).toEqual([
    'Clearly ahead of the next person (similarity 80.0)',
    'Too similar to another person (similarity 90.0)',
    'Live face: 98.7 %, required 60.0 %',
    'Liveness on trial: 98.7 %',
    'Not a live face: 59.9 %, required 60.0 %',
  ])
  expect(checkInWords(english, ofFaces.at(-3)!, writing)).toBe('Temperature 97.9 °F')
  for (const [, { own }] of languages) {
    for (const check of checks.flatMap((made) => [made, { ...made, ok: false, reason: null }])) {
      const words = checkInWords(own, check as typeof check & { code: 'face' }, writing)
      expect(words).not.toMatch(/check\.|[{}]/)
    }
  }
  // Those of factors and of the second verification, which a face alone does not use.
  const others = [
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
    'factorTime',
    'secondVerification',
  ]
  for (const [, { own }] of languages)
    for (const restriction of ['alreadyInside', 'alreadyOutside', 'full'] as const)
      expect(checkInWords(own, { code: 'secondVerification', ok: false, outcome: 'refused', restriction }, writing)).not.toMatch(
        /check\.|[{}]/,
      )
  for (const [, { own }] of languages)
    for (const code of others)
      for (const ok of [true, false]) expect(checkInWords(own, { code, ok } as never, writing)).not.toMatch(/check\.|[{}]/)
  expect(checkInWords(english, checks[0]!, writing)).toBe('Face matches: similarity 95.5, required 89.4')
  expect(checkInWords(english, checks[6]!, writing)).toBe('Permitted all day today, as an exception')
})

test('an unknown text shows its key, an unknown value its place', () => {
  expect(fill({ greeting: 'Hello {name}' }, 'greeting')).toBe('Hello {name}')
  expect(fill({}, 'missing')).toBe('missing')
})
