/** Captured view and match view: the captures nearest to the face, and how many were compared. */
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { scoreInWords, shownScore, THRESHOLD_MIN, type DataOf } from '@gatehouse/contract'
import type { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { SearchWords } from '../../people/index.ts'
import { HitCards } from './HitCards.tsx'
import { windowOf, type FaceSearch } from './useFaceSearch.ts'
import styles from './search.module.css'

const CaptureDrawer = lazy(() => import('../CaptureDrawer.tsx'))

type Answer = DataOf<(typeof faceSearchCalls)['search']>

interface CapturesViewProps {
  search: FaceSearch
  answer: Answer
  /** Whether each capture is shown beside the person whom a task identified. */
  isMatchView: boolean
}

export function CapturesView({ search, answer, isMatchView }: CapturesViewProps) {
  const { t } = useTranslation('surveillance')
  const [drawer, setDrawer] = useState<{ open: string | undefined; used: boolean }>({ open: undefined, used: false })
  const show = (id: string | undefined): void => setDrawer({ open: id, used: true })
  const { hits, searched, notComparable, threshold } = answer
  return (
    <>
      <p className={styles.summary} role="status">
        <b>{t('search.found', { count: hits.length })}</b>
        <span>{t('search.compared', { count: searched })}</span>
        {notComparable > 0 && <span title={t('search.notComparableWhy')}>{t('search.notComparable', { count: notComparable })}</span>}
        <span>{t('search.atLeast', { score: scoreInWords(threshold) })}</span>
      </p>
      {hits.length === 0 ? (
        <Nothing search={search} answer={answer} isMatchView={isMatchView} />
      ) : (
        <HitCards hits={hits} isMatchView={isMatchView} open={show} />
      )}
      <Suspense fallback={null}>
        {drawer.used && <CaptureDrawer capture={hits.find(({ id }) => id === drawer.open)} rows={hits} show={show} />}
      </Suspense>
    </>
  )
}

const DAY = 86_400_000
/** Days that are offered where a shorter window had no result. */
const WIDER_DAYS = 30
/** How much less similarity is offered where none was similar enough, as it is shown. */
const LESS = 10

/** Why nothing was found, and what finds more. */
function Nothing({ search, answer: { searched, threshold }, isMatchView }: CapturesViewProps) {
  const { t } = useTranslation('surveillance')
  const { startTime, endTime } = windowOf(search.settings, Date.now())
  const isShort = endTime - startTime < WIDER_DAYS * DAY
  const lower = Math.max(THRESHOLD_MIN, ((shownScore(threshold) - LESS) / 10) ** 2)
  const isLowest = lower >= threshold
  return (
    <SearchWords
      title={t(searched === 0 ? 'search.noCaptures' : isMatchView ? 'search.nothingIdentified' : 'search.nothing')}
      words={t(searched === 0 ? 'search.noCapturesWords' : isMatchView ? 'search.nothingIdentifiedWords' : 'search.nothingWords')}
    >
      <div className={styles.offers}>
        {isShort && (
          <Button type="primary" onClick={() => search.start({ startTime: endTime - WIDER_DAYS * DAY })}>
            {t('search.widen', { count: WIDER_DAYS })}
          </Button>
        )}
        {searched > 0 && !isLowest && (
          <Button onClick={() => search.start({ minScore: lower })}>{t('search.lower', { score: scoreInWords(lower) })}</Button>
        )}
      </div>
    </SearchWords>
  )
}
