/** antd's table for a `useList`: skeleton, empty state, error, order, selection and keys, the same in every list. */
import { Button, Table, type TableProps } from 'antd'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PAGE_SIZE_DEFAULT } from '@gatehouse/contract'
import type { TableColumn } from './columns.tsx'
import { PageSize } from './PageSize.tsx'
import { ListEmpty, ListError } from './ListStates.tsx'
import { usePrinting } from '../printing.ts'
import { onTableKey } from './tableKeys.ts'
import type { List } from './useList.ts'
import styles from './table.module.css'

/** Widths in pixels of the columns at either end. */
const MARK = 40
const ACTIONS = 48

interface ListTableProps<Row extends { id: string }, Query> {
  list: List<Row, Query>
  columns: TableColumn<Row>[]
  /** Called on Enter or a click on a row. */
  onOpen?: (row: Row) => void
  /** Buttons or a menu at the end of each row. */
  actions?: (row: Row) => ReactNode
  /** Actions on the marked rows; absent: rows cannot be marked. */
  bulk?: (ids: string[]) => ReactNode
  /** The reason why there is nothing yet, and what to do about it. With a filter set, clearing it is offered instead. */
  empty: { title: string; action?: ReactNode }
}

export function ListTable<Row extends { id: string }, Query extends object>({
  list,
  columns,
  onOpen,
  actions,
  bulk,
  empty,
}: ListTableProps<Row, Query>) {
  const { t } = useTranslation()
  const printing = usePrinting()
  const frame = useRef<HTMLDivElement>(null)
  const { selected, setSelected, settings } = list
  const { sort, order, size = PAGE_SIZE_DEFAULT } = list.query as { sort?: string; order?: string; size?: number }

  const hidden = settings.hidden ?? columns.filter(({ visibility }) => visibility === 'hidden').map(({ key }) => key)
  const shown = columns
    .filter(({ key, visibility }) => visibility === 'always' || !hidden.includes(key))
    .map((column) => ({ ...column, sortOrder: sort !== column.key ? null : order === 'desc' ? ('descend' as const) : ('ascend' as const) }))
  const totalWidth = shown.reduce((sum, column) => sum + column.width, 0)
  const all: TableProps<Row>['columns'] = printing
    ? shown.map((column) => ({ ...column, width: `${(100 * column.width) / totalWidth}%` }))
    : actions
      ? [
          ...shown,
          {
            key: 'actions',
            width: ACTIONS,
            align: 'right',
            title: <span className="unseen">{t('list.actions')}</span>,
            render: (_, row) => actions(row),
          },
        ]
      : shown
  const width = totalWidth + (actions ? ACTIONS : 0) + (bulk ? MARK : 0)

  if (list.error && list.rows.length === 0) return <ListError error={list.error} retry={list.retry} />
  const toggle = (id: string): void => setSelected(selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id])
  const rowOf = (id: string): Row | undefined => list.rows.find((row) => row.id === id)

  return (
    <div
      ref={frame}
      role="presentation"
      className={styles.frame}
      data-refreshing={list.refreshing || undefined}
      onKeyDown={(event) =>
        onTableKey(event, {
          open: (id) => {
            const row = rowOf(id)
            if (row) onOpen?.(row)
          },
          toggle: bulk ? toggle : undefined,
        })
      }
    >
      {bulk && selected.length > 0 && !printing && (
        <div className={styles.bulk} role="region" aria-label={t('list.marked', { count: selected.length })}>
          <b>{t('list.marked', { count: selected.length })}</b>
          {bulk(selected)}
          <Button type="text" onClick={() => setSelected([])}>
            {t('list.unmark')}
          </Button>
        </div>
      )}
      <Table<Row>
        {...list.tableProps}
        pagination={{
          ...list.tableProps.pagination,
          showTotal: () => <PageSize size={size} choose={(next) => list.setQuery({ size: next })} />,
        }}
        {...(list.pending && skeletonOf<Row>())}
        columns={list.pending ? all.map((column) => ({ ...column, render: () => <i className={styles.bar} /> })) : all}
        tableLayout="fixed"
        // On paper the table is one piece, as wide as the page, and its headings are repeated on every page.
        {...(!printing && { sticky: true, scroll: { x: width } })}
        locale={{ emptyText: <ListEmpty filtered={list.filtered} clear={list.clear} {...empty} /> }}
        rowClassName={onOpen ? (styles.open ?? '') : ''}
        {...(bulk &&
          !printing && {
            rowSelection: {
              columnWidth: MARK,
              selectedRowKeys: selected,
              onChange: (keys) => setSelected(keys.map(String)),
              getTitleCheckboxProps: () => ({ 'aria-label': t('list.markAll') }),
              getCheckboxProps: (row) => ({ 'aria-label': t('list.markRow', { row: list.rows.indexOf(row) + 1 }) }),
            },
          })}
        onRow={(row, index) => ({
          // One stop for the Tab key; arrow keys move between rows.
          tabIndex: index === 0 ? 0 : -1,
          onClick: (event) => {
            const target = event.target as Element
            const inRow = event.currentTarget.contains(target) && !target.closest('a, button, input, label')
            if (inRow && !window.getSelection()?.toString()) onOpen?.(row)
          },
        })}
      />
    </div>
  )
}

const ROWS = 12

/** Return placeholder rows, as many and as tall as usual, so that nothing moves when the rows arrive. */
const skeletonOf = <Row extends { id: string }>() => ({
  dataSource: Array.from({ length: ROWS }, (_, at) => ({ id: `skeleton-${at}` }) as Row),
  pagination: false as const,
})
