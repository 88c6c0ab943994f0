/** Permits at registration: persons are added to strategies, or permitted directly at doors and access groups. */
import { VISITOR_KIND } from '../people/index.ts'
import { setTimeout } from 'node:timers/promises'
import { fieldIssuesOf, type Language, type OutputOf } from '@gatehouse/contract'
import { strategyChangeFields, type Strategy } from '@gatehouse/contract/strategies/calls'
import {
  PERMIT_CHOICES,
  type permitCalls,
  type PermitChoices,
  type PermitOutcome,
  type PermitTargets,
} from '@gatehouse/contract/approvals/permits'
import type { Breach } from '@gatehouse/contract/approvals/written-rules'
import { personGroupType } from '@gatehouse/contract/enums/people'
import type { Platform } from '../../platform/context.ts'
import { Conflict, Hindered, InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Caller, Scope } from '../../platform/session/session.ts'
import { type AccessGroupService, refuseUnknown, type StrategyService, distinct, type TimeRuleService } from '../strategies/index.ts'
import type { ApprovalDependencies } from './dependencies.ts'
import { createDirectStrategies, type Target } from './direct-strategies.ts'
import { isUuid } from '../../platform/database/ids.ts'
import type { PendingChangeService } from './pending-changes.ts'

type PermitBody = OutputOf<(typeof permitCalls)['persons']['body']>
type Change = OutputOf<typeof strategyChangeFields> & { id: string; version: number }
type ChoicesBody = OutputOf<(typeof permitCalls)['choices']['body']>

export interface PermitService {
  /** @throws InvalidRequest for members not in this park, or persons whom no door admits; Refusal 300001, 300101; Conflict */
  permit(session: Caller, body: PermitBody, language: Language): Promise<PermitOutcome[]>
  /** @throws InvalidRequest; Refusal 300101 for ids that are not of this park */
  choices(scope: Scope, query: ChoicesBody): Promise<PermitChoices>
}

interface Parts {
  strategies: Pick<StrategyService, 'create' | 'read' | 'delete'>
  accessGroups: Pick<AccessGroupService, 'all'>
  timeRules: Pick<TimeRuleService, 'defaultId'>
  pendingChanges: Pick<PendingChangeService, 'make'>
}

/** Largest number of attempts where other requests change the strategy meanwhile: reception may permit many people at one door at once. */
const TRIES = 20
/** Longest pause before the next attempt, in milliseconds. The pause is random, so that requests that collided do not collide again. */
const PAUSE = 60

/**
 * Refuse persons who are not in this park or whom no door admits.
 * @throws InvalidRequest
 */
export async function assertPermittable(
  scope: Scope,
  { people, groups }: Pick<ApprovalDependencies, 'people' | 'groups'>,
  { personIds, groupId }: { personIds: readonly string[]; groupId?: string | undefined },
): Promise<void> {
  const groupIds = groupId === undefined ? [] : [groupId]
  const [persons, types] = await Promise.all([people.facts(scope, personIds.filter(isUuid)), groups.types(scope, groupIds.filter(isUuid))])
  // What a visitor may pass is decided with the visit.
  const existing = new Set(persons.flatMap(({ id, kind }) => (kind === VISITOR_KIND ? [] : [id])))
  const unknown = [
    ...(personIds.every((id) => existing.has(id)) ? [] : ['personIds']),
    ...(types.length === groupIds.length ? [] : ['groupId']),
  ]
  if (unknown.length > 0) throw new InvalidRequest(unknown.map((path) => ({ path, rule: 'unknown' })))
  const watchList = [
    ...(persons.some(({ kind }) => kind === 'special') ? ['personIds'] : []),
    ...(types.some(({ type }) => type === personGroupType.blacklist) ? ['groupId'] : []),
  ]
  if (watchList.length > 0) throw new InvalidRequest(watchList.map((path) => ({ path, rule: 'specialMember' })))
}

