import { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import { effectCalls } from '@gatehouse/contract/questions/effects'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { Ground, CallCase } from './case.ts'

let samples = 0
const accessGroup = ({ site }: Ground) => site.call(accessGroupCalls.create, { body: { name: `Drafted_${++samples}` } })
const personMove = async ({ site }: Ground) => ({ ids: [(await site.person()).id], groupId: (await site.personGroup()).id })
const deviceMove = async ({ site }: Ground) => ({
  ids: [(await site.device()).id],
  groupId: (await site.deviceGroup(`Drafted_${++samples}`)).id,
})
const personGroup = async ({ site }: Ground) => ({
  id: (await site.call(peopleCalls.createGroup, { body: { name: `Drafted_${++samples}` } })).id,
  parentId: (await site.call(peopleCalls.createGroup, { body: { name: `Drafted_${++samples}` } })).id,
})
const deviceGroup = async ({ site }: Ground) => ({
  id: (await site.call(deviceCalls.createGroup, { body: { name: `Drafted_${++samples}` } })).id,
  parentId: (await site.call(deviceCalls.createGroup, { body: { name: `Drafted_${++samples}` } })).id,
})

export const cases: readonly CallCase[] = [
  { call: effectCalls.accessGroup, given: accessGroup },
  { call: effectCalls.accessGroupPersons, given: accessGroup },
  { call: effectCalls.personMove, given: personMove },
  { call: effectCalls.personMovePersons, given: personMove },
  { call: effectCalls.personGroup, given: personGroup },
  { call: effectCalls.personGroupPersons, given: personGroup },
  { call: effectCalls.deviceMove, given: deviceMove },
  { call: effectCalls.deviceMovePersons, given: deviceMove },
  { call: effectCalls.deviceGroup, given: deviceGroup },
  { call: effectCalls.deviceGroupPersons, given: deviceGroup },
]
