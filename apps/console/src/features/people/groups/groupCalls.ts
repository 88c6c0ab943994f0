/** Groups of whom to look out for have calls of their own, which say the same. */
import { personGroupType } from '@gatehouse/contract/enums/people'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'

/** 1 of staff and customers, 2 of persons to look out for, 3 of visitors. */
export type GroupType = 1 | 2 | 3

type Calls = Pick<typeof peopleCalls, 'createGroup' | 'changeGroup' | 'topGroup'>

export function callsFor(type: GroupType): { create: Calls['createGroup']; change: Calls['changeGroup']; top: Calls['topGroup'] } {
  const { createGroup, changeGroup, topGroup } = type === personGroupType.blacklist ? (specialCalls as unknown as Calls) : peopleCalls
  return { create: createGroup, change: changeGroup, top: topGroup }
}

/** What a group that is added says of its kind: the calls of those to look out for know no other. */
export const kindOf = (type: GroupType): { type?: GroupType } => (type === personGroupType.blacklist ? {} : { type })
