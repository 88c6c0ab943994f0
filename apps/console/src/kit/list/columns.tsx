/** Columns of a list: `columnsOf<Person>([{ field: 'name', title: t('name'), width: 160 }, …])`. */
import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import styles from '../kit.module.css'

export interface ListColumn<Row> {
  /** Field of the row; also the key it is sorted and hidden by. */
  field: Extract<keyof Row, string>
  title: string
  /** Minimum width in pixels; the rest of the width is divided in proportion. */
  width: number
  /** Content in place of the field itself. Text that does not fit is shown in full as a tooltip. */
  render?: (row: Row) => ReactNode
  sortable?: boolean
  /** The user can switch `shown` and `hidden` columns; `always` ones stay. */
  visibility?: 'always' | 'shown' | 'hidden'
  /** False: nothing in this park ever fills it, so that it can neither be shown nor chosen. */
  offered?: boolean
}
export interface TableColumn<Row> extends TableColumnType<Row> {
  key: string
  width: number
  visibility: 'always' | 'shown' | 'hidden'
}

const isText = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

/** The content of a cell. An empty field is a dash, so that it is not mistaken for one that is still loading. */
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
