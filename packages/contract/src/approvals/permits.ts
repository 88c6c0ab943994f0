/** Permitting persons where they are registered: by access strategies, or directly at doors and access groups (module M07). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { id } from '../schema.ts'
import { breach } from './written-rules.ts'

const call = callsOf('approvals')

/** Persons permitted by one call. */
export const PERMIT_PERSONS = 100
/** Strategies, access groups and doors of one request, each: every one is a change of its own, which compliance rules look at. */
const TARGETS = 20
/** Choices offered of each kind. */
export const PERMIT_CHOICES = 20
/** Doors of an answer that are named one by one. */
export const PERMIT_DOORS = 100

/** At least one. A door or an access group stands for the one strategy that permits persons directly there. */
export const permitTargets = z.object({
  strategyIds: z.array(id).max(TARGETS).default([]),
  accessGroupIds: z.array(id).max(TARGETS).default([]),
  deviceIds: z.array(id).max(TARGETS).default([]),
})
export type PermitTargets = z.output<typeof permitTargets>

/**
 * What became of one strategy: the persons were added, all of them stood in it already, the change waits for a second person, or a
 * written rule forbids it.
 */
export const PERMIT_OUTCOMES = ['added', 'already', 'pending', 'refused'] as const
export const permitOutcome = z.object({
  strategyId: id,
  name: z.string(),
  outcome: z.enum(PERMIT_OUTCOMES),
  /** The change that waits; null where none does. */
  pendingChangeId: id.nullable(),
  /** What the change goes against; empty unless it waits or was refused. */
  breaches: z.array(breach),
})
export type PermitOutcome = z.output<typeof permitOutcome>

const named = z.object({ id, name: z.string() })
/** A door, and how many of the persons asked about it concerns. */
const permitDoor = named.extend({ personCount: z.number().int() })

/** What a permission would do, looking at the seven days from now on. */
export const permitEffect = z.object({
  /** Doors that they may pass already, by name, and the strategies that let them. */
  already: z.object({ total: z.number().int(), doors: z.array(permitDoor.extend({ strategies: z.array(named) })) }),
  /** Doors that they may not pass now and would, by name. */
  gain: z.object({
    total: z.number().int(),
    doors: z.array(permitDoor),
    /** Whether each of them would be open to them at any time. */
    always: z.boolean(),
    /** Names of the time rules by which they would be. */
    timeRules: z.array(z.string()),
  }),
  /** Doors that they may pass already, and would at more hours. */
  longer: z.number().int(),
})
export type PermitEffect = z.output<typeof permitEffect>

/** What there is to choose from, the best match first; doors are found by code as well. */
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
      /** None: one person who is still to be registered. */
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
