/** The explanation of a terminal's decision: read from the record and the settings the terminal had stored, never decided again. */
import { checksOf } from './checks.ts'
import { hasStarted, hasEnded, localTime, nextOpening, offsetMinutes, type Check } from '@gatehouse/access-rules'
import type { Language } from '@gatehouse/contract'
import { failReason } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import { inPark, type Scope, type Session } from '../../platform/session/session.ts'
import type { PersonFacts } from '../people/index.ts'
import type { RecordDependencies } from './dependencies.ts'
import type { KnownPersons } from '../synchronisation/index.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { missedChanges, near, type StoredSettings } from './missed-changes.ts'
import type { RecordWhy } from './record-why.ts'
import { remedyOf, withWhoMay } from './remedy.ts'
import type { WatchListHits } from './watch-list-hits.ts'
import { findDecision } from './why-data.ts'

/** Return the settings of a revision; null where the revision is not kept. */
export type SettingsOf = (scope: Scope, revision: string) => Promise<StoredSettings | null>

/** @throws NotFound */
export type Why = (session: Session, recordId: string, language: Language) => Promise<RecordWhy>

type CheckOf<Code extends Check['code']> = Extract<Check, { code: Code }>
const checkOf = <Code extends Check['code']>(checks: readonly Check[], code: Code) =>
  checks.find((check): check is CheckOf<Code> => check.code === code)

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Return the local time at the door. */
function clockAt(moment: number, zone: string): RecordWhy['local'] {
  const { date, minute, weekday } = localTime(moment, zone)
  const seconds = Math.floor(moment / 1000) % 60
  const time = [Math.floor(minute / 60), minute % 60, seconds].map(twoDigits).join(':')
  return { date, time, weekday, zone, offset: offsetMinutes(moment, zone) }
}

/**
 * Return the server's reason where it recognised a person: a terminal that finds no match for a face asks the server and records
 * its answer as the fail reason.
 * @param person as registered now; undefined: no longer registered
 */
function recognisedOf(
  { failReason: reason, time }: { failReason: number | null; time: number },
  face: CheckOf<'face'> | undefined,
  person: PersonFacts | undefined,
): RecordWhy['recognised'] {
  if (face === undefined || face.ok) return null
  if (reason === failReason.noAccessStrategy) return 'noStrategy'
  if (reason !== failReason.personReturned) return null
  if (person?.enabled === false) return 'disabled'
  return person !== undefined && (!hasStarted(person, time) || hasEnded(person, time)) ? 'validity' : 'inactive'
}

/** Return the threshold for other persons, where this face had to reach a higher one; null otherwise. */
function usualThresholdOf(face: CheckOf<'face'> | undefined, stored: StoredSettings | null): number | null {
  if (face === undefined || face.ok || face.threshold === null) return null
  // Terminals that compute their threshold report the usual one; for other terminals it is in their settings.
  if (face.templates !== undefined) return face.usual !== undefined && face.threshold > face.usual ? face.usual : null
  if (stored === null) return null
  const { threshold } = stored.settings
  return face.threshold > threshold && !near(face.threshold, threshold) ? threshold : null
}

/** The registers a passage may have been about. */
export type WhyNeeds = Pick<RecordDependencies, 'people' | 'devices' | 'whoMay' | 'reading'> &
  Pick<KnownPersons, 'homeOf'> & { watchListHits: Pick<WatchListHits, 'isOne'> }

