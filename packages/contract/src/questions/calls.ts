/** Questions about access rules: who can pass where and when, and what a change would do before it is saved. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { masked, searches } from '../masking.ts'
import { id, instant, pageData, pageQuery } from '../schema.ts'
import { period, strategyChangeFields, timeRuleChangeFields } from '../strategies/calls.ts'

const call = callsOf('questions')

/** A time whose year has at most four digits. */
const moment = instant.max(253_370_000_000_000)
const nameFilter = z.string().max(64).optional()
const personNameFilter = searches('name', z.string().max(64)).optional()
/** Current name; null: deleted since. */
const named = z.object({ id, name: z.string().nullable() })

/** An access rule that admits a person at a given time, with one of its time rules and the methods that the door accepts. */
export const way = z.object({
  strategy: named,
  timeRule: named,
  methods: z.array(z.number().int()),
  /** Number of the given doors that it opens, or of the given persons that it admits. */
  count: z.number().int(),
})
export type Way = z.output<typeof way>

/** Person who can pass; name and number are empty if the person was deleted since. */
export const passer = z.object({ id, name: masked('name', z.string()), workNumber: z.string(), ways: z.array(way) })
export type Passer = z.output<typeof passer>

/** Door that a person can pass; `name` null: deleted since. */
export const passableDoor = z.object({
  id,
  name: z.string().nullable(),
  /** Number of the given persons who can pass it. */
  personCount: z.number().int(),
  ways: z.array(way),
})
export type PassableDoor = z.output<typeof passableDoor>

/** Person who gains or loses doors. */
export const affectedPerson = z.object({
  id,
  name: masked('name', z.string()),
  workNumber: z.string(),
  deviceCount: z.number().int(),
  /** Names of the first doors, in alphabetical order. */
  deviceNames: z.array(z.string()),
})
export type AffectedPerson = z.output<typeof affectedPerson>

/** Maximum number of doors that an answer names: those with the largest changes. */
export const EFFECT_DOORS = 100

const minutes = { minutesGained: z.number().int(), minutesLost: z.number().int() }

/**
 * Effect of a change within the next seven days. A person gains a door if no access rule admits them there in that time now and one would
 * after the change; losing is the reverse. Doors that other access rules open anyway count as neither.
 */
export const effect = z.object({
  /** Number of persons who gain, or lose, at least one door. */
  gain: z.number().int(),
  lose: z.number().int(),
  /** Number of persons who keep their doors, but can pass some of them at other hours. */
  otherHours: z.number().int(),
  /** The most minutes that one person gains, or loses, at one door. */
  ...minutes,
  /** Number of doors with a change. */
  deviceCount: z.number().int(),
  devices: z.array(z.object({ id, name: z.string(), gain: z.number().int(), lose: z.number().int(), changedHours: z.boolean() })),
})
export type Effect = z.output<typeof effect>

export const ruleEffect = effect.extend({
  /** Number of access rules that use the time rule. */
  strategyCount: z.number().int(),
  /** The regular week, without exception dates: what it gains and loses, as periods to be drawn. */
  week: z.object({ gained: z.array(period), lost: z.array(period), ...minutes }),
  /** The time rule within the next seven days, including its exception dates, in the park's time. */
  sevenDays: z.object(minutes),
})
export type RuleEffect = z.output<typeof ruleEffect>

/** A pending change, or a form that could not be saved, is checked with the version it was made from; the version is ignored here. */
export const draftVersion = { version: z.number().int().optional() }
/** As it is saved; the name is optional here. With an id it replaces that access rule, and fields that are left out are as stored. */
export const strategyDraft = strategyChangeFields.extend({
  ...draftVersion,
  name: z.string().max(32).optional(),
  id: id.optional(),
  deleted: z.boolean().default(false),
})
export const ruleDraft = timeRuleChangeFields.extend({ ...draftVersion, name: z.string().max(32).optional(), id })
export const affectedQuery = pageQuery.extend({ deviceId: id.optional(), what: z.enum(['gain', 'lose']) }).shape

const errors = [300001, 300101, 300206, 900007] as const

export const questionCalls = {
  whoCanPass: call({
    method: 'POST',
    service: 'biz',
    path: '/access/question/persons',
    effect: 'read',
    permission: 'access.rule',
    summary:
      'Who can pass any of these doors at a moment, by which strategies, rules and methods; by name. A past moment is answered ' +
      'from history.',
    body: pageQuery.extend({
      /** Doors, and device groups with all groups below them; at least one is required. */
      deviceIds: z.array(id).max(1000).default([]),
      deviceGroupIds: z.array(id).max(1000).default([]),
      /** Time of the question; absent: now. */
      at: moment.optional(),
      name: personNameFilter,
    }),
    data: pageData(passer),
    origin: 'own',
  }),
  whereCanPass: call({
    method: 'POST',
    service: 'biz',
    path: '/access/question/devices',
    effect: 'read',
    permission: 'person.list',
    summary: 'Which doors these persons can pass at a moment, and how many of them each; by name. A past moment is answered from history.',
    body: pageQuery.extend({
      /** Persons, and person groups with all groups below them; at least one is required. */
      personIds: z.array(id).max(1000).default([]),
      personGroupIds: z.array(id).max(1000).default([]),
      /** Time of the question; absent: now. */
      at: moment.optional(),
      name: nameFilter,
    }),
    data: pageData(passableDoor),
    origin: 'own',
  }),
  strategyEffect: call({
    method: 'POST',
    service: 'biz',
    path: '/access/strategy/effect',
    effect: 'read',
    permission: 'access.rule',
    summary: 'Who would gain and lose which doors if a strategy were saved like this, or deleted.',
    body: strategyDraft,
    data: effect,
    errors,
    origin: 'own',
  }),
  strategyEffectPersons: call({
    method: 'POST',
    service: 'biz',
    path: '/access/strategy/effect/persons',
    effect: 'read',
    permission: 'access.rule',
    summary: 'Those who would gain or lose doors if a strategy were saved like this, by name; at all doors or at one.',
    body: strategyDraft.extend(affectedQuery),
    data: pageData(affectedPerson),
    errors,
    origin: 'own',
  }),
  ruleEffect: call({
    method: 'POST',
    service: 'biz',
    path: '/access/rule/effect',
    effect: 'read',
    permission: 'access.rule',
    summary: 'Which strategies, doors and persons a time rule saved like this would touch, and the hours they would gain and lose.',
    body: ruleDraft,
    data: ruleEffect,
    errors: [300001, 300203, 300204, 900007],
    origin: 'own',
  }),
  ruleEffectPersons: call({
    method: 'POST',
    service: 'biz',
    path: '/access/rule/effect/persons',
    effect: 'read',
    permission: 'access.rule',
    summary: 'Those who would gain or lose doors if a time rule were saved like this, by name; at all doors or at one.',
    body: ruleDraft.extend(affectedQuery),
    data: pageData(affectedPerson),
    errors: [300001, 300203, 300204, 900007],
    origin: 'own',
  }),
}
