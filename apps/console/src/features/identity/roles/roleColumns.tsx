/** Columns of the role list. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { roleLabel, roleSign } from '@gatehouse/contract/enums/identity'
import type { Role } from '@gatehouse/contract/identity/roles'
import { columnsOf, type TableColumn } from '../../../kit/columns.tsx'
import { EnumTag } from '../../../kit/EnumTag.tsx'
import { RelativeTime } from '../../../kit/RelativeTime.tsx'
import { useMay } from '../../../kit/session.ts'
import { path } from '../../../paths.ts'
import styles from '../identity.module.css'
import { PermissionChips } from '../permissions/PermissionChips.tsx'
import { usersWith } from './addresses.ts'

export function useRoleColumns(): TableColumn<Role>[] {
  const { t } = useTranslation('identity')
  const mayUsers = useMay('system.user')
  return columnsOf<Role>([
    {
      field: 'name',
      title: t('role.name'),
      width: 168,
      visibility: 'always',
      render: ({ id, name, remark }) => (
        <span className={styles.two}>
          <Link to={path('roleDetail', { id })} title={name} tabIndex={-1}>
            {name}
          </Link>
          {remark && <small title={remark}>{remark}</small>}
        </span>
      ),
    },
    { field: 'roleSign', title: t('role.sign'), width: 100, render: (role) => <EnumTag of={roleSign} value={role.roleSign} /> },
    { field: 'roleLabel', title: t('role.label'), width: 76, render: (role) => <EnumTag of={roleLabel} value={role.roleLabel} /> },
    { field: 'organisationName', title: t('role.where'), width: 116 },
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
      render: ({ permissions }) => <PermissionChips permissions={permissions} />,
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
