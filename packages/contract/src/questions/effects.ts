/** Effects of changes of groups and of their members before they are made: who would gain and lose which doors. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { deviceCalls } from '../devices/calls.ts'
import { peopleCalls } from '../people/calls.ts'
import { id, pageData } from '../schema.ts'
import { accessGroupChangeFields } from '../strategies/access-groups.ts'
import { affectedPerson, affectedQuery, effect } from './calls.ts'
import { breach } from '../approvals/written-rules.ts'

const call = callsOf('questions')

export const changeEffect = effect.extend({
  /** Compliance rules that the change would newly violate. */
  breaches: z.array(breach),
})
export type ChangeEffect = z.output<typeof changeEffect>

/** As it is saved, or deleted: fields that are left out are unchanged, and the name is optional here. */
export const accessGroupDraft = accessGroupChangeFields.extend({
  name: z.string().max(32).optional(),
  id,
  deleted: z.boolean().default(false),
})
/** New place of a group; `parentId` absent: it is not moved. */
export const personGroupDraft = z.object({ id, parentId: id.nullish() })
export const deviceGroupDraft = personGroupDraft.extend({ deleted: z.boolean().default(false) })
export const personMoveDraft = peopleCalls.move.body
export const deviceMoveDraft = deviceCalls.move.body

const base = { method: 'POST', service: 'biz', effect: 'read', origin: 'own' } as const
const ofRules = { ...base, permission: 'access.rule' } as const
const ofPersons = { ...base, permission: 'person.list', besides: ['own:person.edit'] } as const
const ofDevices = { ...base, permission: 'device.list', besides: ['own:device.edit'] } as const
/** A user who manages devices sees the number of people, but not their names. */
const namingAtDevices = { ...base, permission: 'device.list', besides: ['own:device.edit', 'person.list'] } as const

export const effectCalls = {
  accessGroup: call({
    ...ofRules,
    path: '/access/group/effect',
    summary: 'Who would gain and lose which doors if an access group were saved like this, or deleted.',
    body: accessGroupDraft,
    data: changeEffect,
    errors: [300101, 300102],
  }),
  accessGroupPersons: call({
    ...ofRules,
    path: '/access/group/effect/persons',
    summary: 'Those who would gain or lose doors if an access group were saved like this, by name; at all doors or at one.',
    body: accessGroupDraft.extend(affectedQuery),
    data: pageData(affectedPerson),
    errors: [300101, 300102],
  }),
  personMove: call({
    ...ofPersons,
    path: '/access/person/move/effect',
    summary: 'Which doors persons would gain and lose if they were moved to another group.',
    body: personMoveDraft,
    data: changeEffect,
    errors: [200224],
  }),
  personMovePersons: call({
    ...ofPersons,
    path: '/access/person/move/effect/persons',
    summary: 'Those of the persons who would gain or lose doors if they were moved to another group, by name; at all doors or at one.',
    body: personMoveDraft.extend(affectedQuery),
    data: pageData(affectedPerson),
    errors: [200224],
  }),
  personGroup: call({
    ...ofPersons,
    path: '/access/personGroup/effect',
    summary: 'Who would gain and lose which doors if a person group were put below another, or at the top.',
    body: personGroupDraft,
    data: changeEffect,
  }),
  personGroupPersons: call({
    ...ofPersons,
    path: '/access/personGroup/effect/persons',
    summary: 'Those who would gain or lose doors if a person group were put below another, by name; at all doors or at one.',
    body: personGroupDraft.extend(affectedQuery),
    data: pageData(affectedPerson),
  }),
  deviceMove: call({
    ...ofDevices,
    path: '/access/device/move/effect',
    summary: 'Who would gain and lose which doors if devices were moved to a group, or out of any.',
    body: deviceMoveDraft,
    data: changeEffect,
  }),
  deviceMovePersons: call({
    ...namingAtDevices,
    path: '/access/device/move/effect/persons',
    summary: 'Those who would gain or lose doors if devices were moved to a group, by name; at all doors or at one.',
    body: deviceMoveDraft.extend(affectedQuery),
    data: pageData(affectedPerson),
  }),
  deviceGroup: call({
    ...ofDevices,
    path: '/access/deviceGroup/effect',
    summary: 'Who would gain and lose which doors if a device group were put below another, or at the top, or deleted.',
    body: deviceGroupDraft,
    data: changeEffect,
    errors: [200102, 900109],
  }),
  deviceGroupPersons: call({
    ...namingAtDevices,
    path: '/access/deviceGroup/effect/persons',
    summary: 'Those who would gain or lose doors if a device group were put below another, or deleted, by name; at all doors or at one.',
    body: deviceGroupDraft.extend(affectedQuery),
    data: pageData(affectedPerson),
    errors: [200102, 900109],
  }),
}
