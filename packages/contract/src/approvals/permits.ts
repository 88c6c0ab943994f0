/** Permission for persons at registration: by access rules, or directly at doors and door groups (module M07). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { id } from '../schema.ts'
import { breach } from './written-rules.ts'

const call = callsOf('approvals')

/** Maximum number of persons in one call. */
export const PERMIT_PERSONS = 100
/**
 * Maximum number of access rules, of door groups and of doors in one request: each is a change of its own that is checked against the
 * compliance rules.
 */
const TARGETS = 20
/** Number of choices of each kind in an answer. */
export const PERMIT_CHOICES = 20
/** Maximum number of doors that an answer names. */
export const PERMIT_DOORS = 100

/** At least one is required. A door or a door group stands for the one access rule that permits persons directly there. */
export const permitTargets = z.object({
  strategyIds: z.array(id).max(TARGETS).default([]),
  accessGroupIds: z.array(id).max(TARGETS).default([]),
  deviceIds: z.array(id).max(TARGETS).default([]),
})
export type PermitTargets = z.output<typeof permitTargets>

/**
 * Result for one access rule: the persons were added, all of them were in it already, the change waits for approval by another user, or a
 * compliance rule forbids it.
 */
export const PERMIT_OUTCOMES = ['added', 'already', 'pending', 'refused'] as const
export const permitOutcome = z.object({
  strategyId: id,
  name: z.string(),
  outcome: z.enum(PERMIT_OUTCOMES),
  /** The pending change; null if there is none. */
  pendingChangeId: id.nullable(),
  /** Compliance rules that the change violates; empty unless it is pending or was refused. */
  breaches: z.array(breach),
})
export type PermitOutcome = z.output<typeof permitOutcome>

const named = z.object({ id, name: z.string() })
/** A door, and the number of the given persons it concerns. */
const permitDoor = named.extend({ personCount: z.number().int() })

/** Effect of a permission within the next seven days. */
export const permitEffect = z.object({
  /** Doors that they may pass already, by name, and the access rules that admit them. */
  already: z.object({ total: z.number().int(), doors: z.array(permitDoor.extend({ strategies: z.array(named) })) }),
  /** Doors that they may not pass now and would, by name. */
  gain: z.object({
    total: z.number().int(),
    doors: z.array(permitDoor),
    /** Whether they could pass all of these doors at any time. */
    always: z.boolean(),
    /** Names of the time rules by which they could pass. */
    timeRules: z.array(z.string()),
  }),
  /** Number of doors that they may pass already and could pass at more hours. */
  longer: z.number().int(),
})
export type PermitEffect = z.output<typeof permitEffect>

/** Choices, the best match first; doors are found by code as well. */
export const permitChoices = z.object({
  strategies: z.array(named),
  accessGroups: z.array(named),
  devices: z.array(named.extend({ code: z.string() })),
})
export type PermitChoices = z.output<typeof permitChoices>

const base = { method: 'POST', service: 'biz', permission: 'access.rule', origin: 'own' } as const

export const permitCalls = {
  persons: call({
    ...base,
    path: '/access/person/permit',
    summary:
      'Adds persons to strategies, and permits them directly at doors and access groups, for each of which one strategy is kept ' +
      'and made on first use. Who stands in one already stays; each strategy is answered for by itself.',
    body: permitTargets.extend({ personIds: z.array(id).min(1).max(PERMIT_PERSONS) }),
    data: z.array(permitOutcome),
    errors: [300001, 300101, 900000],
    statuses: [409],
  }),
  effect: call({
    ...base,
    path: '/access/person/permit/effect',
    effect: 'read',
    summary: 'Which doors persons may pass already, and which they would gain if they were permitted like this.',
    body: permitTargets.extend({
      /** Empty: one person who is still to be registered. */
      personIds: z.array(id).max(PERMIT_PERSONS).default([]),
      /** The group of the person who is still to be registered. */
      groupId: id.optional(),
    }),
    data: permitEffect,
    errors: [300001, 300101],
  }),
  choices: call({
    ...base,
    path: '/access/person/permit/choices',
    effect: 'read',
    summary: 'Strategies, access groups and doors whose name, or code, holds a text; those of the ids before them.',
    body: permitTargets.extend({ text: z.string().max(64).default('') }),
    data: permitChoices,
    errors: [300101],
  }),
}
