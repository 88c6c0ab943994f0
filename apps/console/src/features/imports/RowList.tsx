/** The rows of an import with their outcomes, to be searched and corrected. */
import { Button } from 'antd'
import { EditOutlined, CheckOutlined } from '@ant-design/icons'
import { lazy, Suspense, useEffect, useEffectEvent, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, Link } from 'react-router'
import { importCalls, type ImportRow, type PersonImport, type ImportOutcome } from '@gatehouse/contract/imports/calls'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { queriesOf } from '../../api/query.ts'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useMayCall } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { useRefresh } from '../../kit/useRefresh.ts'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { Portrait } from '../../kit/media/Portrait.tsx'
import type { Status } from '../../theme/tokens.ts'
import { personAddress, useFieldWords } from './importWords.ts'
import { rowsOf } from './useUploads.ts'
import styles from './rows.module.css'

const RowDialog = lazy(() => import('./RowDialog.tsx'))
/** Milliseconds between two readings of the rows while the import runs. */
const PACE_MS = 3000

/** Return whether a row can be corrected: it is unfinished or has issues. A finished row leads to its person. */
const isOpen = ({ finished, issues }: ImportRow): boolean => !finished || issues.length > 0

export function RowList({ of }: { of: PersonImport }) {
  const { t } = useTranslation('imports')
  const navigate = useNavigate()
  const call = useMemo(() => rowsOf(of.id), [of.id])
  const list = useList(call, { name: 'importRows' })
  const columns = useRowColumns(of.kind)
  const editor = useEditor<ImportRow>()
  const running = of.state === 'running'
  const fixed = !useMayCall(importCalls.changeRow) || !of.can.change
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
          <RowDialog
            key={editor.openingCount}
            editor={editor}
            row={editor.target}
            importId={of.id}
            kind={of.kind}
            next={next(editor.target.id)}
          />
        )}
      </Suspense>
    </>
  )
}

/** Read the rows again as the run proceeds. @param done steps taken; undefined while nothing runs */
function useRowWatch(done: number | undefined, call: ReturnType<typeof rowsOf>): void {
  const refresh = useRefresh(PACE_MS)
  const readAgain = useEffectEvent(() => refresh(queriesOf(call)))
  useEffect(() => {
    if (done !== undefined) readAgain()
  }, [done])
}

/** Pixels. */
const FACE = 44
const STATUS_OF: Record<ImportOutcome, Status> = { create: 'ok', change: 'info', photo: 'info', same: 'off', refused: 'bad' }

/** Return the columns of the rows: the face first, and for a refused row the reason in words. */
function useRowColumns(kind: PersonKind): TableColumn<ImportRow>[] {
  const { t } = useTranslation('imports')
  const { labelOf } = useFieldWords()
  return columnsOf<ImportRow>([
    {
      field: 'name',
      title: t('field.name'),
      width: 170,
      visibility: 'always',
      render: ({ name, photos, personId }) => (
        <span className={styles.who}>
          <Portrait name={name} url={photos[0]?.thumbnail} size={FACE} />
          {personId === null ? (
            <b title={name}>{name || '—'}</b>
          ) : (
            <Link to={personAddress(kind, personId)} title={name} tabIndex={-1}>
              {name}
            </Link>
          )}
        </span>
      ),
    },
    { field: 'workNumber', title: t('field.workNumber'), width: 110, visibility: 'always' },
    {
      field: 'outcome',
      title: t('does'),
      width: 120,
      visibility: 'always',
      render: ({ outcome, finished }) => <Outcome outcome={outcome} finished={finished} />,
    },
    {
      field: 'issues',
      title: t('reason'),
      width: 300,
      render: ({ issues }) => (issues.length === 0 ? null : <Reasons issues={issues} labelOf={labelOf} />),
    },
    { field: 'groupName', title: t('group'), width: 120 },
    { field: 'phone', title: t('field.phone'), width: 118, visibility: 'hidden' },
    {
      field: 'photos',
      title: t('photos'),
      width: 80,
      visibility: 'hidden',
      render: ({ photos }) => (photos.length > 0 ? photos.length : null),
    },
    { field: 'line', title: t('line'), width: 64 },
  ])
}

function Outcome({ outcome, finished }: Pick<ImportRow, 'outcome' | 'finished'>) {
  const { t } = useTranslation('imports')
  return (
    <StatusTag status={STATUS_OF[outcome]}>
      {t(`outcome.${outcome}`)}
      {finished && outcome !== 'refused' && <CheckOutlined className={styles.finished ?? ''} aria-label={t('finished')} />}
    </StatusTag>
  )
}

function Reasons({ issues, labelOf }: { issues: ImportRow['issues']; labelOf: (field: string) => string }) {
  return (
    <ul className={styles.reasons}>
      {issues.map(({ field, words }, at) => (
        <li key={at} title={`${labelOf(field)}: ${words}`}>
          <b>{labelOf(field)}</b> {words}
        </li>
      ))}
    </ul>
  )
}
