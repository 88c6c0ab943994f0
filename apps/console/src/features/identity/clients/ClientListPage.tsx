/** /apiUserManage: programs that use this installation. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clientCalls, type ApiClient } from '@gatehouse/contract/identity/clients'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { RowMenu } from '../../../kit/list/RowMenu.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useEditor } from '../../../kit/form/useEditor.ts'
import { useList } from '../../../kit/list/useList.ts'
import { useClientColumns } from './clientColumns.tsx'
import type { Secret } from './ClientSecret.tsx'
import { useClientActions } from './useClientActions.tsx'

const ClientDialog = lazy(() => import('./ClientDialog.tsx'))
const ClientSecret = lazy(() => import('./ClientSecret.tsx'))

export default function ClientListPage() {
  const { t } = useTranslation('identity')
  const list = useList(clientCalls.list, { name: 'clients' })
  const columns = useClientColumns()
  const editor = useEditor<ApiClient>()
  const [secret, setSecret] = useState<Secret>()
  const actionsOf = useClientActions({ edit: editor.edit, onSecret: setSecret })
  const add = (
    <Button type="primary" icon={<PlusOutlined />} onClick={editor.add}>
      {t('client.add')}
    </Button>
  )
  return (
    <Screen title={t('client.title')} note={!list.pending && t('client.total', { count: list.total })} actions={add}>
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('client.name') },
          {
            field: 'status',
            label: t('state'),
            options: [
              { value: 1, label: t('client.on') },
              { value: 0, label: t('client.off') },
            ],
          },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('client.noneYet'), action: add }}
        onOpen={editor.edit}
        actions={(client) => <RowMenu name={client.name} actions={actionsOf(client)} />}
      />
      <Suspense fallback={null}>
        {editor.round > 0 && <ClientDialog key={editor.round} editor={editor} onSecret={setSecret} />}
        {secret && <ClientSecret secret={secret} close={() => setSecret(undefined)} />}
      </Suspense>
    </Screen>
  )
}
