/** Permitting persons where they are registered: by strategies, and directly at doors and access groups. */
import { setTimeout } from 'node:timers/promises'
import { fieldIssuesOf, type Language, type OutputOf } from '@gatehouse/contract'
import { USUAL_METHODS, strategyChangeFields, strategyFields, type Strategy } from '@gatehouse/contract/strategies/calls'
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
import type { Scope, Session } from '../../platform/session/session.ts'
import { fileTexts } from '../../platform/texts.ts'
import { type AccessGroupService, refuseUnknown, type StrategyService, distinct, type TimeRuleService } from '../strategies/index.ts'
import type { ApprovalDependencies } from './dependencies.ts'
import { isUuid } from '../../platform/database/ids.ts'
import type { PendingChangeService } from './pending-changes.ts'

type PermitBody = OutputOf<(typeof permitCalls)['persons']['body']>
type Change = OutputOf<typeof strategyChangeFields> & { id: string; version: number }
type ChoicesBody = OutputOf<(typeof permitCalls)['choices']['body']>

export interface PermitService {
  /** @throws InvalidRequest for what is not in this park, or persons no door lets in; Refusal 300001, 300101; Conflict */
  permit(session: Session, body: PermitBody, language: Language): Promise<PermitOutcome[]>
  /** @throws InvalidRequest; Refusal 300101 for ids that are not of this park */
  choices(scope: Scope, query: ChoicesBody): Promise<PermitChoices>
}

interface Parts {
  strategies: Pick<StrategyService, 'create' | 'read' | 'delete'>
  accessGroups: Pick<AccessGroupService, 'all'>
  timeRules: Pick<TimeRuleService, 'defaultId'>
  pendingChanges: Pick<PendingChangeService, 'make'>
}

/** A door or an access group. */
interface Target {
  id: string
  name: string
  field: 'deviceIds' | 'accessGroupIds'
}

/** Characters of a strategy's name. */
const NAME_MAX = 32
/** Times a strategy is read again because another request changed it meanwhile: a queue at reception permits many people at one door. */
const TRIES = 20
/** Longest pause before that, in milliseconds. It is drawn, so that requests that met do not meet again. */
const PAUSE = 60

/**
 * Refuse persons who are not in this park or whom no door lets in.
 * @throws InvalidRequest
 */
export async function assertPermittable(
  scope: Scope,
  { people, groups }: Pick<ApprovalDependencies, 'people' | 'groups'>,
  { personIds, groupId }: { personIds: readonly string[]; groupId?: string | undefined },
): Promise<void> {
  const groupIds = groupId === undefined ? [] : [groupId]
  const [persons, types] = await Promise.all([people.facts(scope, personIds.filter(isUuid)), groups.types(scope, groupIds.filter(isUuid))])
  const known = new Set(persons.map(({ id }) => id))
  const unknown = [
    ...(personIds.every((id) => known.has(id)) ? [] : ['personIds']),
    ...(types.length === groupIds.length ? [] : ['groupId']),
  ]
  if (unknown.length > 0) throw new InvalidRequest(unknown.map((path) => ({ path, rule: 'unknown' })))
  const special = [
    ...(persons.some(({ kind }) => kind === 'special') ? ['personIds'] : []),
    ...(types.some(({ type }) => type === personGroupType.blacklist) ? ['groupId'] : []),
  ]
  if (special.length > 0) throw new InvalidRequest(special.map((path) => ({ path, rule: 'specialMember' })))
}

