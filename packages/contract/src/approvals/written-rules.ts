/** Written rules: what must hold whatever strategies say, and changes that wait for a second person because of one. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { masked } from '../masking.ts'
import { abilities, created, date, id, idParams, instant, changeOf, pageData, pageQuery } from '../schema.ts'
import { associatedRuleChangeFields } from '../strategies/associated-rules.ts'
import { period } from '../strategies/calls.ts'
import { accessGroupChangeFields } from '../strategies/access-groups.ts'
import { draftVersion, ruleDraft, strategyDraft } from '../questions/calls.ts'

const call = callsOf('approvals')

/** Who somebody is to a written rule: visitors are those in groups of visitors. */
export const WRITTEN_RULE_KINDS = ['staff', 'customer', 'visitor'] as const
export type WrittenRuleKind = (typeof WRITTEN_RULE_KINDS)[number]
/** What becomes of a change that goes against it: refused, or done once a second person agrees. */
export const WRITTEN_RULE_REACTIONS = ['refuse', 'ask'] as const

export const writtenRuleFields = z.object({
  name: z.string().trim().min(1).max(32),
  /** It is about everybody but those named here, contacts who come in somebody's place among them: nobody can name these. */
  everybodyExcept: z.boolean().default(false),
  kinds: z.array(z.enum(WRITTEN_RULE_KINDS)).max(WRITTEN_RULE_KINDS.length).default([]),
  /** With all below them. */
  personGroupIds: z.array(id).max(1000).default([]),
  personIds: z.array(id).max(1000).default([]),
  deviceIds: z.array(id).max(5000).default([]),
  /** With all below them, also those that come later. */
  deviceGroupIds: z.array(id).max(1000).default([]),
  /** Hours of the week in which those persons may not pass there; none: at no time. */
  periods: z.array(period).max(200).default([]),
  reaction: z.enum(WRITTEN_RULE_REACTIONS).default('refuse'),
  enabled: z.boolean().default(true),
  /** Shown to whoever hits it: why it is so, whom to ask. */
  sentence: z.string().trim().max(200).default(''),
})

const named = z.object({ id, name: z.string() })
export const writtenRule = writtenRuleFields.extend({
  id,
  persons: z.array(z.object({ id, name: masked('name', z.string()), workNumber: z.string() })),
  personGroups: z.array(named),
  devices: z.array(named),
  deviceGroups: z.array(named),
  version: z.number().int(),
  updatedAt: instant,
})
export type WrittenRule = z.output<typeof writtenRule>

/** A written rule as it is listed. */
export const listedWrittenRule = writtenRule.extend({
  /** A change that loosens it, or its deletion, that waits for a second person. */
  waiting: z.object({ id, requestedBy: masked('name', z.string()), expiresAt: instant }).nullable(),
})
export type ListedWrittenRule = z.output<typeof listedWrittenRule>

/** When somebody could pass: hours of every week, and dates on which the whole day is open. */
const hours = { periods: z.array(period), dates: z.array(date) }

/** What a change would newly let happen against one rule. */
export const breach = z.object({
  rule: z.object({ id, name: z.string(), sentence: z.string() }),
  reaction: z.enum(WRITTEN_RULE_REACTIONS),
  personCount: z.number().int(),
  deviceCount: z.number().int(),
  /** The first of them by name. */
  deviceNames: z.array(z.string()),
  ...hours,
})
export type Breach = z.output<typeof breach>

/** Somebody who stands, or would stand, against a rule. */
export const breaker = z.object({
  id,
  name: masked('name', z.string()),
  workNumber: z.string(),
  /** Of the linked park that has him; null for the park's own. */
  parkName: z.string().nullable(),
  /** Not the person could pass, but contacts in the person's place. */
  contactsOnly: z.boolean(),
  deviceCount: z.number().int(),
  /** The first of them by name. */
  deviceNames: z.array(z.string()),
  ...hours,
})
export type Breaker = z.output<typeof breaker>

/** A change as a form would save it; exactly one of these. */
export const changeDraft = z.object({
  strategy: strategyDraft.optional(),
  timeRule: ruleDraft.optional(),
  accessGroup: accessGroupChangeFields.extend({ ...draftVersion, id, name: z.string().max(32).optional() }).optional(),
  associatedRule: associatedRuleChangeFields.extend({ ...draftVersion, name: z.string().max(32).optional(), id: id.optional() }).optional(),
})
export type ChangeDraft = z.output<typeof changeDraft>

export const PENDING_KINDS = [
  'strategy.create',
  'strategy.change',
  'timeRule.change',
  'accessGroup.change',
  'associatedRule.create',
  'associatedRule.change',
  'writtenRule.change',
  'writtenRule.delete',
] as const
export type PendingKind = (typeof PENDING_KINDS)[number]
/**
 * `outdated`: what was to be changed is another by now, or it would let more happen than `breaches` says; `expired`:
 * nobody decided in time.
 */
