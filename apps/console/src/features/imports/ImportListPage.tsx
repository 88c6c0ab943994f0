/** /staffImport: registers filled from files, the newest first. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { RowMenu } from '../../kit/list/RowMenu.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMayCall } from '../../api/session.ts'
import { useBrought } from '../../kit/useBrought.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { path } from '../../paths.ts'
import { useWorkWatch } from '../faces/index.ts'
import { useImportColumns } from './importColumns.tsx'
import { TemplateButton } from './TemplateButton.tsx'
import { useDeleteImport } from './useDeleteImport.tsx'
import styles from './imports.module.css'

const ImportDialog = lazy(() => import('./ImportDialog.tsx'))

export default function ImportListPage() {
  const { t } = useTranslation('imports')
  const navigate = useNavigate()
  const list = useList(importCalls.list, { name: 'imports' })
  const columns = useImportColumns()
  const editor = useEditor<never>()
  const remove = useDeleteImport()
  const mayDelete = useMayCall(importCalls.delete)
  useWorkWatch(
    list.rows.some(({ state }) => state === 'running'),
    importCalls.list,
  )
  const mayAdd = useMayCall(importCalls.create)
  useBrought('new', () => {
    if (mayAdd) editor.add()
  })
  const add = mayAdd && (
    <Button type="primary" icon={<PlusOutlined />} onClick={editor.add}>
      {t('new')}
    </Button>
  )
  return (
    <Screen
      title={t('title')}
      note={!list.pending && t('total', { count: list.total })}
      actions={
        <>
          <TemplateButton />
          {add}
        </>
      }
    >
      <div className={styles.above}>
        <p>
          {t(add ? 'words' : 'wordsMasked')} <Link to={path('photoBoard')}>{t('board.link')}</Link>
        </p>
        <ListTools list={list} columns={columns} />
      </div>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('noneYet'), action: add }}
        onOpen={({ id }) => void navigate(path('staffImportDetail', { id }))}
        actions={(row) =>
          mayDelete &&
          row.state !== 'running' && (
            <RowMenu name={row.groupName} actions={[{ key: 'delete', label: t('delete'), danger: true, run: () => remove(row) }]} />
          )
        }
      />
      <Suspense fallback={null}>{editor.round > 0 && <ImportDialog key={editor.round} editor={editor} />}</Suspense>
    </Screen>
  )
}
