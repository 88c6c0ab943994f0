/**
 * Associated rules: access rules of this park for people of a linked park, who are admitted here because both parks agreed (module M07).
 * They end with the link.
 */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { masked, searches } from '../masking.ts'
import { changeOf, created, findQuery, id, idParams, idQuery, instant, pageData, pageQuery } from '../schema.ts'
import { changesByItself } from '../wire-names.ts'
import { methodList, strategyFields } from './calls.ts'
import { synchronisationCalls } from '../synchronisation/calls.ts'

const call = callsOf('strategies')

const kind = z.enum(['staff', 'visitor'])

export const associatedRuleFields = strategyFields
  .omit({ accessGroupIds: true, authorizedObject: true, accessType: true, effective: true, isDefault: true })
  .extend({
    methods: methodList,
    /** The linked park whose people are admitted. */
    parkId: id,
    /**
     * All people of the link, including those added later. Only if set: otherwise the rule applies to the persons and groups named here,
     * and at least one of them is required. A rule for visitors always applies to all and names none.
     */
    everybody: z.boolean().default(false),
  })

/**
 * Fields of a change. The people of a rule are never guessed: naming persons or groups switches `everybody` off, and with another park or
 * another kind the people must be named again.
 */
export const associatedRuleChangeFields = changeOf(associatedRuleFields)

const named = z.object({ id, name: z.string() })

export const associatedRule = z.object({
  id,
  name: z.string(),
  kind: z.string(),
  parkId: id,
  /** Empty if the park does not exist any more. */
  parkName: changesByItself(z.string()),
  /** Whether the link is still agreed: without it no one is admitted. */
  linked: changesByItself(z.boolean()),
  everybody: z.boolean(),
  /** False for a rule for all people that was created before this had to be set explicitly, until a user confirms it. */
  everybodyConfirmed: z.boolean(),
  /** People of the linked park, as far as they are still shared. */
  persons: z.array(z.object({ id, name: masked('name', z.string()), workNumber: z.string() })),
  personGroups: z.array(named),
  devices: z.array(named),
  deviceGroups: z.array(named),
  timeRules: z.array(named),
  personIds: z.array(id),
  personGroupIds: z.array(id),
  deviceIds: z.array(id),
  deviceGroupIds: z.array(id),
  timeRuleIds: z.array(id),
  methods: z.array(z.number().int()),
  validFrom: instant.nullable(),
  validTo: instant.nullable(),
  /** Number of persons and of devices it applies to now, groups resolved. */
  personCount: changesByItself(z.number().int()),
  deviceCount: changesByItself(z.number().int()),
  version: z.number().int(),
  updatedAt: instant,
})
export type AssociatedRule = z.output<typeof associatedRule>
/** Row of a list: counts instead of members. */
export const associatedRuleRow = associatedRule.omit({ persons: true, personIds: true, personGroups: true, personGroupIds: true })

/** A linked park that shares people with this one. */
export const relatedPark = z.object({
  id,
  parkName: z.string(),
  /** Number of people it shares now. */
  personCount: z.number().int(),
  /** Groups of these people, by name. */
  personGroups: z.array(z.object({ id, name: z.string(), personCount: z.number().int() })),
})
export type RelatedPark = z.output<typeof relatedPark>

const base = { service: 'biz', permission: 'park.access.rule' } as const
const refusals = [300001, 300206, 900004, 900007] as const

const read = call({
  ...base,
  method: 'GET',
  path: '/access/park/findAccessParkById',
  summary: 'One associated rule.',
  query: idQuery,
  data: associatedRule,
  errors: [300101],
})

