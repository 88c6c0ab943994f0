/** A record on a page of its own: loading, deleted or failed, or else its head, facts and sections. */
import { Skeleton } from 'antd'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Cell } from '../list/columns.tsx'
import { ListError } from '../list/ListStates.tsx'
import styles from '../kit.module.css'

interface DetailPageProps<Data> {
  query: UseQueryResult<Data>
  /** Renders the record once it is loaded. */
  children: (data: Data) => ReactNode
}

export function DetailPage<Data>({ query, children }: DetailPageProps<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  return (
    <div className={styles.detailState}>
      {query.isError ? (
        <ListError error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Skeleton active avatar={{ size: 160, shape: 'square' }} paragraph={{ rows: 6 }} />
      )}
    </div>
  )
}

/** Names and values, two columns where there is room. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Cell>{value}</Cell>
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface SectionProps {
  title: string
  extra?: ReactNode
  /** Shown beside the heading where there is nothing to show: the section is one line then. */
  empty?: ReactNode
  children: ReactNode
}

/** A part of the page under its own heading. */
export function Section({ title, extra, empty, children }: SectionProps) {
  const isEmpty = Boolean(empty)
  return (
    <section className={styles.section} data-empty={isEmpty || undefined}>
      <header>
        <h2>{title}</h2>
        {isEmpty && <p>{empty}</p>}
        {extra}
      </header>
      {!isEmpty && children}
    </section>
  )
}
