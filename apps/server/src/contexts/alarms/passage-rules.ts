/** Rules of the park that a passage may break, and how serious that is. Pure. */
import { accessResult, alarmLevel, failReason, temperatureStatus } from '@gatehouse/contract/enums'
import { isPseudonym } from '@gatehouse/contract/records/pseudonym'
import type { RulePassage } from '../records/index.ts'
import type { PassageAlarmKind } from './passage-alarms-schema.ts'

export const LEVEL_OF: Readonly<Record<Exclude<PassageAlarmKind, 'temperature'>, number>> = {
  watchList: alarmLevel.high,
  leftPerson: alarmLevel.medium,
  alreadyInside: alarmLevel.medium,
  alreadyOutside: alarmLevel.medium,
  repeatedRefusals: alarmLevel.medium,
  areaFull: alarmLevel.low,
}

/** An alarm that one passage raises by itself. */
export interface Broken {
  kind: PassageAlarmKind
  level: number
}

const KIND_OF_RESTRICTION: Readonly<Record<string, 'alreadyInside' | 'alreadyOutside' | 'areaFull'>> = {
  alreadyInside: 'alreadyInside',
  alreadyOutside: 'alreadyOutside',
  full: 'areaFull',
}

type Facts = Pick<RulePassage, 'personId' | 'result' | 'failReason' | 'restriction' | 'temperatureStatus'>

/** Whether a passage counts towards repeated refusals at its door. */
export const isRefusal = ({ result, watched }: Pick<RulePassage, 'result' | 'watched'>): boolean =>
  result === accessResult.rejected && !watched

/** Return the alarms that a passage raises by itself; none for a person who was erased. */
export function brokenBy({ personId, result, failReason: reason, restriction, temperatureStatus: measured }: Facts): Broken[] {
  if (isPseudonym(personId)) return []
  const broken: Broken[] = []
  if (result === accessResult.rejected) {
    const kind = restriction === null ? undefined : KIND_OF_RESTRICTION[restriction]
    if (kind !== undefined) broken.push({ kind, level: LEVEL_OF[kind] })
    if (reason === failReason.personReturned && personId !== null) broken.push({ kind: 'leftPerson', level: LEVEL_OF.leftPerson })
  }
  if (measured === temperatureStatus.fever) broken.push({ kind: 'temperature', level: alarmLevel.high })
  if (measured === temperatureStatus.low) broken.push({ kind: 'temperature', level: alarmLevel.medium })
  return broken
}

/** Return the moment of a passage by the clock of its device set right; no passage comes from the future. */
export const momentOf = ({ occurredAt, clockOffsetMs, receivedAt }: Pick<RulePassage, 'occurredAt' | 'clockOffsetMs' | 'receivedAt'>) =>
  Math.min(occurredAt + (clockOffsetMs ?? 0), receivedAt)
