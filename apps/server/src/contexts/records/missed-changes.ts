/** What history says held at a moment, beside what a terminal decided by: the changes that had not reached it. */
import type { StrategyReading } from '../strategies/index.ts'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { thresholdFor, type Check } from '@gatehouse/access-rules'
import { authorisedObject } from '@gatehouse/contract/enums'
import type { recordWhy } from '@gatehouse/contract/records/calls'
import type { FacePromises } from '@gatehouse/contract/faces/promise'
import type { DeviceSettings, StrategyObject, TimeRuleObject } from '@gatehouse/contract/device/protocol'
import type { Platform } from '../../platform/context.ts'
import type { HistoryContent, HistoryEntity, HistoryRevision } from '../../platform/database/history.ts'
import type { Scope } from '../../platform/session/session.ts'

type MissedChange = NonNullable<z.output<typeof recordWhy>['currency']>['changes'][number]
type Unnamed = Omit<MissedChange, 'name'>

/** What a device held at a revision, without names. */
export interface HeldSettings {
  settings: Omit<DeviceSettings, 'name'>
  strategies: readonly StrategyObject[]
  timeRules: readonly Omit<TimeRuleObject, 'name'>[]
}

interface Passage {
  /** Epoch milliseconds by the server's clock. */
  moment: number
  personId: string | null
  /** The park that has the person. */
  home: Scope
  checks: readonly Check[]
  held: HeldSettings
}

const sorted = (ids: unknown): string[] => (ids as readonly string[]).toSorted()

/** Of a strategy, what a terminal holds of it. */
const strategyPart = ({
  methods,
  timeRuleIds,
  validFrom,
  validTo,
  authorisedObject: whom,
}: HistoryContent | HeldSettings['strategies'][number]) => ({
  methods,
  timeRuleIds: sorted(timeRuleIds),
  validFrom,
  validTo,
  authorisedObject: whom ?? authorisedObject.person,
})
const rulePart = ({
  periods,
  allowedExceptionDates,
  forbiddenExceptionDates,
  effectiveDate,
}: HistoryContent | HeldSettings['timeRules'][number]) => ({
  periods,
  allowedExceptionDates,
  forbiddenExceptionDates,
  effectiveDate,
})

/** How strictly faces are compared, but for the threshold: that depends on the engine of the terminal. */
const policyPart = ({ margin, lookAlikeMargin, liveness }: HistoryContent | HeldSettings['settings'], ownLiveness: boolean) => ({
  margin,
  lookAlikeMargin,
  ...(!ownLiveness && { liveness }),
})
/** Whether a door that held these settings kept what the park had promised; before there were promises, whether it asked for the park's score. */
function asPromised({ promises, door, builtinDoor }: HistoryContent, { promise, threshold }: HeldSettings['settings']): boolean {
  if (promises === undefined) return promise === undefined && [door, builtinDoor].includes(threshold)
  return promise?.strangersPerThousand === (promises as FacePromises).strangersPerThousand
}
/** Whether two scores are the same: checks carry four decimals. */
export const near = (one: number | null, other: number): boolean => one !== null && Math.abs(one - other) < 1e-3

