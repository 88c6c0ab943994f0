/** Comparison of the history at a moment with the settings a terminal decided by: the changes that had not reached it. */
import type { StrategyReading } from '../strategies/index.ts'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { thresholdFor, type Check } from '@gatehouse/access-rules'
import { authorisedObject } from '@gatehouse/contract/enums'
import type { recordWhy } from '@gatehouse/contract/records/calls'
import type { FacePromises } from '@gatehouse/contract/faces/promise'
import type { DeviceSettings, StrategyObject, TimeRuleObject } from '@gatehouse/contract/device/protocol-manifest'
import type { Platform } from '../../platform/context.ts'
import type { HistoryContent, HistoryEntity, HistoryRevision } from '../../platform/database/history.ts'
import type { Scope } from '../../platform/session/session.ts'

type MissedChange = NonNullable<z.output<typeof recordWhy>['currency']>['changes'][number]
type Unnamed = Omit<MissedChange, 'name'>

/** The settings a device had stored at a revision, without names. */
export interface StoredSettings {
  settings: Omit<DeviceSettings, 'name'>
  strategies: readonly StrategyObject[]
  timeRules: readonly Omit<TimeRuleObject, 'name'>[]
}

interface Passage {
  /** Epoch milliseconds by the server's clock. */
  moment: number
  personId: string | null
  /** The person's home park. */
  home: Scope
  checks: readonly Check[]
  stored: StoredSettings
}

const sorted = (ids: unknown): string[] => (ids as readonly string[]).toSorted()

/** The part of a strategy that a terminal stores. */
const strategyPart = ({
  methods,
  timeRuleIds,
  validFrom,
  validTo,
  authorisedObject: authorised,
}: HistoryContent | StoredSettings['strategies'][number]) => ({
  methods,
  timeRuleIds: sorted(timeRuleIds),
  validFrom,
  validTo,
  authorisedObject: authorised ?? authorisedObject.person,
})
const rulePart = ({
  periods,
  allowedExceptionDates,
  forbiddenExceptionDates,
  effectiveDate,
}: HistoryContent | StoredSettings['timeRules'][number]) => ({
  periods,
  allowedExceptionDates,
  forbiddenExceptionDates,
  effectiveDate,
})

/** How strictly faces are compared, except for the threshold, which depends on the engine of the terminal. */
const policyPart = ({ margin, lookAlikeMargin, liveness }: HistoryContent | StoredSettings['settings'], ownLiveness: boolean) => ({
  margin,
  lookAlikeMargin,
  ...(!ownLiveness && { liveness }),
})
/**
 * Whether a door with these settings kept the promise of the park; in history from before there were promises, whether its
 * threshold was one of the park's.
 */
function asPromised({ promises, door, builtinDoor }: HistoryContent, { promise, threshold }: StoredSettings['settings']): boolean {
  if (promises === undefined) return promise === undefined && [door, builtinDoor].includes(threshold)
  return promise?.strangersPerThousand === (promises as FacePromises).strangersPerThousand
}
/** Whether two scores are equal: checks carry four decimals. */
export const near = (one: number | null, other: number): boolean => one !== null && Math.abs(one - other) < 1e-3

/**
 * Return the change of a person's own threshold that had not reached the terminal. A face is judged by the person's own
 * threshold, if they had one then, otherwise by that of the settings.
 */
async function ownThreshold(history: Platform['history'], passage: Passage, personId: string): Promise<Unnamed[]> {
  const { moment, stored } = passage
  const face = passage.checks.find((check) => check.code === 'face')
  if (face?.threshold == null) return []
  const revisions = await history.between(passage.home, 'personMatching', personId, 0, moment)
  const usual = face.usual ?? (face.templates === undefined ? stored.settings.threshold : face.threshold)
  const judgedBy = ({ threshold, loosens }: HistoryContent) =>
    near(face.threshold, thresholdFor({ faceThreshold: threshold as number | null, faceThresholdLoosens: loosens === true }, usual))
  const last = revisions.at(-1)
  const isDeleted = last?.to != null && last.to <= moment
  if (last === undefined || judgedBy(isDeleted ? {} : last.content)) return []
  const since = isDeleted ? last.to! : firstAfter(revisions, ({ content }) => judgedBy(content))!.from
  return [{ of: 'person', id: personId, kind: 'changed', since }]
}

/**
 * Return the changes up to the passage that had not reached the terminal, oldest first. `platform.history` must be complete at
 * that moment.
 */
