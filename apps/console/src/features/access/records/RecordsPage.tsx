/** Passages as they happen: the newest one large, all of them as a table or as cards. */
import { AppstoreOutlined, BarsOutlined } from '@ant-design/icons'
import { Button, Checkbox, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { FilterBar, type Filter } from '../../../kit/FilterBar.tsx'
import { ListTable } from '../../../kit/ListTable.tsx'
import { ListTools } from '../../../kit/ListTools.tsx'
import { Screen } from '../../../kit/Screen.tsx'
import { LatestPassage } from './LatestPassage.tsx'
import { RecordCards } from './RecordCards.tsx'
import { useRecordColumns } from './recordColumns.tsx'
import { RecordDrawer } from './RecordDrawer.tsx'
import type { RecordQuery } from './recordFeed.ts'
import { TimeWindow } from './TimeWindow.tsx'
import { useRecords } from './useRecords.ts'
import { useTop } from './useTop.ts'
import styles from './records.module.css'

interface RecordsPageProps {
  /** Under which its columns and density are remembered. */
  name: string
  title: string
  /** Part of the query the person cannot change. */
  fixed: Partial<RecordQuery>
  filters: Filter<RecordQuery>[]
  /** Whether the list can be narrowed to strangers. */
  offerStrangers?: boolean
  /** Why there is nothing yet. */
  empty: string
}

export function RecordsPage({ name, title, fixed, filters, offerStrangers, empty }: RecordsPageProps) {
  const { t } = useTranslation('access')
  const list = useRecords({ name, fixed })
  const columns = useRecordColumns(list.arrived)
  const mark = useTop(list.setAtTop)
  const [search, setSearch] = useSearchParams()
  const [open, setOpen] = useState<string>()
  const cards = search.get('view') === 'cards'
  const setView = (view: string): void =>
    setSearch((before) => {
      const next = new URLSearchParams(before)
      if (view === 'cards') next.set('view', view)
      else next.delete('view')
      return next
    }, { replace: true })
  const backToTop = (): void => {
    mark.current?.scrollIntoView({ block: 'center' })
    list.showWaiting()
  }
  const known = list.latest ? [list.latest, ...list.rows] : list.rows

  return (
    <Screen
      title={title}
      note={!list.pending && t(list.totalExact ? 'total' : 'totalAtLeast', { count: list.totalExact ? list.total : list.total - 1 })}
      actions={
        <Segmented
          aria-label={t('view')}
          value={cards ? 'cards' : 'table'}
          onChange={setView}
          options={[{ value: 'table', icon: <BarsOutlined />, label: t('asTable') }, { value: 'cards', icon: <AppstoreOutlined />, label: t('asCards') }]}
        />
      }
    >
      <FilterBar list={list} filters={filters}>
        {offerStrangers && <Checkbox className={styles.strangers} checked={list.query.stranger ?? false} onChange={({ target }) => list.setQuery({ stranger: target.checked || undefined })}>{t('strangersOnly')}</Checkbox>}
        <TimeWindow value={list.query} onChange={list.setQuery} />
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <div className={styles.page}>
        <section className={styles.list} aria-label={title}>
          <div ref={mark} className={styles.mark} />
          {list.waiting > 0 && <button type="button" className={styles.pill} onClick={backToTop}>{t('waiting', { count: list.waiting })}</button>}
          {cards ? (
            <RecordCards list={list} open={setOpen} empty={{ title: empty }} />
          ) : (
            <ListTable list={list} columns={columns} empty={{ title: empty }} onOpen={({ id }) => setOpen(id)} />
          )}
          {list.older && <p className={styles.older}><Button loading={list.loadingOlder} onClick={list.older}>{t('older')}</Button></p>}
        </section>
        <LatestPassage record={list.latest} open={setOpen} />
      </div>
      <RecordDrawer record={known.find(({ id }) => id === open)} rows={list.rows} show={setOpen} />
    </Screen>
  )
}
