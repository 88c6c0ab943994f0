/** Columns of a list: `columnsOf<Person>([{ field: 'name', title: t('name'), width: 160 }, …])`. */
import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import styles from '../kit.module.css'

export interface ListColumn<Row> {
  /** Field of the row; also the key it is sorted and hidden by. */
  field: Extract<keyof Row, string>
  title: string
  /** Pixels at least; the rest of the width is shared out in proportion. */
  width: number
  /** What to show instead of the field itself. Text that does not fit keeps its full form as tooltip. */
  render?: (row: Row) => ReactNode
  sortable?: boolean
  /** `shown` and `hidden` can be switched by the person; `always` stands. */
  visibility?: 'always' | 'shown' | 'hidden'
  /** False: nothing of this park ever fills it, so that it can neither be shown nor chosen. */
  offered?: boolean
}
export interface TableColumn<Row> extends TableColumnType<Row> {
  key: string
  width: number
  visibility: 'always' | 'shown' | 'hidden'
}

const isText = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

/** An empty field is a dash, so that nobody takes it for one still loading. */
export function Cell({ children }: { children: ReactNode }) {
  if (children === null || children === undefined || children === '') return <span className={styles.none}>—</span>
  return isText(children) ? (
    <span className={styles.cell} title={String(children)}>
      {children}
    </span>
  ) : (
    children
  )
}

export function columnsOf<Row extends object>(columns: ListColumn<Row>[]): TableColumn<Row>[] {
  return columns
    .filter(({ offered }) => offered !== false)
    .map(({ field, title, width, render, sortable, visibility = 'shown' }) => ({
      key: field,
      title,
      width,
      visibility,
      sorter: sortable ?? false,
      showSorterTooltip: false,
      render: (_, row) => <Cell>{render ? render(row) : (row[field] as ReactNode)}</Cell>,
    }))
}
