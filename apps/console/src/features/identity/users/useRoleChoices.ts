/** Roles to filter accounts by: all of one's part of the tree for who may see them, else those one may give. */
import { PAGE_SIZE_MAX } from '@gatehouse/contract'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { useRead } from '../../../api/query.ts'
import { useMay } from '../../../api/session.ts'
import { useRoleWords } from '../roles/useRoleWords.ts'

export function useRoleChoices(): { value: string; label: string }[] {
  const mayList = useMay('system.role')
  const wordsOf = useRoleWords()
  const all = useRead(roleCalls.list, { query: { size: PAGE_SIZE_MAX } }, { enabled: mayList })
  const given = useRead(roleCalls.subRoles, { query: {} }, { enabled: !mayList })
  const roles = mayList ? all.data?.content : given.data
  return (roles ?? []).map((role) => ({ value: role.id, label: wordsOf(role).name }))
}
