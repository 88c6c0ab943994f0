/** The groups of one type, and the actions that need no dialog: move to the top, delete. */
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { personGroupType } from '@gatehouse/contract/enums/people'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { specialCalls } from '@gatehouse/contract/people/special'
import { modal, toast } from '../../../kit/feedback.tsx'
import { useRead } from '../../../api/query.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'

/** Read a tree with the call of its register. @param counted kind of persons to count; absent: everybody */
export function useGroupTree(type: GroupType, counted?: PersonKind): UseQueryResult<PersonGroupNode[]> {
  const isSpecial = type === personGroupType.blacklist
  const special = useRead(specialCalls.groupTree, {}, { enabled: isSpecial })
  const others = useRead(peopleCalls.groupTree, { query: { type, kind: counted } }, { enabled: !isSpecial })
  return isSpecial ? special : others
}

/** @param removed called with the id of a deleted group */
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
    // The server refuses it too; this message says what to do about it.
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

/** 1: groups of staff and customers; 2: of the watch list; 3: of visitors. */
export type GroupType = 1 | 2 | 3

type Calls = typeof peopleCalls | typeof specialCalls

/** Return the calls for groups of a type. Groups of the watch list have calls of their own with the same bodies. */
export function callsFor(type: GroupType): { create: Calls['createGroup']; change: Calls['changeGroup']; top: Calls['topGroup'] } {
  const { createGroup, changeGroup, topGroup } = type === personGroupType.blacklist ? specialCalls : peopleCalls
  return { create: createGroup, change: changeGroup, top: topGroup }
}

/** Return the type to send with a new group; the calls of the watch list have no such field. */
export const kindOf = (type: GroupType): { type?: GroupType } => (type === personGroupType.blacklist ? {} : { type })
