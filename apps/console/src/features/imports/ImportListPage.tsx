/** /staffImport: imports of persons from files, newest first. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { importCalls, IMPORT_OUTCOMES, type PersonImport } from '@gatehouse/contract/imports/calls'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { RowMenu } from '../../kit/list/RowMenu.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMayCall } from '../../api/session.ts'
import { useBrought } from '../../kit/useBrought.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { path } from '../../paths.ts'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { shownName } from '../../kit/shownName.ts'
import { useWorkWatch } from '../faces/index.ts'
import { TemplateButton } from './TemplateButton.tsx'
import { useDeleteImport, ImportState } from './OneImport.tsx'
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
          row.can.delete && (
            <RowMenu name={row.groupName} actions={[{ key: 'delete', label: t('delete'), danger: true, run: () => remove(row) }]} />
          )
        }
      />
      <Suspense fallback={null}>{editor.openingCount > 0 && <ImportDialog key={editor.openingCount} editor={editor} />}</Suspense>
    </Screen>
  )
}

/** Return the columns of the list of imports. */
function useImportColumns(): TableColumn<PersonImport>[] {
  const { t, i18n } = useTranslation('imports')
  const number = (value: number): string => value.toLocaleString(i18n.language)
  return columnsOf<PersonImport>([
    {
      field: 'groupName',
      title: t('group'),
      width: 150,
      visibility: 'always',
      render: ({ id, groupName, kind }) => (
        <span className={styles.two}>
          <Link to={path('staffImportDetail', { id })} title={groupName} tabIndex={-1}>
            {groupName}
          </Link>
          <small>{t(`kind.${kind}`)}</small>
        </span>
      ),
    },
    { field: 'state', title: t('stateOf'), width: 110, visibility: 'always', render: (row) => <ImportState of={row} /> },
    {
      field: 'rows',
      title: t('rows'),
      width: 270,
      visibility: 'always',
      render: ({ rows }) => (Object.values(rows).some((count) => count > 0) ? <Counts rows={rows} /> : null),
    },
    {
      field: 'photos',
      title: t('photos'),
      width: 120,
      render: ({ photos, photosMatched }) =>
        photos === photosMatched ? number(photos) : t('photosOf', { matched: number(photosMatched), photos: number(photos) }),
    },
    { field: 'mode', title: t('registered'), width: 130, visibility: 'hidden', render: ({ mode }) => t(`mode.${mode}`) },
    { field: 'createdBy', title: t('by'), width: 100, render: ({ createdBy }) => shownName(createdBy) },
    { field: 'createdAt', title: t('at'), width: 100, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ])
}

/** The number of rows by outcome. */
function Counts({ rows }: { rows: PersonImport['rows'] }) {
  const { t, i18n } = useTranslation('imports')
  const outcomes = IMPORT_OUTCOMES.filter((outcome) => (rows[outcome] ?? 0) > 0)
  return (
    <ul className={styles.counts}>
      {outcomes.map((outcome) => (
        <li key={outcome} data-outcome={outcome}>
          {t(`outcome.${outcome}`)} <b>{rows[outcome].toLocaleString(i18n.language)}</b>
        </li>
      ))}
    </ul>
  )
}