export function createPermits(platform: Platform, needs: ApprovalDependencies, parts: Parts): PermitService {
  const { reading } = needs
  const { strategies, accessGroups, timeRules, pendingChanges } = parts

  /** The doors and access groups chosen. @throws InvalidRequest where one is not of this park */
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

  /** A name for the strategy of a door or access group that no other strategy has. */
  async function freeName(scope: Scope, { name }: Target, language: Language): Promise<string> {
    const words = fileTexts(language).directStrategy
    const candidates = ['', ...Array.from({ length: 50 }, (_, at) => ` ${at + 2}`)].map((end) => {
      const room = NAME_MAX - words.replace('{{name}}', '').length - end.length
      return words.replace('{{name}}', () => [...name].slice(0, room).join('').trimEnd()) + end
    })
    const taken = await reading.findTakenNames(
      scope,
      candidates.map((one) => one.toLowerCase()),
    )
    return candidates.find((one) => !taken.has(one.toLowerCase())) ?? refuse(900004, 'name')
  }

  /** The strategy that permits directly at a door or access group, made on first use with nobody in it. */
  async function directStrategy(scope: Scope, target: Target, language: Language): Promise<{ id: string; isNew: boolean }> {
    const find = async (): Promise<string | undefined> => (await reading.findDirectStrategies(scope, [target.id])).get(target.id)
    const known = await find()
    if (known !== undefined) return { id: known, isNew: false }
    const fields = strategyFields.parse({
      name: await freeName(scope, target, language),
      [target.field]: [target.id],
      timeRuleIds: [await timeRules.defaultId(scope)],
      methods: [...USUAL_METHODS],
    })
    try {
      return { id: await strategies.create(scope, fields, { directAt: target.id }), isNew: true }
    } catch (error) {
      // Somebody else may have permitted the first person there at the same moment.
      const others = await find()
      if (others === undefined) throw error
      return { id: others, isNew: false }
    }
  }

  /** Adds the persons to a strategy as it stands now. One that was made for them is deleted again where they are refused and nobody else has joined it. */
  async function join(
    session: Session,
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
      const { personIds, ...chosen } = writtenAlike(body)
      await assertPermittable(scope, needs, { personIds })
      if (chosen.strategyIds.length + chosen.accessGroupIds.length + chosen.deviceIds.length === 0)
        throw new InvalidRequest([{ path: 'deviceIds', rule: 'required' }])
      const targets = await targetsOf(scope, chosen)
      // Whatever is refused as a whole is refused before anything is changed.
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
      const wanted = text.trim()
      const [rules, groups, devices] = await Promise.all([
        reading.findStrategyChoices(scope, { text: wanted, ids: strategyIds.filter(isUuid), limit: PERMIT_CHOICES }),
        accessGroups.all(scope),
        needs.devices.all(scope),
      ])
      const found = new Set(rules.map(({ id }) => id))
      if (strategyIds.some((id) => !found.has(id))) refuse(300101)
      return {
        strategies: rules,
        accessGroups: best(groups, wanted, accessGroupIds).map(({ id, name }) => ({ id, name })),
        devices: best(devices, wanted, deviceIds).map(({ id, name, code }) => ({ id, name, code })),
      }
    },
  }
}

/** The same ids as they are stored: once each, in small letters. */
function writtenAlike<Body extends PermitTargets & { personIds: string[] }>(body: Body): Body {
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
 * A change of a strategy to these persons and nothing else.
 * @throws InvalidRequest where they are more than a strategy takes
 */
function changeOf({ id, version }: Strategy, personIds: string[]): Change {
  const parsed = strategyChangeFields.safeParse({ personIds })
  if (!parsed.success) throw new InvalidRequest(fieldIssuesOf(parsed.error))
  return { ...parsed.data, id, version }
}

/** Those named, and the best of those whose name or code holds a text: what is called exactly so comes first. */
function best<Choice extends { id: string; name: string; code?: string }>(
  choices: readonly Choice[],
  text: string,
  ids: readonly string[],
): Choice[] {
  const [wanted, named] = [text.toLowerCase(), new Set(ids)]
  const texts = ({ name, code = '' }: Choice): string[] => [name.toLowerCase(), code.toLowerCase()]
  const rank = (choice: Choice): number =>
    texts(choice).includes(wanted) ? 0 : texts(choice).some((one) => one.startsWith(wanted)) ? 1 : 2
  const found = choices
    .filter((choice) => !named.has(choice.id) && texts(choice).some((one) => one.includes(wanted)))
    .toSorted((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name))
  return [...choices.filter(({ id }) => named.has(id)), ...found.slice(0, PERMIT_CHOICES)]
}