/** Changes up to the passage that the terminal did not hold, oldest first. `platform.history` must be complete at that moment. */
export async function missedChanges(platform: Platform, reading: StrategyReading, scope: Scope, passage: Passage): Promise<MissedChange[]> {
  const { moment, held } = passage
  const { history } = platform

  /** Since when an entity no longer was as `fits` tells, where it is not so at the moment; null while it still was. */
  async function changedSince(
    entity: HistoryEntity,
    id: string,
    fits: (content: HistoryContent) => boolean,
  ): Promise<{ since: number; gone: boolean } | null> {
    const revisions = await history.between(entity === 'person' ? passage.home : scope, entity, id, 0, moment)
    const last = revisions.at(-1)
    if (last === undefined) return null
    const gone = last.to !== null && last.to <= moment
    if (!gone && fits(last.content)) return null
    const newer = firstAfter(revisions, ({ content }) => fits(content))
    return { since: newer?.from ?? last.to!, gone }
  }

  async function change(
    of: MissedChange['of'],
    entity: HistoryEntity,
    id: string,
    fits: (content: HistoryContent) => boolean,
  ): Promise<Unnamed[]> {
    const changed = await changedSince(entity, id, fits)
    return changed === null ? [] : [{ of, id, kind: changed.gone ? 'removed' : 'changed', since: changed.since }]
  }

  /** The threshold a face was judged by is the person's own, where he had one then, else that of the settings. */
  async function ownThreshold(personId: string): Promise<Unnamed[]> {
    const face = passage.checks.find((check) => check.code === 'face')
    if (face?.threshold == null) return []
    const revisions = await history.between(passage.home, 'personMatching', personId, 0, moment)
    const usual = face.usual ?? (face.templates === undefined ? held.settings.threshold : face.threshold)
    const judgedBy = ({ threshold, loosens }: HistoryContent) =>
      near(face.threshold, thresholdFor({ faceThreshold: threshold as number | null, faceThresholdLoosens: loosens === true }, usual))
    const last = revisions.at(-1)
    const gone = last?.to != null && last.to <= moment
    if (last === undefined || judgedBy(gone ? {} : last.content)) return []
    const since = gone ? last.to! : firstAfter(revisions, ({ content }) => judgedBy(content))!.from
    return [{ of: 'person', id: personId, kind: 'changed', since }]
  }

  const { settings } = held
  // What the device was set to itself does not follow the park.
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
  // Where persons may not go, no strategy holds, whichever name the device.
  const named =
    device?.content.released === false
      ? []
      : [...(await history.allAt(scope, 'strategy', moment))].filter(([, { content }]) => names(content))

  const heldIds = new Set(held.strategies.map(({ id }) => id))
  const added = await Promise.all(
    named
      .filter(([id]) => !heldIds.has(id))
      .map(async ([id]): Promise<Unnamed> => {
        const revisions = await history.between(scope, 'strategy', id, 0, moment)
        const naming = firstAfter(revisions, ({ content }) => !names(content))
        // It may be the device that moved to where the strategy was.
        return {
          of: 'strategy',
          id,
          kind: 'added',
          since: Math.max(naming?.from ?? 0, directly(revisions.at(-1)!, settings.deviceId) ? 0 : (device?.from ?? 0)),
        }
      }),
  )
  const removed = await Promise.all(
    held.strategies
      .filter(({ id }) => !named.some(([namedId]) => namedId === id))
      .map(async ({ id }): Promise<Unnamed[]> => {
        const changed = await changedSince('strategy', id, names)
        // Still as it was, but the device has moved away from it.
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
        ...held.strategies
          .filter(({ id }) => named.some(([namedId]) => namedId === id))
          .map((strategy) =>
            change('strategy', 'strategy', strategy.id, (content) => isDeepStrictEqual(strategyPart(content), strategyPart(strategy))),
          ),
        ...held.timeRules.map((rule) =>
          change('timeRule', 'timeRule', rule.id, (content) => isDeepStrictEqual(rulePart(content), rulePart(rule))),
        ),
        ...(passage.personId === null
          ? []
          : [change('person', 'person', passage.personId, (content) => agrees(passage.checks, content)), ownThreshold(passage.personId)]),
      ])
    ).flat(),
  ]
  return withNames(
    reading,
    scope,
    changes.toSorted((one, other) => one.since - other.since),
  )
}

/** Whether what a terminal said of a person is what history says; a check it did not come to says nothing. */
function agrees(checks: readonly Check[], content: HistoryContent): boolean {
  // Checks too long for a record lose their data, that of validity with that of the rule.
  const cut = checks.some((check) => check.code === 'timeRule' && check.ok && check.ruleId === null)
  return checks.every((check) => {
    if (check.code === 'enabled') return check.ok === content.enabled
    if (check.code === 'validity' && !cut) return check.from === content.validFrom && check.to === content.validTo
    return true
  })
}

/** The revision after the last that fits, else the first of all. */
function firstAfter(revisions: readonly HistoryRevision[], fits: (revision: HistoryRevision) => boolean): HistoryRevision | undefined {
  return revisions[revisions.findLastIndex(fits) + 1]
}

const directly = ({ content }: HistoryRevision, deviceId: string): boolean => (content.deviceIds as readonly string[]).includes(deviceId)

/** A group and all above it, as they stood. */
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
