/** Why a terminal let somebody pass or not: read from what the record says and what the terminal held, never decided again. */
import type { z } from 'zod'
import { decodeChecks, hasBegun, hasEnded, localTime, nextOpening, offsetMinutes, type Check } from '@gatehouse/access-rules'
import type { Language } from '@gatehouse/contract'
import type { recordWhy } from '@gatehouse/contract/records/calls'
import { failReason } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import { inPark, type Scope, type Session } from '../../platform/session/session.ts'
import type { PersonFacts } from '../people/index.ts'
import type { RecordDependencies } from './dependencies.ts'
import type { KnownPersons } from '../synchronisation/index.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { missedChanges, near, type HeldSettings } from './missed-changes.ts'
import { remedyOf, withWhoMay } from './remedy.ts'
import type { RecordTables } from './schema.ts'
import type { WatchListHits } from './watch-list-hits.ts'
import { findDecision } from './why-data.ts'

/** Null where nothing of the revision is kept. */
export type SettingsOf = (scope: Scope, revision: string) => Promise<HeldSettings | null>

export type RecordWhy = z.output<typeof recordWhy>
/** @throws NotFound */
export type Why = (session: Session, recordId: string, language: Language) => Promise<RecordWhy>

type CheckOf<Code extends Check['code']> = Extract<Check, { code: Code }>
const checkOf = <Code extends Check['code']>(checks: readonly Check[], code: Code) =>
  checks.find((check): check is CheckOf<Code> => check.code === code)

function readChecks(text: string): Check[] {
  try {
    return decodeChecks(text)
  } catch {
    // A terminal that writes them otherwise still has its record explained as far as it goes.
    return []
  }
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** The clock at the door. */
function clockAt(moment: number, zone: string): RecordWhy['local'] {
  const { date, minute, weekday } = localTime(moment, zone)
  const seconds = Math.floor(moment / 1000) % 60
  const time = [Math.floor(minute / 60), minute % 60, seconds].map(twoDigits).join(':')
  return { date, time, weekday, zone, offset: offsetMinutes(moment, zone) }
}

/**
 * What the server said of somebody it recognised: a terminal that finds nobody like a face asks it, and keeps the answer as the reason.
 * @param person as registered now; undefined: not any more
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
  return person !== undefined && (!hasBegun(person, time) || hasEnded(person, time)) ? 'validity' : 'inactive'
}

/** What a door asked of others, where it asked more of this face. */
function usualThresholdOf(face: CheckOf<'face'> | undefined, held: HeldSettings | null): number | null {
  if (face === undefined || face.ok || face.threshold === null) return null
  // Terminals that work their threshold out say so; what others asked of everybody is what their settings said.
  if (face.templates !== undefined) return face.usual !== undefined && face.threshold > face.usual ? face.usual : null
  if (held === null) return null
  const { threshold } = held.settings
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
  const db = platform.db as unknown as Database<RecordTables>

  /** What a check names, as it is called now. Ids of checks come from devices. */
  async function named(id: string | null | undefined, find: (id: string) => Promise<readonly { name: string }[]>) {
    if (id == null) return null
    const [row] = isUuid(id) ? await find(id) : []
    return { id, name: row?.name ?? null }
  }

  return async (session, recordId, language) => {
    const { scope } = session
    const record = await findDecision(scope, db, recordId)
    if (record === undefined) throw new NotFound()
    const moment = record.time as number
    const checks = readChecks(record.checks)
    const ruleCheck = checkOf(checks, 'timeRule')
    const kept = await settingsOf(scope, record.settingsRevision)
    // A device that quotes the revision of another says nothing about itself.
    const held = kept?.settings.deviceId === record.deviceId ? kept : null
    const zone = held?.settings.zone ?? record.zone
    const heldRule = held?.timeRules.find(({ id }) => id === ruleCheck?.ruleId)
    const begun = checkOf(checks, 'strategyBegun')
    // Which strategy is yet to begin its check does not say.
    const beginning = begun?.ok === false ? held?.strategies.find(({ validFrom }) => validFrom === begun.from)?.id : undefined
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
    const known = held !== null && serverMoment >= completeSince
    const changes = known
      ? await missedChanges(platform, reading, scope, {
          moment: serverMoment,
          personId: record.personId,
          home: record.personId === null ? scope : inPark(scope, homeOf(scope, record.personId)),
          checks,
          held,
        })
      : null
    const face = checkOf(checks, 'face')
    const recognised = record.personId === null ? null : recognisedOf({ failReason: record.failReason, time: moment }, face, persons[0])
    const usualThreshold = usualThresholdOf(face, held)
    const refused = {
      checks,
      recognised,
      known: record.personId !== null,
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
      timeRule: rule && { ...rule, held: heldRule === undefined ? null : rulePart(heldRule) },
      nextOpening: heldRule !== undefined && ruleCheck?.ok === false ? nextOpening(heldRule, moment, zone) : null,
      currency: changes && {
        current: changes.length === 0,
        since: changes.length === 0 ? null : Math.min(...changes.map(({ since }) => since)),
        changes,
      },
      // Nobody is told how to let somebody of the watch list in.
      remedy: isWatchListHit ? [] : await withWhoMay(session, remedyOf(refused, ids), whoMay, language),
      recognised,
      usualThreshold,
      historyCompleteSince: completeSince,
    }
  }
}

/** Of what is still there. */
const idOf = (found: { id: string; name: string | null } | null): string | null => (found === null || found.name === null ? null : found.id)

const rulePart = ({ periods, allowedExceptionDates, forbiddenExceptionDates, effectiveDate }: HeldSettings['timeRules'][number]) => ({
  periods,
  allowedExceptionDates,
  forbiddenExceptionDates,
  effectiveDate,
})