export async function missedChanges(platform: Platform, reading: StrategyReading, scope: Scope, passage: Passage): Promise<MissedChange[]> {
  const { moment, stored } = passage
  const { history } = platform

  /** Return since when an entity no longer fits and whether it was deleted; null where it fits at the moment or has no history. */
  async function changedSince(
    entity: HistoryEntity,
    id: string,
    fits: (content: HistoryContent) => boolean,
  ): Promise<{ since: number; isDeleted: boolean } | null> {
    const revisions = await history.between(entity === 'person' ? passage.home : scope, entity, id, 0, moment)
    const last = revisions.at(-1)
    if (last === undefined) return null
    const isDeleted = last.to !== null && last.to <= moment
    if (!isDeleted && fits(last.content)) return null
    const newer = firstAfter(revisions, ({ content }) => fits(content))
    return { since: newer?.from ?? last.to!, isDeleted }
  }

  async function change(
    of: MissedChange['of'],
    entity: HistoryEntity,
    id: string,
    fits: (content: HistoryContent) => boolean,
  ): Promise<Unnamed[]> {
    const changed = await changedSince(entity, id, fits)
    return changed === null ? [] : [{ of, id, kind: changed.isDeleted ? 'removed' : 'changed', since: changed.since }]
  }

  const { settings } = stored
  // Settings made on the device itself do not follow the park.
  const own = {
    zone: settings.configuration?.timeZone != null,
    threshold: settings.configuration?.threshold != null,
    liveness: settings.configuration?.livenessSwitch === 1,
  }
  const device = await history.at(scope, 'device', settings.deviceId, moment)
  const groups = await history.allAt(scope, 'deviceGroup', moment)
  const path = pathOf(device?.content.groupId, groups)
  const names = (content: HistoryContent): boolean =>
    (content.deviceIds as readonly string[]).includes(settings.deviceId) ||
    (content.deviceGroupIds as readonly string[]).some((id) => path.includes(id))
  // No strategy applies at a device that is not released, even one that names it.
  const named =
    device?.content.released === false
      ? []
      : [...(await history.allAt(scope, 'strategy', moment))].filter(([, { content }]) => names(content))

  const currentIds = new Set(stored.strategies.map(({ id }) => id))
  const added = await Promise.all(
    named
      .filter(([id]) => !currentIds.has(id))
      .map(async ([id]): Promise<Unnamed> => {
        const revisions = await history.between(scope, 'strategy', id, 0, moment)
        const naming = firstAfter(revisions, ({ content }) => !names(content))
        // The device may have moved into a group the strategy names.
        return {
          of: 'strategy',
          id,
          kind: 'added',
          since: Math.max(naming?.from ?? 0, directly(revisions.at(-1)!, settings.deviceId) ? 0 : (device?.from ?? 0)),
        }
      }),
  )
  const removed = await Promise.all(
    stored.strategies
      .filter(({ id }) => !named.some(([namedId]) => namedId === id))
      .map(async ({ id }): Promise<Unnamed[]> => {
        const changed = await changedSince('strategy', id, names)
        // An unchanged strategy no longer applies where the device has moved to another group.
        return [{ of: 'strategy', id, kind: 'removed', since: changed?.since ?? device?.from ?? moment }]
      }),
  )
  const changes = [
    ...added,
    ...removed.flat(),
    ...(
      await Promise.all([
        change('device', 'device', settings.deviceId, ({ direction }) => direction === settings.direction),
        change('zone', 'park', scope.parkId, ({ zone }) => own.zone || zone === settings.zone),
        change(
          'facePolicy',
          'facePolicy',
          scope.parkId,
          (content) =>
            isDeepStrictEqual(policyPart(content, own.liveness), policyPart(settings, own.liveness)) &&
            (own.threshold || asPromised(content, settings)),
        ),
        ...stored.strategies
          .filter(({ id }) => named.some(([namedId]) => namedId === id))
          .map((strategy) =>
            change('strategy', 'strategy', strategy.id, (content) => isDeepStrictEqual(strategyPart(content), strategyPart(strategy))),
          ),
        ...stored.timeRules.map((rule) =>
          change('timeRule', 'timeRule', rule.id, (content) => isDeepStrictEqual(rulePart(content), rulePart(rule))),
        ),
        ...(passage.personId === null
          ? []
          : [
              change('person', 'person', passage.personId, (content) => agrees(passage.checks, content)),
              ownThreshold(history, passage, passage.personId),
            ]),
      ])
    ).flat(),
  ]
  return withNames(
    reading,
    scope,
    changes.toSorted((one, other) => one.since - other.since),
  )
}

/** Whether the checks of a terminal agree with the history of a person; a check that was not made says nothing. */
function agrees(checks: readonly Check[], content: HistoryContent): boolean {
  // Checks that are too long for a record lose their data; validity and time rule lose it together.
  const cut = checks.some((check) => check.code === 'timeRule' && check.ok && check.ruleId === null)
  return checks.every((check) => {
    if (check.code === 'enabled') return check.ok === content.enabled
    if (check.code === 'validity' && !cut) return check.from === content.validFrom && check.to === content.validTo
    return true
  })
}

/** Return the revision after the last that fits; where none fits, the first of all. */
function firstAfter(revisions: readonly HistoryRevision[], fits: (revision: HistoryRevision) => boolean): HistoryRevision | undefined {
  return revisions[revisions.findLastIndex(fits) + 1]
}

const directly = ({ content }: HistoryRevision, deviceId: string): boolean => (content.deviceIds as readonly string[]).includes(deviceId)

/** Return the ids of a group and of all groups above it, as they were. */
function pathOf(groupId: unknown, groups: ReadonlyMap<string, HistoryRevision>): string[] {
  const path: string[] = []
  for (let at = groupId; typeof at === 'string' && !path.includes(at); at = groups.get(at)?.content.parentId) path.push(at)
  return path
}

async function withNames(reading: StrategyReading, scope: Scope, changes: readonly Unnamed[]): Promise<MissedChange[]> {
  const idsOf = (of: MissedChange['of']) => changes.flatMap((change) => (change.of === of ? [change.id] : []))
  const rows = [...(await reading.findStrategies(scope, idsOf('strategy'))), ...(await reading.findTimeRules(scope, idsOf('timeRule')))]
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return changes.map((change) => ({ ...change, name: names.get(change.id) ?? null }))
}
