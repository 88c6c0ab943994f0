/** Words and moments of alarms in e-mails about escalation and in cases. */
import { localTime } from '@gatehouse/access-rules'
import type { Language } from '@gatehouse/contract'
import { alarmType } from '@gatehouse/contract/enums/alarms'
import { fileTexts } from '../../platform/texts.ts'
import { enumWord, eventWord } from './alarm-words.ts'
import type { AlarmKindName } from './kinds.ts'

/** Return the local date and time, to the minute. */
export function clockText(moment: number, zone: string): string {
  const { date, minute } = localTime(moment, zone)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}

/**
 * Return what an alarm is about in words.
 * @param subject the kind of a rule alarm, the number of an event at a door, the word of an AI box's event, or a text as it is
 */
export function subjectText(language: Language, kind: AlarmKindName, subject: string): string {
  const words: Partial<Record<AlarmKindName, Readonly<Record<string, string>>>> = fileTexts(language).alarmCases.subjects
  if (kind === 'deviceEvent') return enumWord(language, alarmType.name, subject)
  return kind === 'aiBox' ? eventWord(language, subject, '') : (words[kind]?.[subject] ?? subject)
}