export const PENDING_STATES = ['waiting', 'confirmed', 'rejected', 'outdated', 'expired'] as const
export type PendingState = (typeof PENDING_STATES)[number]
/** Days a change waits for a second person. */
export const PENDING_DAYS = 7

export const pendingChange = z.object({
  id,
  kind: z.enum(PENDING_KINDS),
  /** What the changed thing is called. */
  label: z.string(),
  state: z.enum(PENDING_STATES),
  requestedBy: masked('name', z.string()),
  requestedAt: instant,
  expiresAt: instant,
  /** The caller asked for it himself, and cannot be the second person. */
  own: z.boolean(),
  /** As it was when it was asked for; of a change that loosens a written rule, that rule, with nobody and no door. */
  breaches: z.array(breach),
  decidedBy: masked('name', z.string()),
  decidedAt: instant.nullable(),
  remark: z.string(),
  can: abilities('decide'),
})
export type PendingChange = z.output<typeof pendingChange>

/** A rule as it is, and as a change that waits would make it; null: it would be deleted. */
export const writtenRuleEdit = z.object({ stored: writtenRule, wanted: writtenRule.nullable() })
export type WrittenRuleEdit = z.output<typeof writtenRuleEdit>

const base = { service: 'biz', permission: 'access.rule', origin: 'own' } as const
const draftErrors = [300001, 300101, 300203, 300204, 300206, 900007] as const

const read = call({
  ...base,
  method: 'GET',
  path: '/access/writtenRule/{id}',
  summary: 'One written rule.',
  params: idParams,
  data: writtenRule,
})

export const writtenRuleCalls = {
  list: call({
    ...base,
    method: 'GET',
    path: '/access/writtenRule/list',
    summary: 'Written rules of the current park, by name.',
    query: pageQuery.extend({ name: z.string().max(64).optional() }),
    data: pageData(listedWrittenRule),
  }),
  read,
  create: call({
    ...base,
    method: 'POST',
    path: '/access/writtenRule',
    summary: 'Adds a written rule; it changes nobody’s permission, and is looked at whenever something changes from then on.',
    body: writtenRuleFields,
    data: created,
    errors: [900004, 900007],
  }),
  change: call({
    ...base,
    method: 'PUT',
    path: '/access/writtenRule',
    summary:
      'Changes a written rule; what is left out stays as it was. What loosens one that asks for a second person waits for one: ' +
      'HTTP 409 with data.pendingChangeId.',
    record: read,
    body: changeOf(writtenRuleFields).extend({ id, version: z.number().int().optional() }),
    data: created,
    errors: [900004, 900007],
  }),
  delete: call({
    ...base,
    method: 'DELETE',
    path: '/access/writtenRule/{id}',
    summary: 'Deletes a written rule; one that asks for a second person waits for one: HTTP 409 with data.pendingChangeId.',
    params: idParams,
    data: created,
    statuses: [409],
  }),
  standing: call({
    ...base,
    method: 'POST',
    path: '/access/writtenRule/standing',
    effect: 'read',
    summary: 'Who stands against a written rule as it is, or would be saved, by name: whoever can pass where it says that he must not.',
    body: writtenRuleFields.extend({ name: z.string().max(32).optional(), ...pageQuery.shape }),
    data: pageData(breaker),
    errors: [900007],
  }),
  breaches: call({
    ...base,
    method: 'POST',
    path: '/access/writtenRule/breaches',
    effect: 'read',
    summary: 'Which written rules a change would newly go against if it were saved like this.',
    body: changeDraft,
    data: z.array(breach),
    errors: draftErrors,
  }),
  breachers: call({
    ...base,
    method: 'POST',
    path: '/access/writtenRule/breaches/persons',
    effect: 'read',
    summary: 'Those who would newly stand against one written rule if a change were saved like this, by name.',
    body: changeDraft.extend({ writtenRuleId: id, ...pageQuery.shape }),
    data: pageData(breaker),
    errors: draftErrors,
  }),
}

export const pendingChangeCalls = {
  list: call({
    ...base,
    method: 'GET',
    path: '/access/pendingChange/list',
    summary: 'Changes that wait, or waited, for a second person; newest first.',
    query: pageQuery.extend({ state: z.enum(PENDING_STATES).optional() }),
    data: pageData(pendingChange),
  }),
  read: call({
    ...base,
    method: 'GET',
    path: '/access/pendingChange/{id}',
    summary: 'One of them with what it would save, or make of a written rule; both null once it is decided.',
    params: idParams,
    data: pendingChange.extend({ draft: changeDraft.nullable(), ruleEdit: writtenRuleEdit.nullable() }),
  }),
  decide: call({
    ...base,
    method: 'POST',
    path: '/access/pendingChange/decide',
    summary:
      'Agrees to a waiting change, which is then made, or rejects it. Never by the account that asked for it; outdated where it ' +
      'would let more happen by now than was shown.',
    body: z.object({ id, agree: z.boolean(), remark: z.string().trim().max(200).default('') }),
    data: z.object({ id, state: z.enum(PENDING_STATES) }),
    errors: [900004, ...draftErrors, 900000],
    statuses: [409],
  }),
}
