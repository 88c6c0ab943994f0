/**
 * Passages at the doors of areas: decided when a terminal asks, and reported by records. All of one area happen one after the other,
 * behind its row, so that of two who come at once at two doors the second is decided on what became of the first.
 */
import type { Restriction } from '@gatehouse/access-rules'
import { accessResult, failReason, passDirection } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { PassageFacts, Span } from '../records/index.ts'
import { ASK_WITHIN_MS } from './areas.ts'
import * as areas from './areas-data.ts'
import type { RestrictionDependencies } from './dependencies.ts'
import * as data from './states-data.ts'

/** A passage a terminal asks about, which nothing else speaks against. */
export interface RequestedPassage {
  deviceId: string
  /** 1 in, 2 out. */
  direction: number
  personId: string
  /** Of the terminal's clock; with device and person it names the passage. */
  moment: number
}

export interface Answer {
  allowed: boolean
  failReason: number | null
  restriction: Restriction | null
}

export interface PassageService {
  /**
   * Decides by the rules of the area the device is a door of; null where it is none. What is let through counts at once.
   * @param isAbandoned returns whether the terminal no longer waits
   */
  ask(scope: Scope, passage: RequestedPassage, isAbandoned: () => boolean): Promise<Answer | null>
  /** Take over what records tell, in whatever order and however often they come. */
  recorded(scope: Scope, recordIds: readonly string[], span?: Span): Promise<void>
}

const ALLOWED: Answer = { allowed: true, failReason: null, restriction: null }
const refusedFor = (restriction: Restriction | null): Answer => ({
  allowed: false,
  failReason: restriction === 'full' ? failReason.areaFull : failReason.cloudRefused,
  restriction,
})

/** A record made so much later tells that there will be none of an earlier passage: somebody asks for seconds only. */
const LOST_AFTER_MS = 10_000

const isEntering = (direction: number): boolean | null =>
  direction === passDirection.in ? true : direction === passDirection.out ? false : null

/** The server's moment of a passage that was not asked about; never after the record was there. */
const corrected = ({ occurredAt, clockOffsetMs, receivedAt }: PassageFacts): number =>
  Math.min(occurredAt + (clockOffsetMs ?? 0), receivedAt)

export function createPassageService(
  platform: Platform,
  { people, passages }: Pick<RestrictionDependencies, 'people' | 'passages'>,
): PassageService {
  const db = platform.db

  /**
   * Return the rule against a passage; null: none. A person who may be inside does not enter, and one who may be inside is let out: until
   * the record of an allowed passage arrives, it is not certain that it happened.
   */
  async function ruleAgainst(
    scope: Scope,
    tx: Transaction,
    area: areas.AreaRow,
    entering: boolean,
    state: data.PersonState | null,
    now: number,
  ): Promise<Restriction | null> {
    const perhaps = state?.perhaps === true
    if (area.antiSneakBack && entering && perhaps) return 'alreadyInside'
    if (area.antiSneakBack && !entering && !perhaps && state?.inside === false) return 'alreadyOutside'
    if (!area.flowLimit || !entering || perhaps) return null
    return (await data.countPerhaps(scope, tx, area.id, now)) >= area.limitCount! ? 'full' : null
  }

  /** Apply a record at a door to the state of its person. */
  async function apply(
    scope: Scope,
    tx: Transaction,
    areaId: string,
    record: PassageFacts,
    personId: string,
    since: number,
  ): Promise<void> {
    const key = { deviceId: record.deviceId, personId, moment: record.occurredAt }
    const passage = await data.findPassage(scope, tx, key)
    const entering = passage?.entering ?? isEntering(record.direction)
    if (passage?.state === 'settled' || entering === null) return
    await data.settlePassage(scope, tx, areaId, key, entering, platform.clock.now())
    // A person stands in the order in which the server answered, whatever the clocks of two doors show.
    const at = passage?.askedAt ?? corrected(record)
    if (record.result !== accessResult.allowed || (passage?.askedAt == null && at < since)) return
    await data.putState(scope, tx, areaId, [personId], { inside: entering, at, source: 'record', deviceId: record.deviceId })
  }

  async function leave(scope: Scope, tx: Transaction, areaId: string, record: PassageFacts, personId: string): Promise<void> {
    const at = corrected(record)
    // A person who was never in the area is not noted to be outside of it.
    if ((await data.findState(scope, tx, areaId, personId, platform.clock.now())) === null) return
    await data.putState(scope, tx, areaId, [personId], { inside: false, at, source: 'record', deviceId: record.deviceId })
  }

  return {
    async ask(scope, { deviceId, direction, personId, moment }, isAbandoned) {
      const startedAt = platform.clock.now()
      const entering = isEntering(direction)
      const areaId = await areas.findAreaIdOfDoor(scope, db, deviceId)
      if (areaId === null || entering === null) return null
      return platform.transaction(async (tx) => {
        const area = await areas.lockArea(scope, tx, areaId)
        if (area === undefined) return null
        const now = platform.clock.now()
        // By now the terminal has decided without the server.
        if (isAbandoned() || now - startedAt > ASK_WITHIN_MS) return refusedFor(null)
        const key = { deviceId, personId, moment }
        const before = await data.findPassage(scope, tx, key)
        // A repeated question: the first answer was lost. After its record it is a repeated passage.
        if (before !== undefined) return before.state === 'asked' ? ALLOWED : refusedFor(null)
        const state = await data.findState(scope, tx, areaId, personId, now)
        const restriction = await ruleAgainst(scope, tx, area, entering, state, now)
        if (restriction !== null) return refusedFor(restriction)
        await data.insertRequested(scope, tx, areaId, key, entering, Math.max(now, (state?.at ?? 0) + 1), now)
        return ALLOWED
      })
    },

    async recorded(scope, recordIds, span) {
      const links = await areas.findDevices(scope, db)
      if (links.length === 0) return
      const linked = new Map<string, areas.AreaDevice[]>(Map.groupBy(links, ({ deviceId }) => deviceId))
      const records = (await passages(scope, recordIds, span)).filter(({ deviceId }) => linked.has(deviceId))
      const named = [...new Set(records.flatMap(({ personId }) => personId ?? []))]
      // A person who was erased, or is not registered here, is not counted.
      const persons = new Set((await people.facts(scope, named)).map(({ id }) => id))
      const areaIds = [...new Set(records.flatMap(({ deviceId }) => linked.get(deviceId)!.map(({ areaId }) => areaId)))].toSorted()
      for (const areaId of areaIds) {
        await platform.transaction(async (tx) => {
          if ((await areas.lockArea(scope, tx, areaId)) === undefined) return
          for (const record of records) {
            const link = linked.get(record.deviceId)!.find((one) => one.areaId === areaId)
            const { personId } = record
            if (link === undefined || personId === null || !persons.has(personId)) continue
            if (link.kind === 'door') await apply(scope, tx, areaId, record, personId, link.since)
            else if (record.result === accessResult.allowed && isEntering(record.direction) === false && corrected(record) >= link.since)
              await leave(scope, tx, areaId, record, personId)
          }
          const latest = new Map<string, number>()
          for (const { deviceId, occurredAt } of records) latest.set(deviceId, Math.max(latest.get(deviceId) ?? 0, occurredAt))
          for (const [deviceId, occurredAt] of latest) await data.losePassages(scope, tx, deviceId, occurredAt - LOST_AFTER_MS)
        })
      }
    },
  }
}