export function createWhy(
  platform: Platform,
  settingsOf: SettingsOf,
  { people, devices, homeOf, whoMay, watchListHits, reading }: WhyNeeds,
): Why {
  const db = platform.db

  /** Return what a check refers to, with its current name. Ids in checks come from devices. */
  async function named(id: string | null | undefined, find: (id: string) => Promise<readonly { name: string }[]>) {
    if (id == null) return null
    const [row] = isUuid(id) ? await find(id) : []
    return { id, name: row?.name ?? null }
  }

  return async (session, recordId, language) => {
    const { scope } = session
    const record = await findDecision(scope, db, recordId)
    if (record === undefined) throw new NotFound()
    const moment = record.time
    const checks = checksOf(record.checks)
    const ruleCheck = checkOf(checks, 'timeRule')
    const reported = await settingsOf(scope, record.settingsRevision)
    // The revision of another device says nothing about this one.
    const stored = reported?.settings.deviceId === record.deviceId ? reported : null
    const zone = stored?.settings.zone ?? record.zone
    const currentRule = stored?.timeRules.find(({ id }) => id === ruleCheck?.ruleId)
    const startCheck = checkOf(checks, 'strategyBegun')
    // The check does not say which strategy is yet to begin.
    const beginning = startCheck?.ok === false ? stored?.strategies.find(({ validFrom }) => validFrom === startCheck.from)?.id : undefined
    const [strategy, rule, completeSince, begins, persons, doors, isWatchListHit] = await Promise.all([
      named(ruleCheck?.strategyId, (id) => reading.findStrategies(scope, [id])),
      named(ruleCheck?.ruleId, (id) => reading.findTimeRules(scope, [id])),
      platform.history.completeSince(),
      named(beginning, (id) => reading.findStrategies(scope, [id])),
      people.facts(scope, record.personId === null ? [] : [record.personId]),
      devices.names(scope, [record.deviceId]),
      watchListHits.isOne(scope, recordId),
    ])
    const ids = {
      personId: persons[0]?.id ?? null,
      deviceId: doors[0]?.id ?? null,
      strategyId: idOf(strategy ?? begins),
      timeRuleId: idOf(rule),
    }
    // History goes by the server's clock.
    const serverMoment = moment + (record.clockOffsetMs ?? 0)
    const isComplete = stored !== null && serverMoment >= completeSince
    const changes = isComplete
      ? await missedChanges(platform, reading, scope, {
          moment: serverMoment,
          personId: record.personId,
          home: record.personId === null ? scope : inPark(scope, homeOf(scope, record.personId)),
          checks,
          stored,
        })
      : null
    const face = checkOf(checks, 'face')
    const recognised = record.personId === null ? null : recognisedOf({ failReason: record.failReason, time: moment }, face, persons[0])
    const usualThreshold = usualThresholdOf(face, stored)
    const refused = {
      checks,
      recognised,
      isRegistered: record.personId !== null,
      raised: usualThreshold !== null,
      outdated: changes !== null && changes.length > 0,
    }
    return {
      checks: checks.map(({ code, ok, ...data }) => ({ code, ok, data })),
      settingsRevision: record.settingsRevision,
      clockOffsetMs: record.clockOffsetMs,
      local: clockAt(moment, zone),
      contact: record.contactId === null ? null : { id: record.contactId, name: record.contactName, relation: record.contactRelation },
      strategy,
      timeRule: rule && { ...rule, held: currentRule === undefined ? null : rulePart(currentRule) },
      nextOpening: currentRule !== undefined && ruleCheck?.ok === false ? nextOpening(currentRule, moment, zone) : null,
      currency: changes && {
        current: changes.length === 0,
        since: changes.length === 0 ? null : Math.min(...changes.map(({ since }) => since)),
        changes,
      },
      // No remedy is shown for a person of the watch list.
      remedy: isWatchListHit ? [] : await withWhoMay(session, remedyOf(refused, ids), whoMay, language),
      recognised,
      usualThreshold,
      historyCompleteSince: completeSince,
    }
  }
}

/** The id of an entity that still exists; null otherwise. */
const idOf = (found: { id: string; name: string | null } | null): string | null => (found === null || found.name === null ? null : found.id)

const rulePart = ({ periods, allowedExceptionDates, forbiddenExceptionDates, effectiveDate }: StoredSettings['timeRules'][number]) => ({
  periods,
  allowedExceptionDates,
  forbiddenExceptionDates,
  effectiveDate,
})
