/** /oneToN: whom of the park a photograph shows. */
import { ScanOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { scoreInWords } from '@gatehouse/contract'
import { monitorPrecision } from '@gatehouse/contract/enums'
import type { CachedFace } from '@gatehouse/contract/faces/calls'
import { searchCalls } from '@gatehouse/contract/people/search'
import { ListError } from '../../../kit/list/ListStates.tsx'
import { useRead } from '../../../api/query.ts'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { HitCard } from './HitCard.tsx'
import { SearchOptions } from './SearchOptions.tsx'
import { SearchPhoto } from './SearchPhoto.tsx'
import { useSearchWishes, type SearchWishes } from './searchQuery.ts'
import styles from './oneToN.module.css'

/** Cards drawn while nobody is found yet. */
const WAITING = [1, 2, 3, 4, 5, 6]

export default function OneToNPage() {
  const { t } = useTranslation('people')
  const { t: shell } = useTranslation('shell')
  const [photo, setPhoto] = useState<CachedFace | null>(null)
  const [wishes, change] = useSearchWishes()
  const search = useRead(searchCalls.oneToN, { body: { ...wishes, faceId: photo?.faceId ?? '' } }, { enabled: photo !== null })

  return (
    <Screen title={shell('title.oneToN')}>
      <div className={styles.page}>
        <SearchPhoto photo={photo} onPhoto={setPhoto} />
        <SearchOptions wishes={wishes} change={change} threshold={search.data?.threshold} />
        <section className={styles.answer} aria-label={t('search.results')} aria-busy={photo !== null && search.isPending}>
          {photo === null && <Words title={t('search.intro')} words={t('search.introWords')} />}
          {photo !== null && search.isPending && <Searching />}
          {search.isError && <ListError error={search.error} retry={() => void search.refetch()} />}
          {photo !== null && search.data && <Found answer={search.data} searched={photo.url} wishes={wishes} change={change} />}
        </section>
      </div>
    </Screen>
  )
}

interface FoundProps {
  answer: { hits: React.ComponentProps<typeof HitCard>['hit'][]; threshold: number; searched: number }
  /** Address of the photograph that was searched by. */
  searched: string
  wishes: SearchWishes
  change: (some: Partial<SearchWishes>) => void
}

function Found({ answer: { hits, threshold, searched: photos }, searched, wishes: { precision }, change }: FoundProps) {
  const { t, i18n } = useTranslation('people')
  const among = t('search.among', { count: photos, replace: { count: new Intl.NumberFormat(i18n.language).format(photos) } })
  if (photos === 0) return <Words title={t('search.noPhotos')} words={t('search.noPhotosWords')} />
  const looser = precision < monitorPrecision.loose ? ((precision + 1) as SearchWishes['precision']) : null
  return (
    <>
      <p className={styles.summary} role="status">
        <b>{t('search.found', { count: hits.length })}</b>
        <span>{among}</span>
        <span>{t('search.atLeast', { score: scoreInWords(threshold) })}</span>
      </p>
      {hits.length === 0 ? (
        <Words title={t('search.nobody')} words={t('search.nobodyWords')}>
          {looser !== null && (
            <Button type="primary" onClick={() => change({ precision: looser })}>
              {t('search.looser')}
            </Button>
          )}
        </Words>
      ) : (
        <ol className={styles.hits}>
          {hits.map((hit) => (
            <HitCard key={hit.personId} hit={hit} searched={searched} />
          ))}
        </ol>
      )}
    </>
  )
}

function Words({ title, words, children }: { title: string; words: string; children?: React.ReactNode }) {
  return (
    <div className={styles.nothing}>
      <ScanOutlined />
      <h2>{title}</h2>
      <p>{words}</p>
      {children}
    </div>
  )
}

/** Cards of the size those to come have. */
function Searching() {
  const { t } = useTranslation('people')
  return (
    <>
      <p className={styles.summary} role="status">
        <b>{t('search.searching')}</b>
      </p>
      <div className={styles.hits} aria-hidden="true">
        {WAITING.map((at) => (
          <div key={at} className={styles.hit} data-waiting />
        ))}
      </div>
    </>
  )
}
