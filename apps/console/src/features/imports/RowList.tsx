/** The rows of an import: found, judged, and corrected one by one. */
import { Button } from 'antd'
import { EditOutlined } from '@ant-design/icons'
import { lazy, Suspense, useEffect, useEffectEvent, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { importCalls, type ImportRow, type PersonImport } from '@gatehouse/contract/imports/calls'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useMayCall } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { useRefresh } from '../../kit/useRefresh.ts'
import { personAddress } from './importKinds.ts'
import { rowsOf } from './oneImport.ts'
import { useRowColumns } from './rowColumns.tsx'

const RowDialog = lazy(() => import('./RowDialog.tsx'))
/** Milliseconds between two looks at the rows while they are worked on. */
const PACE_MS = 3000

/** Rows whose work is done lead to the person; all others, and those with something to say, can be corrected. */
const isOpen = ({ finished, issues }: ImportRow): boolean => !finished || issues.length > 0

export function RowList({ of }: { of: PersonImport }) {
  const { t } = useTranslation('imports')
  const navigate = useNavigate()
  const call = useMemo(() => rowsOf(of.id), [of.id])
  const list = useList(call, { name: 'importRows' })
  const columns = useRowColumns(of.kind)
  const editor = useEditor<ImportRow>()
  const running = of.state === 'running'
  const fixed = !useMayCall(importCalls.changeRow) || running
  useRowWatch(running ? of.work?.done : undefined, call)
  const open = (row: ImportRow): void => {
    if (isOpen(row) && !fixed) editor.edit(row)
    else if (row.personId !== null) void navigate(personAddress(of.kind, row.personId))
  }
  const next = (after: string): ImportRow | undefined => list.rows.find((row) => row.outcome === 'refused' && row.id !== after)
  return (
    <>
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('field.name') },
          { field: 'workNumber', label: t('field.workNumber') },
          { field: 'withIssue', label: t('reason'), options: [{ value: 1, label: t('withReason') }] },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('noRows') }}
        onOpen={open}
        actions={(row) =>
          isOpen(row) &&
          !fixed && (
            <Button
              type="text"
              icon={<EditOutlined />}
              aria-label={t('correctOf', { name: row.name || row.workNumber || String(row.line ?? '') })}
              title={t('correct')}
              onClick={() => editor.edit(row)}
            />
          )
        }
      />
      <Suspense fallback={null}>
        {editor.target && (
          <RowDialog key={editor.round} editor={editor} row={editor.target} importId={of.id} kind={of.kind} next={next(editor.target.id)} />
        )}
      </Suspense>
    </>
  )
}

/** Has the rows read again as the run goes on. @param done steps taken; undefined while nothing runs */
function useRowWatch(done: number | undefined, call: ReturnType<typeof rowsOf>): void {
  const refresh = useRefresh(PACE_MS)
  const readAgain = useEffectEvent(() => refresh(call))
  useEffect(() => {
    if (done !== undefined) readAgain()
  }, [done])
}
