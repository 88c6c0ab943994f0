/** The groups of one type, and what is done with them at once: put on top, delete. */
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { personGroupType } from '@gatehouse/contract/enums/people'
import { peopleCalls, type PersonGroupNode, type PersonKind } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { modal, toast } from '../../../kit/feedback.tsx'
import { useRead } from '../../../api/query.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'

/** Each tree by the call of its register. @param counted whom the counts count; everybody unless told */
export function useGroupTree(type: GroupType, counted?: PersonKind): UseQueryResult<PersonGroupNode[]> {
  const isSpecial = type === personGroupType.blacklist
  const special = useRead(specialCalls.groupTree, {}, { enabled: isSpecial })
  const others = useRead(peopleCalls.groupTree, { query: { type, kind: counted } }, { enabled: !isSpecial })
  return isSpecial ? special : others
}

/** @param removed called with the id of a group that is gone */
export function useGroupActions(
  type: GroupType,
  removed: (id: string) => void,
): { top: (group: PersonGroupNode) => void; remove: (group: PersonGroupNode) => void } {
  const { t } = useTranslation('people')
  const top = useWrite(callsFor(type).top, { done: t('groups.topped') })
  const done = { done: t('groups.deleted'), onDone: ({ id }: { id: string }) => removed(id) }
  const removeSpecial = useWrite(specialCalls.deleteGroup, done)
  const removeOther = useWrite(peopleCalls.deleteGroup, done)

  function remove({ id, name, children, personCount }: PersonGroupNode): void {
    // The server refuses it too; here it is said what to do about it.
    if (children.length > 0) return toast('error', t('groups.hasGroups', { name }))
    if (personCount > 0) return toast('error', t('groups.hasPersons', { name, count: personCount }))
    modal.confirm({
      title: t('groups.deleteTitle', { name }),
      content: t('groups.deleteWords'),
      okText: t('groups.delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () =>
        type === personGroupType.blacklist ? removeSpecial.run({ params: { id } }) : removeOther.run({ query: { id }, body: undefined }),
    })
  }
  return { top: ({ id }) => top.run({ body: { id } }), remove }
}

/** 1 of staff and customers, 2 of persons to look out for, 3 of visitors. */
export type GroupType = 1 | 2 | 3

type Calls = Pick<typeof peopleCalls, 'createGroup' | 'changeGroup' | 'topGroup'>

/** Groups of whom to look out for have calls of their own, which say the same. */
export function callsFor(type: GroupType): { create: Calls['createGroup']; change: Calls['changeGroup']; top: Calls['topGroup'] } {
  const { createGroup, changeGroup, topGroup } = type === personGroupType.blacklist ? (specialCalls as unknown as Calls) : peopleCalls
  return { create: createGroup, change: changeGroup, top: topGroup }
}

/** What a group that is added says of its kind: the calls of those to look out for know no other. */
export const kindOf = (type: GroupType): { type?: GroupType } => (type === personGroupType.blacklist ? {} : { type })
