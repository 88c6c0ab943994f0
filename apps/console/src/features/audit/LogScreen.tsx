/** The frame of the operation log and the read log, and the columns both have. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TabScreen } from '../../kit/detail/TabScreen.tsx'
import { path } from '../../paths.ts'
import { columnsOf, type ListColumn, type TableColumn } from '../../kit/list/columns.tsx'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { shownName } from '../../kit/shownName.ts'
import styles from './audit.module.css'

const TABS = ['userLog', 'readLog'] as const
export type LogTab = (typeof TABS)[number]

interface LogScreenProps {
  tab: LogTab
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function LogScreen({ tab, ...rest }: LogScreenProps) {
  const { t } = useTranslation('audit')
  const tabs = TABS.map((name) => ({ address: path(name), label: t(`tab.${name}`), current: name === tab }))
  return <TabScreen title={t('title')} label={t('tabs')} tabs={tabs} {...rest} />
}

interface Entry {
  id: string
  time: number
  account: string
  operator: string
  source: 'local' | 'thirdParty'
  ip: string
  areaName: string
}

/**
 * Return the columns of a log: time and user first, address last.
 * @param all whether entries of all parks are listed; @param own columns of the log itself, in the middle
 */
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

/** Two lines, the second one smaller. */
export function Two({ first, second }: { first: string; second: string }) {
  return (
    <span className={styles.two}>
      <span title={first}>{first}</span>
      {second && <small title={second}>{second}</small>}
    </span>
  )
}
