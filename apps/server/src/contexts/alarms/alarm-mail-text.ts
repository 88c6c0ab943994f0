/** Subjects and texts of e-mails about alarms. */
import type { Language } from '@gatehouse/contract'
import type { AlarmKind } from '@gatehouse/contract/alarms/email'
import { alarmLevel, alarmType } from '@gatehouse/contract/enums/alarms'
import { alarmMailTexts, enumWord, eventWord, filled } from './alarm-words.ts'

/** An alarm as an e-mail says it. */
export interface WrittenAlarm {
  alarmId: string
  kind: AlarmKind
  occurredAt: number
  level: number
  event: string
  eventName: string
  place: string
  deviceName: string
  surveillanceName: string
  /** Empty where none is written. */
  personName: string
}

/** The park of an e-mail. */
export interface LetterHead {
  language: Language
  park: string
  /** IANA zone. */
  zone: string
  /** Start of links to the console; null where none is known. */
  address: string | null
}

export interface AlarmLetter {
  subject: string
  text: string
}

/** Lines of a digest. */
const LINES_MAX = 200

/** Return text for one line: names may contain breaks, which a subject must not. */
const inOneLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim()

const shownTime = ({ language, zone }: LetterHead, moment: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone }).format(moment)

function whatOf({ language }: LetterHead, { kind, event, eventName }: WrittenAlarm): string {
  if (kind === 'aiBox') return eventWord(language, event, eventName)
  if (kind === 'deviceEvent') return enumWord(language, alarmType.name, event)
  return alarmMailTexts(language).event[kind]
}

/** Return the address of an alarm in the console; null where the start of links is not known. */
function linkOf({ address }: LetterHead, { kind, alarmId, occurredAt }: WrittenAlarm): string | null {
  if (address === null) return null
  const start = `${address.replace(/\/+$/, '')}/#`
  if (kind === 'aiBox') return `${start}/AIBoxAlarm?time=${occurredAt}&id=${alarmId}`
  if (kind === 'deviceEvent') return `${start}/deviceAlarm?time=${occurredAt}&id=${alarmId}`
  return `${start}/monitorAlarm?id=${alarmId}`
}

type Fact = keyof ReturnType<typeof alarmMailTexts>['fact']

/** Return the lines of the facts that have a value. */
function linesOf({ language }: LetterHead, facts: readonly [name: Fact, value: string | number | null][]): string {
  const texts = alarmMailTexts(language).fact
  return facts
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => filled(texts[name], { value: typeof value === 'string' ? inOneLine(value) : (value ?? '') }))
    .join('\n')
}

const placeFacts = (head: LetterHead, alarm: WrittenAlarm): [Fact, string][] => [
  ['event', whatOf(head, alarm)],
  ['level', enumWord(head.language, alarmLevel.name, alarm.level)],
  ['person', alarm.personName],
  ['park', head.park],
  ['device', alarm.deviceName],
  ['place', alarm.place],
  ['task', alarm.surveillanceName],
]

const valuesOf = (head: LetterHead, alarm: WrittenAlarm) => ({
  level: enumWord(head.language, alarmLevel.name, alarm.level),
  event: whatOf(head, alarm),
  device: [alarm.deviceName, alarm.place].filter(Boolean).join(' / '),
})

/** Return the e-mail of one alarm. */
export function singleLetter(head: LetterHead, alarm: WrittenAlarm): AlarmLetter {
  const { subject } = alarmMailTexts(head.language)
  return {
    subject: inOneLine(filled(subject.single, valuesOf(head, alarm))),
    text: linesOf(head, [...placeFacts(head, alarm), ['time', shownTime(head, alarm.occurredAt)], ['link', linkOf(head, alarm)]]),
  }
}

/** Return the follow-up about the repeats of an alarm, oldest first; there is at least one. */
export function repeatedLetter(head: LetterHead, repeats: readonly WrittenAlarm[]): AlarmLetter {
  const latest = repeats.at(-1)!
  const times = repeats.map(({ occurredAt }) => occurredAt).toSorted((one, other) => one - other)
  const count = repeats.length
  return {
    subject: inOneLine(filled(alarmMailTexts(head.language).subject.repeated, { ...valuesOf(head, latest), count })),
    text: linesOf(head, [
      ...placeFacts(head, latest),
      ['count', count],
      ['first', shownTime(head, times[0]!)],
      ['last', shownTime(head, times.at(-1)!)],
      ['link', linkOf(head, latest)],
    ]),
  }
}

/** Alarms of one key and level in a digest. */
export interface DigestPart {
  latest: WrittenAlarm
  count: number
  firstAt: number
}

/** Return the digest of an hour, the highest level first. */
export function digestLetter(head: LetterHead, parts: readonly DigestPart[]): AlarmLetter {
  const { subject, digest } = alarmMailTexts(head.language)
  const countOf = (some: readonly DigestPart[]): number => some.reduce((sum, { count }) => sum + count, 0)
  const count = countOf(parts)
  const rest = countOf(parts.slice(LINES_MAX))
  const lines = parts.slice(0, LINES_MAX).map(({ latest, count: ofPart, firstAt }) => {
    const times = [firstAt, latest.occurredAt].map((moment) => shownTime(head, moment))
    const person = latest.personName === '' ? '' : ` (${latest.personName})`
    const time = [...new Set(times)].join(' – ')
    const link = linkOf(head, latest)
    const line = inOneLine(filled(digest.line, { ...valuesOf(head, latest), count: ofPart, time }) + person)
    return link === null
      ? line
      : `${line}
${link}`
  })
  return {
    subject: inOneLine(filled(subject.digest, { count, park: head.park })),
    text: [filled(digest.intro, { count }), ...lines, ...(rest > 0 ? [filled(digest.rest, { count: rest })] : [])].join('\n\n'),
  }
}
