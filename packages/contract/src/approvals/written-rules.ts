/**
 * Compliance rules (`writtenRule`), which must hold whatever access rules say, and changes that need approval by another user because of
 * one.
 */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { masked } from '../masking.ts'
import { abilities, created, date, id, idParams, instant, changeOf, pageData, pageQuery } from '../schema.ts'
import { associatedRuleChangeFields } from '../strategies/associated-rules.ts'
import { period } from '../strategies/calls.ts'
import { accessGroupChangeFields } from '../strategies/access-groups.ts'
import { draftVersion, ruleDraft, strategyDraft } from '../questions/calls.ts'

const call = callsOf('approvals')

/** Kinds of persons for a compliance rule: visitors are the persons in groups of visitors. */
export const WRITTEN_RULE_KINDS = ['staff', 'customer', 'visitor'] as const
export type WrittenRuleKind = (typeof WRITTEN_RULE_KINDS)[number]
/** What happens to a change that violates the rule: it is refused, or made once another user approves it. */
export const WRITTEN_RULE_REACTIONS = ['refuse', 'ask'] as const

export const writtenRuleFields = z.object({
  name: z.string().trim().min(1).max(32),
  /**
   * The rule applies to all people except those named here. It then also applies to contacts who come in a person's place: they cannot be
   * named.
   */
  everybodyExcept: z.boolean().default(false),
  kinds: z.array(z.enum(WRITTEN_RULE_KINDS)).max(WRITTEN_RULE_KINDS.length).default([]),
  /** With all groups below them. */
  personGroupIds: z.array(id).max(1000).default([]),
  personIds: z.array(id).max(1000).default([]),
  deviceIds: z.array(id).max(5000).default([]),
  /** With all groups below them, including those created later. */
  deviceGroupIds: z.array(id).max(1000).default([]),
  /** Hours of the week in which these persons must not pass these doors; empty: at no time. */
  periods: z.array(period).max(200).default([]),
  reaction: z.enum(WRITTEN_RULE_REACTIONS).default('refuse'),
  enabled: z.boolean().default(true),
  /** Shown to a user whose change violates the rule: the reason, and the person to contact. */
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

/** Row of the list of compliance rules. */
export const listedWrittenRule = writtenRule.extend({
  /** Pending change that loosens the rule, or its pending deletion. */
  waiting: z.object({ id, requestedBy: masked('name', z.string()), expiresAt: instant }).nullable(),
})
export type ListedWrittenRule = z.output<typeof listedWrittenRule>

/** Times at which a person could pass: hours of every week, and dates with the whole day. */
const hours = { periods: z.array(period), dates: z.array(date) }

/** What a change would newly permit although one rule forbids it. */
export const breach = z.object({
  rule: z.object({ id, name: z.string(), sentence: z.string() }),
  reaction: z.enum(WRITTEN_RULE_REACTIONS),
  personCount: z.number().int(),
  deviceCount: z.number().int(),
  /** Names of the first doors, in alphabetical order. */
  deviceNames: z.array(z.string()),
  ...hours,
})
export type Breach = z.output<typeof breach>

/** Person who can pass, or could pass after a change, although a rule forbids it. */
export const breaker = z.object({
  id,
  name: masked('name', z.string()),
  workNumber: z.string(),
  /** Name of the person's linked park; null for people of this park. */
  parkName: z.string().nullable(),
  /** Contacts could pass in the person's place, but not the person. */
  contactsOnly: z.boolean(),
  deviceCount: z.number().int(),
  /** Names of the first doors, in alphabetical order. */
  deviceNames: z.array(z.string()),
  ...hours,
})
export type Breaker = z.output<typeof breaker>

/** A change as a form would save it: exactly one of these. */
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
 * `outdated`: the record was changed meanwhile, or the change would now permit more than `breaches` shows; `expired`: no decision was made
 * in time.
 */
export const PENDING_STATES = ['waiting', 'confirmed', 'rejected', 'outdated', 'expired'] as const
export type PendingState = (typeof PENDING_STATES)[number]
/** Days for which a change can be approved. */
export const PENDING_DAYS = 7

export const pendingChange = z.object({
  id,
  kind: z.enum(PENDING_KINDS),
  /** Name of the changed record. */
  label: z.string(),
  state: z.enum(PENDING_STATES),
  requestedBy: masked('name', z.string()),
  requestedAt: instant,
  expiresAt: instant,
  /** Whether the caller requested the change; such a caller cannot approve it. */
  own: z.boolean(),
  /** Violations at the time of the request. For a change that loosens a compliance rule: that rule, with no persons and no doors. */
  breaches: z.array(breach),
  decidedBy: masked('name', z.string()),
  decidedAt: instant.nullable(),
  remark: z.string(),
  can: abilities('decide'),
})
export type PendingChange = z.output<typeof pendingChange>

/** A compliance rule as it is stored, and as the pending change would make it; null: it would be deleted. */
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
