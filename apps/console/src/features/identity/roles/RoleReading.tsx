/** A role that is not one's own to change: what it is made of, and why it cannot be changed. */
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { permissionModules } from '@gatehouse/contract'
import { roleLabel, roleSign } from '@gatehouse/contract/enums/identity'
import type { Role } from '@gatehouse/contract/identity/roles'
import { Facts } from '../../../kit/DetailPage.tsx'
import { useEnumLabel } from '../../../kit/EnumTag.tsx'
import { Screen } from '../../../kit/Screen.tsx'
import styles from '../identity.module.css'
import { PermissionTree } from '../permissions/PermissionTree.tsx'
import type { Group } from '../permissions/useGrantable.ts'
import { HolderSees } from './HolderSees.tsx'
import { roleValuesOf } from './roleValues.ts'

export function RoleReading({ role }: { role: Role }) {
  const { t } = useTranslation('identity')
  const label = useEnumLabel()
  const groups = Object.entries(permissionModules)
    .map(([module, codes]) => ({
      module: module as Group['module'],
      permissions: codes.filter((code) => role.permissions.includes(code)) as string[],
    }))
    .filter(({ permissions }) => permissions.length > 0)
  return (
    <Screen title={role.name}>
      <div className={styles.role}>
        <div className={styles.reading}>
          <Alert type="info" showIcon title={t('role.notYours')} />
          <Facts
            facts={[
              [t('role.where'), role.organisationName],
              [t('role.sign'), label(roleSign, role.roleSign)],
              [t('role.label'), label(roleLabel, role.roleLabel)],
              [t('role.users'), role.users],
              [t('remark'), role.remark],
            ]}
          />
          <PermissionTree groups={groups} value={role.permissions} readOnly />
        </div>
        <HolderSees role={roleValuesOf(role)} />
      </div>
    </Screen>
  )
}
