/** The results of a face search in the chosen view, with how many are shown and in which order. */
import { Button, Select } from 'antd'
import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { UseQueryResult } from '@tanstack/react-query'
import type { DataOf } from '@gatehouse/contract'
import { resultOrder, topN } from '@gatehouse/contract/enums/alarms'
import type { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import type { Refusal } from '../../../api/refusal.ts'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { ListError } from '../../../kit/list/ListStates.tsx'
import { SearchWords } from '../../people/index.ts'
import { CapturesView } from './CapturesView.tsx'
import { PeopleView } from './PeopleView.tsx'
import type { SearchSettings, SearchView } from './searchAddress.ts'
import type { FaceSearch } from './useFaceSearch.ts'
import type { SearchedFace } from './useSearchedFace.ts'
import styles from './search.module.css'

const TrackView = lazy(() => import('./TrackView.tsx'))

/** Placeholder cards while a search runs. */
const WAITING = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

type Hits = UseQueryResult<DataOf<(typeof faceSearchCalls)['search']>, Refusal>

interface SearchResultsProps {
  search: FaceSearch
  face: SearchedFace
  view: SearchView
  /** The answer of captured view and match view. */
  hits: Hits
  /** Whether the refusal of the search is shown at a field. */
  isRefusedAtField: boolean
}

export function SearchResults({ search, face, view, hits, isRefusedAtField }: SearchResultsProps) {
  const { t } = useTranslation('surveillance')
  const { started } = search
  const region = useRef<HTMLElement>(null)
  const startedAt = started?.startedAt
  useEffect(() => {
    if (startedAt !== undefined) region.current?.focus({ preventScroll: true })
  }, [startedAt])
  // A user who has gone elsewhere while the search ran keeps the focus there.
  const foundAt = hits.dataUpdatedAt
  useEffect(() => {
    if (foundAt > 0 && document.activeElement === region.current)
      region.current?.querySelector<HTMLElement>('button[data-id]')?.focus({ preventScroll: true })
  }, [startedAt, foundAt])
  const isCaptures = view === 'captured' || view === 'identified'

  return (
    <section
      ref={region}
      tabIndex={-1}
      className={styles.results}
      aria-label={t('search.results')}
      aria-busy={started !== undefined && isCaptures && hits.isPending}
    >
      {started !== undefined && (view !== 'track' || search.isChanged) && (
        <div className={styles.tools}>
          {search.isChanged && (
            <p className={styles.changed} role="status">
              <span>{t('search.changed')}</span>
              <Button size="small" onClick={() => search.start()}>
                {t('search.again')}
              </Button>
            </p>
          )}
          {view !== 'track' && <Choices settings={search.settings} change={search.change} />}
        </div>
      )}
      {content()}
    </section>
  )

  function content(): ReactNode {
    if (started === undefined) return <SearchWords title={t(`search.intro.${view}`)} words={t(`search.introWords.${view}`)} />
    if (view === 'track')
      return (
        <Suspense fallback={null}>
          <TrackView key={started.startedAt} search={started.search} startedAt={started.startedAt} />
        </Suspense>
      )
    if (view === 'people') return <PeopleView key={started.startedAt} search={search} started={started} face={face} />
    if (hits.isPending) return <Searching cancel={search.cancel} />
    // What has to be changed stands at the field.
    if (hits.isError) return isRefusedAtField ? null : <ListError error={hits.error} retry={() => search.start()} />
    return <CapturesView key={`${view} ${started.startedAt}`} search={search} answer={hits.data} isMatchView={view === 'identified'} />
  }
}

/** How many results are shown, and in which order. */
function Choices({ settings, change }: { settings: SearchSettings; change: (some: Partial<SearchSettings>) => void }) {
  const { t } = useTranslation('surveillance')
  const optionsOf = useEnumOptions()
  return (
    <div className={styles.choices}>
      <Select
        aria-label={t('search.top')}
        value={settings.top}
        options={optionsOf(topN) as { value: SearchSettings['top']; label: string }[]}
        onChange={(top) => change({ top })}
      />
      <Select
        aria-label={t('search.order')}
        value={settings.order}
        options={optionsOf(resultOrder) as { value: SearchSettings['order']; label: string }[]}
        onChange={(order) => change({ order })}
      />
    </div>
  )
}

/** Placeholder cards of the size of the results. */
function Searching({ cancel }: { cancel: () => void }) {
  const { t } = useTranslation('surveillance')
  return (
    <>
      <p className={styles.summary} role="status">
        <b>{t('search.searching')}</b>
        <Button size="small" onClick={cancel}>
          {t('search.cancel')}
        </Button>
      </p>
      <div className={styles.captures} aria-hidden="true">
        {WAITING.map((at) => (
          <div key={at} className={styles.card} data-waiting />
        ))}
      </div>
    </>
  )
}
