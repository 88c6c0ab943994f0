/** Columns of the role list. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { codesOfModules } from '@gatehouse/contract'
import { roleLabel, roleSign } from '@gatehouse/contract/enums/identity'
import type { Role } from '@gatehouse/contract/identity/roles'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { EnumTag, StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { useMay } from '../../../api/session.ts'
import { path } from '../../../paths.ts'
import styles from '../identity.module.css'
import { PermissionChips } from '../permissions/PermissionChips.tsx'
import { usersWith } from './addresses.ts'
import { useRoleWords } from './useRoleWords.ts'

export function useRoleColumns(): TableColumn<Role>[] {
  const { t } = useTranslation('identity')
  const mayUsers = useMay('system.user')
  const wordsOf = useRoleWords()
  return columnsOf<Role>([
    {
      field: 'name',
      title: t('role.name'),
      width: 168,
      visibility: 'always',
      render: (role) => {
        const { name, remark } = wordsOf(role)
        return (
          <span className={styles.two}>
            <span>
              <Link to={path('roleDetail', { id: role.id })} title={name} tabIndex={-1}>
                {name}
              </Link>{' '}
              {role.ready !== null && <StatusTag status="info">{t('role.ready')}</StatusTag>}
            </span>
            {remark && <small title={remark}>{remark}</small>}
          </span>
        )
      },
    },
    { field: 'roleSign', title: t('role.sign'), width: 100, render: (role) => <EnumTag of={roleSign} value={role.roleSign} /> },
    { field: 'roleLabel', title: t('role.label'), width: 76, render: (role) => <EnumTag of={roleLabel} value={role.roleLabel} /> },
    {
      field: 'organisationName',
      title: t('role.where'),
      width: 116,
      render: ({ organisationName, deviceGroupIds }) => (
        <span className={styles.two}>
          <span title={organisationName}>{organisationName}</span>
          {deviceGroupIds.length > 0 && <small>{t('role.onlyGroups', { count: deviceGroupIds.length })}</small>}
        </span>
      ),
    },
    {
      field: 'users',
      title: t('role.users'),
      width: 70,
      render: ({ id, users }) =>
        mayUsers && users > 0 ? (
          <Link to={usersWith(id)} tabIndex={-1}>
            {users}
          </Link>
        ) : (
          users
        ),
    },
    {
      field: 'permissions',
      title: t('permission.title'),
      width: 240,
      render: ({ permissions }) => <PermissionChips permissions={codesOfModules(permissions)} />,
    },
    {
      field: 'createdAt',
      title: t('createdAt'),
      width: 110,
      visibility: 'hidden',
      render: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ])
}
