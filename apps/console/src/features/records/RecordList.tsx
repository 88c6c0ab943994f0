/** Passages as they happen: the newest one large, and all of them as a table or as cards. */
import { AppstoreOutlined, BarsOutlined, FullscreenOutlined } from '@ant-design/icons'
import { Alert, Button, Checkbox, Segmented } from 'antd'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { RECORD_WINDOW_DEFAULT } from '@gatehouse/contract'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { FilterBar, type Filter } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useRead } from '../../api/query.ts'
import { RangeField } from '../../kit/list/RangeField.tsx'
import { useDrawer } from '../../kit/list/useDrawer.ts'
import { sentenceOf } from '../../api/refusal.ts'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMayOpen, useSession } from '../../api/session.ts'
import { useSeesWatchList } from '../../shared/watchList.ts'
import { path } from '../../paths.ts'
import { screens } from '../../screens.ts'
import { ExportRecords } from '../exports/index.ts'
import { LatestPassage } from './LatestPassage.tsx'
import { RecordCards } from './RecordCards.tsx'
import { useRecordColumns } from './recordColumns.tsx'
import type { RecordQuery } from './recordFeed.ts'
import { useRecords } from './useRecords.ts'
import styles from './list.module.css'

const RecordDrawer = lazy(() => import('./RecordDrawer.tsx'))

/** Parameter of the address that names a record. */
const PARAMETER = 'record'

interface RecordListProps {
  /** Name under which its columns and density are stored. */
  name: string
  title: string
  /** Part of the query that the user cannot change. */
  fixed: Partial<RecordQuery>
  filters: Filter<RecordQuery>[]
  /** Whether the list can be narrowed to strangers, and, for users who see it, to the watch list. */
  offerStrangers?: boolean
  /** Why there is nothing yet. */
  empty: string
}

export function RecordList({ name, title, fixed, filters, offerStrangers, empty }: RecordListProps) {
  const { t, i18n } = useTranslation('records')
  const list = useRecords({ name, fixed })
  const columns = useRecordColumns(list.arrived)
  const mark = useTop(list.setAtTop)
  const [search, setSearch] = useSearchParams()
  const { open, used, show } = useDrawer(PARAMETER)
  const seesWatchList = useSeesWatchList()
  // Days that the park's lists look back when no time is chosen.
  const days = useSession(({ park }) => park?.recordDays ?? RECORD_WINDOW_DEFAULT)
  const cards = search.get('view') === 'cards'
  const setView = (view: string): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (view === 'cards') next.set('view', view)
        else next.delete('view')
        return next
      },
      { replace: true },
    )
  const backToTop = (): void => {
    mark.current?.scrollIntoView({ block: 'center' })
    list.showWaiting()
  }
  const candidates = list.latest ? [list.latest, ...list.rows] : list.rows
  const listed = candidates.find(({ id }) => id === open)
  // A link to one record may lead to one that is not among the loaded rows.
  const other = useRead(recordCalls.read, { params: { id: open ?? '' } }, { enabled: open !== undefined && listed === undefined })

  return (
    <Screen
      title={title}
      note={!list.pending && t(list.totalExact ? 'total' : 'totalAtLeast', { count: list.totalExact ? list.total : list.total - 1 })}
      actions={
        <>
          {offerStrangers && (
            <Checkbox
              className={styles.strangers ?? ''}
              checked={list.query.stranger ?? false}
              onChange={({ target }) => list.setQuery({ stranger: target.checked || undefined })}
            >
              {t('strangersOnly')}
            </Checkbox>
          )}
          {offerStrangers && seesWatchList && (
            <Checkbox
              className={styles.strangers ?? ''}
              checked={list.query.watchList ?? false}
              onChange={({ target }) => list.setQuery({ watchList: target.checked || undefined })}
            >
              {t('watchListOnly')}
            </Checkbox>
          )}
          <Segmented
            aria-label={t('view')}
            value={cards ? 'cards' : 'table'}
            onChange={setView}
            options={[
              { value: 'table', icon: <BarsOutlined />, label: t('asTable') },
              { value: 'cards', icon: <AppstoreOutlined />, label: t('asCards') },
            ]}
          />
          <GuardMode deviceId={list.query.deviceId} />
          <ExportRecords list={{ ...list, query: { ...list.query, ...fixed } }} />
        </>
      }
    >
      <FilterBar
        list={list}
        filters={filters}
        printed={[list.query.stranger === true && t('strangersOnly'), list.query.watchList === true && t('watchListOnly')]}
      >
        <RangeField unset={days} value={list.query} onChange={list.setQuery} />
        <ListTools list={list} columns={columns} />
      </FilterBar>
      {open !== undefined && other.isError && (
        <Alert type="error" showIcon closable={{ onClose: () => show(undefined) }} title={sentenceOf(other.error)} />
      )}
      <div className={styles.page}>
        <LatestPassage record={list.latest} filtered={list.filtered} open={show} />
        <section className={styles.list} aria-label={title}>
          <div ref={mark} className={styles.mark} />
          {list.waiting > 0 && (
            <button type="button" className={styles.pill} onClick={backToTop}>
              {t('waiting', { count: list.waiting })}
            </button>
          )}
          {cards ? (
            <RecordCards list={list} open={show} empty={{ title: empty }} />
          ) : (
            <ListTable key={i18n.language} list={list} columns={columns} empty={{ title: empty }} onOpen={({ id }) => show(id)} />
          )}
          {list.older && (
            <p className={styles.older}>
              <Button loading={list.loadingOlder} onClick={list.older}>
                {t('older')}
              </Button>
            </p>
          )}
        </section>
      </div>
      <Suspense fallback={null}>
        {used && <RecordDrawer record={listed ?? (open === undefined ? undefined : other.data)} rows={list.rows} show={show} />}
      </Suspense>
    </Screen>
  )
}

/** Opens the same passages in full screen, for the chosen door. */
function GuardMode({ deviceId }: { deviceId: string | undefined }) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  if (!useMayOpen(screens.guardMode)) return null
  const address = path('guardMode') + (deviceId === undefined ? '' : `?deviceId=${deviceId}`)
  return (
    <Button icon={<FullscreenOutlined />} onClick={() => void navigate(address)}>
      {t('title.guardMode')}
    </Button>
  )
}

/** Report whether the beginning of a list is in view. Put the returned ref on an element at the list's beginning. */
function useTop(onChange: (inSight: boolean) => void): RefObject<HTMLDivElement | null> {
  const mark = useRef<HTMLDivElement>(null)
  const changed = useEffectEvent(onChange)
  useEffect(() => {
    if (!mark.current) return
    const observer = new IntersectionObserver(([entry]) => entry && changed(entry.isIntersecting))
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [])
  return mark
}
