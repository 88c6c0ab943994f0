/** /userManage: accounts of users. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { userCalls, type User } from '@gatehouse/contract/identity/users'
import { organisationCalls, type OrganisationNode } from '@gatehouse/contract/organisation/calls'
import { PAGE_SIZE_MAX } from '@gatehouse/contract'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { secondFactorCalls } from '@gatehouse/contract/identity/second-factor'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { RowMenu, type RowAction } from '../../../kit/list/RowMenu.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useEditor } from '../../../kit/form/useEditor.ts'
import { useList } from '../../../kit/list/useList.ts'
import { Branches, type Branch } from '../../../kit/detail/Branches.tsx'
import { Bars } from '../../../kit/detail/Bars.tsx'
import { useRead } from '../../../api/query.ts'
import { useMay } from '../../../api/session.ts'
import { afterConfirmation } from '../../../api/confirmation.ts'
import { useDangerQuestion } from '../useDangerQuestion.ts'
import { useUndo } from '../../../kit/list/useUndo.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { useRoleWords } from '../roles/roleWords.ts'
import type { Handed } from './PasswordOnce.tsx'
import { useUserColumns } from './userColumns.tsx'
import styles from '../identity.module.css'

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

  /** Show the new password, or where it was sent. One that the administrator typed is not shown. */
  const showHanded = (answer: Handed): void =>
    setHanded(answer.initialPassword !== undefined || answer.sentTo !== undefined ? answer : undefined)
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
        onOpen={(user) => user.can.change && editor.edit(user)}
        actions={(user) => <RowMenu name={user.account} actions={actionsOf(user)} />}
      />
      <Suspense fallback={null}>
        {editor.openingCount > 0 && (
          <UserDialog key={editor.openingCount} editor={editor} organisationId={list.query.organisationId} onHanded={showHanded} />
        )}
        {resetting && <ResetDialog user={resetting} onHanded={showHanded} close={() => setResetting(undefined)} />}
        {handed && <PasswordOnce handed={handed} close={() => setHanded(undefined)} />}
      </Suspense>
    </Screen>
  )
}

interface OrganisationFilterProps {
  value: string | undefined
  onChange: (id: string | undefined) => void
}
const branchOf = ({ id, name, children }: OrganisationNode): Branch => ({ key: id, name, children: children.map(branchOf) })

/** The organisation tree beside a list: choosing a node shows what belongs to it and to all below. */
function OrganisationFilter({ value, onChange }: OrganisationFilterProps) {
  const { t } = useTranslation('identity')
  const { data: root, isPending } = useRead(organisationCalls.tree, {})
  return (
    <div className={styles.tree}>
      <h2>{t('organisation')}</h2>
      {isPending && <Bars count={4} />}
      {root && (
        <Branches
          label={t('organisation')}
          branches={[branchOf(root)]}
          chosen={value ?? root.id}
          choose={(id) => onChange(id === root.id ? undefined : id)}
        />
      )}
    </div>
  )
}

/** Return the roles to filter by: all of the user's part of the tree where they may list roles, else those they may grant. */
function useRoleChoices(): { value: string; label: string }[] {
  const mayList = useMay('system.role')
  const wordsOf = useRoleWords()
  const all = useRead(roleCalls.list, { query: { size: PAGE_SIZE_MAX } }, { enabled: mayList })
  const grantable = useRead(roleCalls.subRoles, { query: {} }, { enabled: !mayList })
  const roles = mayList ? all.data?.content : grantable.data
  return (roles ?? []).map((role) => ({ value: role.id, label: wordsOf(role).name }))
}

interface Openers {
  edit: (user: User) => void
  reset: (user: User) => void
}

/** Return the actions on an account that the server allows. */
function useUserActions({ edit, reset }: Openers): (user: User) => RowAction[] {
  const { t } = useTranslation('identity')
  const undoable = useUndo()
  const enable = useWrite(userCalls.enable, { done: t('user.enabled') })
  const disable = useWrite(userCalls.disable, { done: t('user.disabled') })
  const resetFactor = useWrite(secondFactorCalls.reset, { done: t('user.factorReset') })
  const remove = useWrite(userCalls.delete, { done: t('deleted') })

  const ask = useDangerQuestion()
  const askDisable = ({ id, account }: User): void =>
    ask({ title: t('user.disableTitle', { account }), words: t('user.disableWords'), okText: t('disable') }, () =>
      disable.run({ params: { id } }),
    )
  const askResetFactor = ({ id, account }: User): void =>
    ask({ title: t('user.resetFactorTitle', { account }), words: t('user.resetFactorWords'), okText: t('user.resetFactor') }, () =>
      resetFactor.run({ params: { id } }),
    )
  const askDelete = ({ id, account }: User): void =>
    ask({ title: t('user.deleteTitle', { account }), words: t('user.deleteWords'), okText: t('delete') }, () =>
      afterConfirmation(() => undoable(t('user.deleting', { account }), () => remove.run({ params: { id } }))),
    )

  return (user) => {
    const { id, can } = user
    return [
      { key: 'enable', label: t('enable'), allowed: can.enable, run: () => enable.run({ params: { id } }) },
      { key: 'edit', label: t('edit'), allowed: can.change, run: () => edit(user) },
      { key: 'reset', label: t('password.reset'), allowed: can.resetPassword, run: () => reset(user) },
      { key: 'resetFactor', label: t('user.resetFactor'), allowed: can.resetSecondFactor, run: () => askResetFactor(user) },
      { key: 'disable', label: t('disable'), allowed: can.disable, run: () => askDisable(user) },
      { key: 'delete', label: t('delete'), danger: true, allowed: can.delete, run: () => askDelete(user) },
    ]
  }
}
