/** /roleManage: what the users are allowed to do. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { roleSign } from '@gatehouse/contract/enums/identity'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { RowMenu } from '../../../kit/list/RowMenu.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { path } from '../../../paths.ts'
import { copyOf } from './addresses.ts'
import { useRoleColumns } from './roleColumns.tsx'
import { useRoleWords } from './useRoleWords.ts'
import { useDeleteRole } from './useDeleteRole.tsx'

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
              { key: 'open', label: role.editable ? t('edit') : t('view'), run: () => open(role.id) },
              { key: 'copy', label: t('role.copy'), run: () => void navigate(copyOf(role.id)) },
              ...(role.editable ? [{ key: 'delete', label: t('delete'), danger: true, run: () => remove(role) }] : []),
            ]}
          />
        )}
      />
    </Screen>
  )
}
