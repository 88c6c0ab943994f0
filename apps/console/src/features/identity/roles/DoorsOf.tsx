/** The doors a role holds for, in words: all, or how many device groups, and which of them are of the park one is in. */
import { useTranslation } from 'react-i18next'
import { deviceCalls, type DeviceGroupNode } from '@gatehouse/contract/devices/calls'
import type { Role } from '@gatehouse/contract/identity/roles'
import { useRead } from '../../../api/query.ts'

const namesOf = (nodes: readonly DeviceGroupNode[], ids: readonly string[]): string[] =>
  nodes.flatMap(({ id, name, children }) => [...(ids.includes(id) ? [name] : []), ...namesOf(children, ids)])

export function DoorsOf({ role: { deviceGroupIds } }: { role: Pick<Role, 'deviceGroupIds'> }) {
  const { t } = useTranslation('identity')
  const limited = deviceGroupIds.length > 0
  const tree = useRead(deviceCalls.groupTree, {}, { enabled: limited })
  if (!limited) return t('role.doorsOf.all')
  const names = namesOf(tree.data ?? [], deviceGroupIds)
  return (
    <>
      {t('role.onlyGroups', { count: deviceGroupIds.length })}
      {names.length > 0 && `: ${names.join(t('common:listSeparator'))}`}
    </>
  )
}