export const associatedRuleCalls = {
  list: call({
    ...base,
    method: 'POST',
    path: '/access/park/findAccessParkList',
    effect: 'read',
    summary: 'Associated rules of the current park, the newest first.',
    body: findQuery.extend({
      name: z.string().max(64).optional(),
      kind: kind.optional(),
      parkId: id.optional(),
      everybodyConfirmed: z.boolean().optional(),
    }),
    data: pageData(associatedRuleRow),
  }),
  relatedParks: call({
    ...base,
    method: 'GET',
    path: '/access/park/findRelateParkList',
    summary: 'Linked parks that share people with this one.',
    data: z.array(relatedPark),
  }),
  persons: call({
    ...base,
    origin: 'own',
    method: 'GET',
    path: '/access/park/findRelatePersonList',
    summary: 'People a linked park shares with this one, to choose from.',
    query: pageQuery.extend({ parkId: id, name: searches('name', z.string().max(64)).optional() }),
    data: pageData(z.object({ id, name: masked('name', z.string()), workNumber: z.string() })),
  }),
  read,
  create: call({
    ...base,
    method: 'POST',
    path: '/access/park/addAccessParkData',
    summary: 'Adds an associated rule: people of a linked park × devices and their groups × time rules × methods.',
    body: associatedRuleFields,
    data: created,
    errors: [...refusals, 900000],
    statuses: [409],
  }),
  change: call({
    ...base,
    method: 'POST',
    path: '/access/park/updateAccessParkData',
    summary: 'Changes an associated rule; what is left out stays as it was. With another park or kind, whom it is about is said anew.',
    record: read,
    body: associatedRuleChangeFields.extend({ id, version: z.number().int().optional() }),
    data: created,
    errors: [300101, ...refusals, 900000],
  }),
  confirmEverybody: call({
    ...base,
    origin: 'own',
    method: 'POST',
    path: '/access/park/{id}/confirmEverybody',
    summary: 'Says of a rule about everybody that everybody is meant. Until then it works as it is stored.',
    params: idParams,
    data: created,
    errors: [300101],
  }),
  delete: call({
    ...base,
    method: 'GET',
    path: '/access/park/deleteAccessParkDataById',
    effect: 'write',
    summary: 'Deletes an associated rule.',
    query: idQuery,
    data: created,
    errors: [300101],
  }),
}

const { persons, devicesOfPerson, devices, personsOfDevice } = synchronisationCalls
/** Filter by an associated rule. */
const ofRule = { strategyId: id }

/**
 * Synchronisation of people of linked parks with devices. Requests and answers are those for access rules: `strategyId` is the id of the
 * associated rule.
 */
export const associatedSyncCalls = {
  persons: call({
    ...base,
    method: 'GET',
    path: '/person/relate/sync/status/person/list',
    summary: 'People of a linked park whom a rule lets pass, each with how many of its devices they have reached.',
    query: persons.query.omit({ deviceId: true }).extend(ofRule),
    data: persons.data,
    errors: [300101],
  }),
  personsOfDevice: call({
    ...base,
    method: 'GET',
    path: '/person/relate/sync/status/device/person',
    summary: 'People of the rule’s linked park at one device, each with how far it is and why not.',
    query: personsOfDevice.query.extend(ofRule),
    data: personsOfDevice.data,
    errors: [300101],
  }),
  devicesOfPerson: call({
    ...base,
    origin: 'own',
    method: 'GET',
    path: '/person/relate/sync/status/person/device',
    summary: 'Devices of a rule for one person of a linked park.',
    query: devicesOfPerson.query.extend(ofRule),
    data: devicesOfPerson.data,
    errors: [300101],
  }),
  devices: call({
    ...base,
    origin: 'own',
    method: 'GET',
    path: '/person/relate/sync/status/device/list',
    summary: 'Devices of a rule, each with how many of all its persons it has taken.',
    query: devices.query.extend(ofRule),
    data: devices.data,
    errors: [300101],
  }),
  counts: call({
    ...base,
    origin: 'own',
    method: 'GET',
    path: '/person/relate/sync/status/device/stat',
    summary: 'Counts per device of a rule, and their sum.',
    query: z.object(ofRule),
    data: synchronisationCalls.counts.data,
    errors: [300101],
  }),
  retry: call({
    ...base,
    origin: 'own',
    method: 'POST',
    path: '/person/relate/sync/status/retry',
    summary: 'Sends again what failed or was not answered at devices of a rule; at most 5,000 persons a call.',
    body: synchronisationCalls.retry.body.extend(ofRule),
    data: synchronisationCalls.retry.data,
    errors: [300101],
  }),
}
