/** The permissions one may grant, by module: those one has oneself. */
import type { OutputOf } from '@gatehouse/contract'
import { permissionModules } from '@gatehouse/contract'
import { roleCalls, type permissionGroup } from '@gatehouse/contract/identity/roles'
import { useRead } from '../../../kit/query.ts'
import { useMay, useSession } from '../../../kit/session.ts'

export type Group = OutputOf<typeof permissionGroup>

/** @returns undefined while they are on their way */
export function useGrantable(): Group[] | undefined {
  // Who keeps API users need not keep roles: then the session says what it holds.
  const mayAsk = useMay('system.role')
  const asked = useRead(roleCalls.groups, {}, { enabled: mayAsk })
  const held = useSession(({ profile }) => profile?.capabilities.permissions)
  if (mayAsk && !asked.isError) return asked.data
  return Object.entries(permissionModules)
    .map(([module, codes]) => ({
      module: module as Group['module'],
      permissions: codes.filter((code) => held?.includes(code)) as string[],
    }))
    .filter(({ permissions }) => permissions.length > 0)
}
