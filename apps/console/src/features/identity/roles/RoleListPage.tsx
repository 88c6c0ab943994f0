/** /roleManage: roles, which determine what users may do. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { roleLabel, roleSign } from '@gatehouse/contract/enums/identity'
import { roleCalls, type Role } from '@gatehouse/contract/identity/roles'
import { userCalls } from '@gatehouse/contract/identity/users'
import { codesOfModules } from '@gatehouse/contract'
import { EnumTag, StatusTag, useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { RowMenu } from '../../../kit/list/RowMenu.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { path } from '../../../paths.ts'
import { afterConfirmation } from '../../../api/confirmation.ts'
import { modal } from '../../../kit/feedback.tsx'
import { request } from '../../../api/request.ts'
import { may, useMay } from '../../../api/session.ts'
import { useUndo } from '../../../kit/list/useUndo.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { PermissionChips } from '../permissions/PermissionChips.tsx'
import { copyOf, useRoleWords, usersWith } from './roleWords.ts'
import styles from '../identity.module.css'

export default function RoleListPage() {
  const { t } = useTranslation('identity')
  const navigate = useNavigate()
  const list = useList(roleCalls.list, { name: 'roles' })
  const columns = useRoleColumns()
  const optionsOf = useEnumOptions()
  const remove = useDeleteRole()
  const wordsOf = useRoleWords()
  const open = (id: string): void => void navigate(path('roleDetail', { id }))
  const add = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate(path('newRole'))}>
      {t('role.add')}
    </Button>
  )
  return (
    <Screen title={t('role.title')} note={!list.pending && t('role.total', { count: list.total })} actions={add}>
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('role.name') },
          { field: 'roleSign', label: t('role.sign'), options: optionsOf(roleSign) },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('role.noneYet'), action: add }}
        onOpen={({ id }) => open(id)}
        actions={(role) => (
          <RowMenu
            name={wordsOf(role).name}
            actions={[
              { key: 'open', label: role.can.change ? t('edit') : t('view'), run: () => open(role.id) },
              { key: 'copy', label: t('role.copy'), run: () => void navigate(copyOf(role.id)) },
              ...(role.can.change ? [{ key: 'delete', label: t('delete'), danger: true, run: () => remove(role) }] : []),
            ]}
          />
        )}
      />
    </Screen>
  )
}

/** Names listed before "and more". */
const NAMED = 5

/** Return a function that deletes a role after a question. A role that users hold is not deleted; a message names them. */
function useDeleteRole(): (role: Role) => void {
  const { t } = useTranslation('identity')
  const navigate = useNavigate()
  const undoable = useUndo()
  const remove = useWrite(roleCalls.delete, { done: t('deleted') })

  async function sayHolders({ id, name, users }: Role): Promise<void> {
    const mayList = may('system.user')
    const holders = mayList
      ? await request(userCalls.list, { query: { roleId: id, size: NAMED } }, { errors: 'silent' }).catch(() => undefined)
      : undefined
    const names = (holders?.content ?? []).map(({ account }) => account).join(t('common:listSeparator'))
    modal.confirm({
      title: t('role.inUse', { name }),
      content: names ? t('role.heldBy', { names, count: users }) : t('role.heldByCount', { count: users }),
      okText: mayList ? t('role.showHolders') : t('done'),
      cancelText: t('close'),
      onOk: () => void (mayList && navigate(usersWith(id))),
    })
  }

  return (role) => {
    if (!role.can.delete) return void sayHolders(role)
    modal.confirm({
      title: t('role.deleteTitle', { name: role.name }),
      content: t('role.deleteWords'),
      okText: t('delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => afterConfirmation(() => undoable(t('role.deleting', { name: role.name }), () => remove.run({ params: { id: role.id } }))),
    })
  }
}

/** Return the columns of the list of roles. */
function useRoleColumns(): TableColumn<Role>[] {
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
