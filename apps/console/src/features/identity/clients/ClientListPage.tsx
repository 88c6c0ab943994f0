/** /apiUserManage: programs that use this installation. */
import { PlusOutlined, StopOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clientCalls, type ApiClient } from '@gatehouse/contract/identity/clients'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { RowMenu, type RowAction } from '../../../kit/list/RowMenu.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useEditor } from '../../../kit/form/useEditor.ts'
import { useList } from '../../../kit/list/useList.ts'
import { afterConfirmation } from '../../../api/confirmation.ts'
import { useDangerQuestion } from '../useDangerQuestion.ts'
import { useUndo } from '../../../kit/list/useUndo.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { PermissionChips } from '../permissions/PermissionChips.tsx'
import type { Secret } from './ClientSecret.tsx'
import { spanOf } from './clientValues.ts'
import styles from '../identity.module.css'

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
        onOpen={(client) => client.can.change && editor.edit(client)}
        actions={(client) => <RowMenu name={client.name} actions={actionsOf(client)} />}
      />
      <Suspense fallback={null}>
        {editor.openingCount > 0 && <ClientDialog key={editor.openingCount} editor={editor} onSecret={setSecret} />}
        {secret && <ClientSecret secret={secret} close={() => setSecret(undefined)} />}
      </Suspense>
    </Screen>
  )
}

interface Openers {
  edit: (client: ApiClient) => void
  onSecret: (secret: Secret) => void
}

/** Return the actions on an API user; each question names the program that stops working. */
function useClientActions({ edit, onSecret }: Openers): (client: ApiClient) => RowAction[] {
  const { t } = useTranslation('identity')
  const undoable = useUndo()
  const turn = useWrite(clientCalls.enable, { done: t('saved') })
  const reset = useWrite(clientCalls.resetSecret, { onDone: onSecret })
  const remove = useWrite(clientCalls.delete, { done: t('deleted') })

  const ask = useDangerQuestion()

  return (client) => {
    const { id, name, can } = client
    return [
      { key: 'edit', label: t('edit'), allowed: can.change, run: () => edit(client) },
      {
        key: 'reset',
        label: t('client.resetSecret'),
        allowed: can.resetSecret,
        run: () =>
          ask({ title: t('client.resetTitle', { name }), words: t('client.resetWords'), okText: t('client.resetSecret') }, () =>
            reset.run({ params: { id } }),
          ),
      },
      {
        key: 'disable',
        label: t('disable'),
        allowed: can.disable,
        run: () =>
          ask({ title: t('client.disableTitle', { name }), words: t('client.disableWords'), okText: t('disable') }, () =>
            turn.run({ body: { id, status: 0 } }),
          ),
      },
      { key: 'enable', label: t('enable'), allowed: can.enable, run: () => turn.run({ body: { id, status: 1 } }) },
      {
        key: 'delete',
        label: t('delete'),
        danger: true,
        allowed: can.delete,
        run: () =>
          ask({ title: t('client.deleteTitle', { name }), words: t('client.deleteWords'), okText: t('delete') }, () =>
            afterConfirmation(() => undoable(t('client.deleting', { name }), () => remove.run({ query: { id }, body: {} }))),
          ),
      },
    ]
  }
}

/** Return the columns of the list of API users. */
function useClientColumns(): TableColumn<ApiClient>[] {
  const { t } = useTranslation('identity')
  const spanWords = (seconds: number): string => {
    const { unit, count } = spanOf(seconds)
    return t(`span.${unit}`, { count })
  }
  return columnsOf<ApiClient>([
    {
      field: 'name',
      title: t('client.name'),
      width: 150,
      visibility: 'always',
      render: ({ name, purpose, status }) => (
        <span className={styles.two} data-off={status === 0 || undefined}>
          <b title={name}>{name}</b>
          {purpose && <small title={purpose}>{purpose}</small>}
        </span>
      ),
    },
    {
      field: 'ApiKey',
      title: 'ApiKey',
      width: 200,
      render: ({ ApiKey }) => (
        <span className={styles.key} title={ApiKey}>
          {ApiKey}
        </span>
      ),
    },
    {
      field: 'status',
      title: t('state'),
      width: 88,
      render: ({ status }) =>
        status === 1 ? (
          <StatusTag status="ok">{t('client.on')}</StatusTag>
        ) : (
          <StatusTag status="off">
            <StopOutlined /> {t('client.off')}
          </StatusTag>
        ),
    },
    { field: 'organisationName', title: t('organisation'), width: 96 },
    {
      field: 'permissions',
      title: t('permission.title'),
      width: 148,
      render: ({ permissions }) => <PermissionChips permissions={permissions} />,
    },
    {
      field: 'lastUsedAt',
      title: t('client.lastUsed'),
      width: 88,
      render: ({ lastUsedAt }) =>
        lastUsedAt === null ? <span className={styles.none}>{t('client.neverUsed')}</span> : <RelativeTime at={lastUsedAt} />,
    },
    {
      field: 'accessTokenValidity',
      title: t('client.accessToken'),
      width: 110,
      visibility: 'hidden',
      render: ({ accessTokenValidity }) => spanWords(accessTokenValidity),
    },
    {
      field: 'refreshTokenValidity',
      title: t('client.refreshToken'),
      width: 110,
      visibility: 'hidden',
      render: ({ refreshTokenValidity }) => spanWords(refreshTokenValidity),
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
