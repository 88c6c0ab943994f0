/** Questions asked of the rules themselves: who can pass where and when, and what a change would do before it is saved. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { masked, searches } from '../masking.ts'
import { id, instant, pageData, pageQuery } from '../schema.ts'
import { period, strategyChangeFields, timeRuleChangeFields } from '../strategies/calls.ts'

const call = callsOf('questions')

/** A moment whose date has four figures for the year. */
const moment = instant.max(253_370_000_000_000)
const nameFilter = z.string().max(64).optional()
const personNameFilter = searches('name', z.string().max(64)).optional()
/** As it is called now; null: deleted since. */
const named = z.object({ id, name: z.string().nullable() })

/** A strategy that lets somebody pass at a moment: by which of its rules, and by which of its methods that the door accepts. */
export const way = z.object({
  strategy: named,
  timeRule: named,
  methods: z.array(z.number().int()),
  /** Of the doors asked about, how many it opens; of the persons, how many it lets pass. */
  count: z.number().int(),
})
export type Way = z.output<typeof way>

/** Somebody who can pass; name and number are empty where the person was deleted since. */
export const passer = z.object({ id, name: masked('name', z.string()), workNumber: z.string(), ways: z.array(way) })
export type Passer = z.output<typeof passer>

/** A door that somebody can pass; `name` null: deleted since. */
export const passableDoor = z.object({
  id,
  name: z.string().nullable(),
  /** Of the persons asked about, how many can pass it. */
  personCount: z.number().int(),
  ways: z.array(way),
})
export type PassableDoor = z.output<typeof passableDoor>

/** Somebody who gains or loses doors. */
export const affectedPerson = z.object({
  id,
  name: masked('name', z.string()),
  workNumber: z.string(),
  deviceCount: z.number().int(),
  /** The first of them by name. */
  deviceNames: z.array(z.string()),
})
export type AffectedPerson = z.output<typeof affectedPerson>

/** Doors of an answer that are named one by one; those where most changes. */
export const EFFECT_DOORS = 100

const minutes = { minutesGained: z.number().int(), minutesLost: z.number().int() }

/**
 * What a change would do, looking at the seven days from now on. Somebody gains a door whom no strategy lets pass it in that time now,
 * and one would; losing is the other way round. What other strategies open all the same is neither.
 */
export const effect = z.object({
  /** Persons who gain, or lose, any door at all. */
  gain: z.number().int(),
  lose: z.number().int(),
  /** Persons who keep their doors, some at other hours. */
  otherHours: z.number().int(),
  /** The most that anybody gains, or loses, at one door. */
  ...minutes,
  /** Doors where anything changes. */
  deviceCount: z.number().int(),
  devices: z.array(z.object({ id, name: z.string(), gain: z.number().int(), lose: z.number().int(), changedHours: z.boolean() })),
})
export type Effect = z.output<typeof effect>

export const ruleEffect = effect.extend({
  /** Strategies that follow the rule. */
  strategyCount: z.number().int(),
  /** The week itself, without dates that are otherwise: what it gains and loses, as periods to be drawn. */
  week: z.object({ gained: z.array(period), lost: z.array(period), ...minutes }),
  /** The rule itself in the seven days from now on, with its dates, by the clock of the park. */
  sevenDays: z.object(minutes),
})
export type RuleEffect = z.output<typeof ruleEffect>

/**
 * A change that was asked for, or a form that could not be saved, is asked about with the version it was made from;
 * that does not matter here.
 */
export const draftVersion = { version: z.number().int().optional() }
/**
 * As it is saved; what it is called does not matter yet. With an id it takes the place of that strategy, and what it
 * leaves out is as stored.
 */
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
      /** Doors, and groups of doors with those below; one at least. */
      deviceIds: z.array(id).max(1000).default([]),
      deviceGroupIds: z.array(id).max(1000).default([]),
      /** Now unless told. */
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
      /** Persons, and groups of persons with those below; one at least. */
      personIds: z.array(id).max(1000).default([]),
      personGroupIds: z.array(id).max(1000).default([]),
      /** Now unless told. */
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
