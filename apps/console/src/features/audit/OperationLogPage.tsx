/** /userLog: who changed what. A row opens to the values before and after the change. */
import { Button, Checkbox } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { auditCalls, type OperationEntry } from '@gatehouse/contract/audit/calls'
import { LOG_MODULES } from '@gatehouse/contract/audit/modules'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useRead } from '../../api/query.ts'
import { RangeField } from '../../kit/list/RangeField.tsx'
import { useMayOpen } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { LogScreen, Two, useLogColumns } from './LogScreen.tsx'
import { useLogWords } from './logWords.ts'
import styles from './audit.module.css'

const EntryDrawer = lazy(() => import('./EntryDrawer.tsx'))
const RetentionDialog = lazy(() => import('./RetentionDialog.tsx'))

export default function OperationLogPage() {
  const { t } = useTranslation('audit')
  const list = useList(auditCalls.operations, { name: 'userLog' })
  const words = useLogWords()
  const mayAll = useMayOpen({ permission: null, condition: 'installation' })
  const retention = useRead(auditCalls.retention, {})
  const editor = useEditor<never>()
  const [{ open, used }, setDrawer] = useState<{ open?: OperationEntry | undefined; used: boolean }>({ used: false })
  const moduleWord = (module: string): string => t(`module.${module}`)
  const about = ({ subjects, subjectCount }: OperationEntry): string => {
    const names = [...new Set(subjects.map(words.subject))].join(t('common:listSeparator'))
    return subjectCount > subjects.length ? t('andMore', { names, count: subjectCount - subjects.length }) : names
  }
  const columns = useLogColumns<OperationEntry>(
    [
      {
        field: 'url',
        title: t('what'),
        width: 210,
        visibility: 'always',
        render: (entry) => <Two first={words.operation('write', entry)} second={moduleWord(entry.module)} />,
      },
      { field: 'subjects', title: t('about'), width: 220, render: (entry) => about(entry) },
    ],
    list.query.all === true,
  )
  const retentionWords = retention.data && t('kept', { count: retention.data.months })
  return (
    <LogScreen
      tab="userLog"
      note={!list.pending && t(list.totalExact ? 'total' : 'totalAtLeast', { count: list.totalExact ? list.total : list.total - 1 })}
      actions={
        <>
          {mayAll && (
            <Checkbox
              className={styles.all ?? ''}
              checked={list.query.all === true}
              onChange={({ target }) => list.setQuery({ all: target.checked || undefined })}
            >
              {t('allParks')}
            </Checkbox>
          )}
          {mayAll ? (
            <Button onClick={editor.add}>{retentionWords ?? t('keep')}</Button>
          ) : (
            retentionWords && <span className={styles.kept}>{retentionWords}</span>
          )}
        </>
      }
    >
      <FilterBar
        list={list}
        filters={[
          { field: 'subject', label: t('about') },
          { field: 'account', label: t('account') },
          { field: 'operator', label: t('operator') },
          {
            field: 'module',
            label: t('moduleTitle'),
            options: LOG_MODULES.map((module) => ({ value: module, label: moduleWord(module) })),
          },
          {
            field: 'source',
            label: t('source'),
            options: (['local', 'thirdParty'] as const).map((source) => ({ value: source, label: t(`sourceOf.${source}`) })),
          },
        ]}
      >
        <RangeField unset={7} back={[90, 365]} value={list.query} onChange={list.setQuery} />
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('nothingDone') }}
        onOpen={(entry) => setDrawer({ open: entry, used: true })}
      />
      <Suspense fallback={null}>{used && <EntryDrawer entry={open} close={() => setDrawer({ used: true })} />}</Suspense>
      <Suspense fallback={null}>{editor.openingCount > 0 && <RetentionDialog key={editor.openingCount} editor={editor} />}</Suspense>
    </LogScreen>
  )
}
