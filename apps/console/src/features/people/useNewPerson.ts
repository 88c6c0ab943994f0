/** What the form of a new person starts from: in the group that is meant, the only one there is, or that of the last person. */
import { peopleCalls, type PersonGroupNode } from '@gatehouse/contract/people/calls'
import { loadedFrom, type Loaded } from '../../kit/form/loaded.ts'
import { useRead } from '../../api/query.ts'
import { storage } from '../../api/storage.ts'
import { personKinds, type RegisterKind } from './personKinds.ts'
import { newPerson, type PersonValues } from './personValues.ts'

/** @param groupId the group that is meant; undefined: none in particular */
export function useNewPerson(kind: RegisterKind, groupId?: string): Loaded<PersonValues> {
  const groups = useRead(peopleCalls.groupTree, { query: { type: personKinds[kind].groupType } })
  return loadedFrom(groups, (tree) => {
    const ids = idsOf(tree)
    const last = storage.get('lastGroup')?.[kind]
    return newPerson(groupId ?? (ids.length === 1 ? ids[0] : ids.find((id) => id === last)))
  })
}

const idsOf = (nodes: readonly PersonGroupNode[]): string[] => nodes.flatMap(({ id, children }) => [id, ...idsOf(children)])
