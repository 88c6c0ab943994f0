/** /userManage: who may log in. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accountState } from '@gatehouse/contract/enums/identity'
import { userCalls, type User } from '@gatehouse/contract/identity/users'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { RowMenu } from '../../../kit/list/RowMenu.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useEditor } from '../../../kit/form/useEditor.ts'
import { useList } from '../../../kit/list/useList.ts'
import { OrganisationFilter } from '../OrganisationFilter.tsx'
import type { Handed } from './PasswordOnce.tsx'
import { useRoleChoices } from './useRoleChoices.ts'
import { useUserActions } from './useUserActions.tsx'
import { useUserColumns } from './userColumns.tsx'

const UserDialog = lazy(() => import('./UserDialog.tsx'))
const ResetDialog = lazy(() => import('./ResetDialog.tsx'))
const PasswordOnce = lazy(() => import('./PasswordOnce.tsx'))

const STATES: User['state'][] = ['enabled', 'disabled', 'passwordExpired', 'locked', 'expired']

export default function UserListPage() {
  const { t } = useTranslation('identity')
  const list = useList(userCalls.list, { name: 'users' })
  const columns = useUserColumns()
  const roles = useRoleChoices()
  const editor = useEditor<User>()
  const [resetting, setResetting] = useState<User>()
  const [handed, setHanded] = useState<Handed>()
  const actionsOf = useUserActions({ edit: editor.edit, reset: setResetting })

  /** A password the administrator thought of himself is nothing to tell him. */
  const tell = (answer: Handed): void => setHanded(answer.initialPassword !== undefined || answer.sentTo !== undefined ? answer : undefined)
  const add = (
    <Button type="primary" icon={<PlusOutlined />} onClick={editor.add}>
      {t('user.add')}
    </Button>
  )

  return (
    <Screen
      title={t('user.title')}
      note={!list.pending && t('user.total', { count: list.total })}
      actions={add}
      aside={<OrganisationFilter value={list.query.organisationId} onChange={(organisationId) => list.setQuery({ organisationId })} />}
    >
      <FilterBar
        list={list}
        filters={[
          { field: 'account', label: t('user.account') },
          { field: 'state', label: t('state'), options: STATES.map((state) => ({ value: state, label: t(`user.state.${state}`) })) },
          { field: 'roleId', label: t('user.role'), options: roles },
          { field: 'realName', label: t('user.realName') },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('user.nobodyYet'), action: add }}
        onOpen={(user) => user.state !== accountState.disabled && editor.edit(user)}
        actions={(user) => <RowMenu name={user.account} actions={actionsOf(user)} />}
      />
      <Suspense fallback={null}>
        {editor.round > 0 && <UserDialog key={editor.round} editor={editor} organisationId={list.query.organisationId} onHanded={tell} />}
        {resetting && <ResetDialog user={resetting} onHanded={tell} close={() => setResetting(undefined)} />}
        {handed && <PasswordOnce handed={handed} close={() => setHanded(undefined)} />}
      </Suspense>
    </Screen>
  )
}