export function createPermits(platform: Platform, needs: ApprovalDependencies, parts: Parts): PermitService {
  const { reading } = needs
  const { strategies, accessGroups, pendingChanges } = parts
  const directStrategy = createDirectStrategies(needs, parts)

  /** Return the chosen doors and access groups. @throws InvalidRequest where one is not of this park */
  async function targetsOf(scope: Scope, { accessGroupIds, deviceIds }: PermitTargets): Promise<Target[]> {
    const named = {
      deviceIds: await needs.devices.names(scope, distinct(deviceIds.filter(isUuid))),
      accessGroupIds: await reading.findAccessGroups(scope, distinct(accessGroupIds.filter(isUuid))),
    }
    refuseUnknown({
      deviceIds: named.deviceIds.length === new Set(deviceIds).size,
      accessGroupIds: named.accessGroupIds.length === new Set(accessGroupIds).size,
    })
    return (['deviceIds', 'accessGroupIds'] as const).flatMap((field) => named[field].map(({ id, name }) => ({ id, name, field })))
  }

  /**
   * Add the persons to a strategy in its current state. A strategy that was created for them is deleted again where they are
   * refused and it has no other persons.
   */
  async function join(
    session: Caller,
    { id, isNew }: { id: string; isNew: boolean },
    personIds: readonly string[],
  ): Promise<PermitOutcome> {
    for (let tries = 1; ; tries++) {
      const strategy = await strategies.read(session.scope, id)
      const outcome = (
        what: PermitOutcome['outcome'],
        { pendingChangeId = null, breaches = [] }: Partial<Pick<PermitOutcome, 'pendingChangeId' | 'breaches'>> = {},
      ): PermitOutcome => ({ strategyId: id, name: strategy.name, outcome: what, pendingChangeId, breaches })
      const all = distinct([...strategy.personIds, ...personIds])
      if (all.length === strategy.personIds.length) return outcome('already')
      try {
        await pendingChanges.make(session, 'strategy.change', changeOf(strategy, all))
        return outcome('added')
      } catch (error) {
        if (error instanceof Conflict && tries < TRIES) {
          await setTimeout(Math.random() * PAUSE)
          continue
        }
        if (!(error instanceof Hindered) || !Array.isArray(error.data['breaches'])) throw error
        const { breaches, pendingChangeId } = error.data as { breaches: Breach[]; pendingChangeId?: string }
        if (isNew && strategy.personIds.length === 0 && pendingChangeId === undefined)
          await strategies.delete(session.scope, id, strategy.version).catch((refused: unknown) => {
            if (!(refused instanceof Conflict)) throw refused
          })
        return outcome(pendingChangeId === undefined ? 'refused' : 'pending', { breaches, pendingChangeId: pendingChangeId ?? null })
      }
    }
  }

  return {
    async permit(session, body, language) {
      const { scope } = session
      const { personIds, ...chosen } = withStoredIds(body)
      await assertPermittable(scope, needs, { personIds })
      if (chosen.strategyIds.length + chosen.accessGroupIds.length + chosen.deviceIds.length === 0)
        throw new InvalidRequest([{ path: 'deviceIds', rule: 'required' }])
      const targets = await targetsOf(scope, chosen)
      // Refusals of the whole request come before any change.
      for (const id of chosen.strategyIds) await strategies.read(scope, id)
      const joined = new Map(chosen.strategyIds.map((id) => [id, { id, isNew: false }]))
      for (const target of targets) {
        const direct = await directStrategy(scope, target, language)
        joined.set(direct.id, direct)
      }
      const outcomes: PermitOutcome[] = []
      for (const strategy of joined.values()) outcomes.push(await join(session, strategy, personIds))
      return outcomes
    },
    async choices(scope, { text, ...named }) {
      const { strategyIds, accessGroupIds, deviceIds } = named
      await targetsOf(scope, named)
      const searched = text.trim()
      const [rules, groups, devices] = await Promise.all([
        reading.findStrategyChoices(scope, { text: searched, ids: strategyIds.filter(isUuid), limit: PERMIT_CHOICES }),
        accessGroups.all(scope),
        needs.devices.all(scope),
      ])
      const found = new Set(rules.map(({ id }) => id))
      if (strategyIds.some((id) => !found.has(id))) refuse(300101)
      return {
        strategies: rules,
        accessGroups: best(groups, searched, accessGroupIds).map(({ id, name }) => ({ id, name })),
        devices: best(devices, searched, deviceIds).map(({ id, name, code }) => ({ id, name, code })),
      }
    },
  }
}

/** Return the same ids as they are stored: distinct, in lower case. */
function withStoredIds<Body extends PermitTargets & { personIds: string[] }>(body: Body): Body {
  const alike = (ids: readonly string[]): string[] => distinct(ids.map((id) => id.toLowerCase()))
  const { personIds, strategyIds, accessGroupIds, deviceIds } = body
  return {
    ...body,
    personIds: alike(personIds),
    strategyIds: alike(strategyIds),
    accessGroupIds: alike(accessGroupIds),
    deviceIds: alike(deviceIds),
  }
}

/**
 * Return a change of a strategy that sets these persons and nothing else.
 * @throws InvalidRequest where they are more than a strategy takes
 */
function changeOf({ id, version }: Strategy, personIds: string[]): Change {
  const parsed = strategyChangeFields.safeParse({ personIds })
  if (!parsed.success) throw new InvalidRequest(fieldIssuesOf(parsed.error))
  return { ...parsed.data, id, version }
}

/** Return the choices with these ids, and the best of those whose name or code contains a text: exact matches first. */
function best<Choice extends { id: string; name: string; code?: string }>(
  choices: readonly Choice[],
  text: string,
  ids: readonly string[],
): Choice[] {
  const [lower, named] = [text.toLowerCase(), new Set(ids)]
  const texts = ({ name, code = '' }: Choice): string[] => [name.toLowerCase(), code.toLowerCase()]
  const rank = (choice: Choice): number => (texts(choice).includes(lower) ? 0 : texts(choice).some((one) => one.startsWith(lower)) ? 1 : 2)
  const found = choices
    .filter((choice) => !named.has(choice.id) && texts(choice).some((one) => one.includes(lower)))
    .toSorted((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name))
  return [...choices.filter(({ id }) => named.has(id)), ...found.slice(0, PERMIT_CHOICES)]
}
