/** A role that is not one's own to change, or a ready one: what it is made of, why it cannot be changed, and the way to a copy. */
import { CopyOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { codesOfModules } from '@gatehouse/contract'
import { BUILT_CODES } from '@gatehouse/contract/built'
import { roleLabel, roleSign } from '@gatehouse/contract/enums/identity'
import type { Role } from '@gatehouse/contract/identity/roles'
import { Facts } from '../../../kit/detail/DetailPage.tsx'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import styles from '../identity.module.css'
import { groupsOf } from '../permissions/granting.ts'
import { PermissionTree } from '../permissions/PermissionTree.tsx'
import { copyOf } from './addresses.ts'
import { DoorsOf } from './DoorsOf.tsx'
import { HolderSees } from './HolderSees.tsx'
import { roleValuesOf } from './roleValues.ts'
import { useRoleWords } from './useRoleWords.ts'

export function RoleReading({ role }: { role: Role }) {
  const { t } = useTranslation('identity')
  const label = useEnumLabel()
  const navigate = useNavigate()
  const { name, remark } = useRoleWords()(role)
  const codes = codesOfModules(role.permissions)
  const groups = groupsOf(BUILT_CODES.filter((code) => codes.includes(code)))
  return (
    <Screen
      title={name}
      actions={
        <Button type="primary" icon={<CopyOutlined />} onClick={() => void navigate(copyOf(role.id))}>
          {t('role.copy')}
        </Button>
      }
    >
      <div className={styles.role}>
        <div className={styles.reading}>
          <Alert type="info" showIcon title={t(role.ready === null ? 'role.notYours' : 'role.readyWords')} />
          <Facts
            facts={[
              [t('role.where'), role.organisationName],
              [t('role.sign'), label(roleSign, role.roleSign)],
              [t('role.label'), label(roleLabel, role.roleLabel)],
              [t('role.doors'), <DoorsOf role={role} />],
              [t('role.users'), role.users],
              [t('remark'), remark],
            ]}
          />
          <PermissionTree groups={groups} value={codes} readOnly />
        </div>
        <HolderSees role={roleValuesOf(role)} />
      </div>
    </Screen>
  )
}
