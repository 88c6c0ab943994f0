/** Columns both logs begin and end with: when, who; from where. */
import { useTranslation } from 'react-i18next'
import { columnsOf, type ListColumn, type TableColumn } from '../../kit/list/columns.tsx'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { shownName } from '../../kit/shownName.ts'
import styles from './audit.module.css'

interface Entry {
  id: string
  time: number
  account: string
  operator: string
  source: 'local' | 'thirdParty'
  ip: string
  areaName: string
}

/** @param all whether entries of all parks are listed; @param own columns of the log itself, in the middle */
export function useLogColumns<Row extends Entry>(own: ListColumn<Row>[], all: boolean): TableColumn<Row>[] {
  const { t } = useTranslation('audit')
  return columnsOf<Row>([
    { field: 'time' as never, title: t('time'), width: 116, visibility: 'always', render: ({ time }) => <RelativeTime at={time} /> },
    {
      field: 'operator' as never,
      title: t('operator'),
      width: 150,
      visibility: 'always',
      render: ({ operator, account }) => <Two first={shownName(operator)} second={account} />,
    },
    ...own,
    {
      field: 'source' as never,
      title: t('source'),
      width: 104,
      render: ({ source }) => <StatusTag status={source === 'local' ? 'off' : 'info'}>{t(`sourceOf.${source}`)}</StatusTag>,
    },
    { field: 'ip' as never, title: t('ip'), width: 124, visibility: all ? 'hidden' : 'shown' },
    { field: 'areaName' as never, title: t('park'), width: 124, visibility: all ? 'shown' : 'hidden' },
  ])
}

/** Two lines: what it is, and smaller, what belongs to it. */
export function Two({ first, second }: { first: string; second: string }) {
  return (
    <span className={styles.two}>
      <span title={first}>{first}</span>
      {second && <small title={second}>{second}</small>}
    </span>
  )
}
