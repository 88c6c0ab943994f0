/** The permissions one may grant, by module: those one has oneself, of what the product and the park one is in have. */
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { useRead } from '../../../api/query.ts'
import { useMay, useSession } from '../../../api/session.ts'
import { groupsOf, offeredOf, type CodeGroup } from './granting.ts'

export type Group = CodeGroup

/** @returns undefined while they are on their way */
export function useGrantable(): Group[] | undefined {
  // Who keeps API users need not keep roles: then the session says what it holds.
  const mayAsk = useMay('system.role')
  const asked = useRead(roleCalls.groups, {}, { enabled: mayAsk })
  const { permissions = [], modules = [] } = useSession(({ profile }) => profile?.capabilities) ?? {}
  if (mayAsk && !asked.isError) return asked.data && offeredOf(asked.data, modules)
  return offeredOf(groupsOf(permissions), modules)
}
