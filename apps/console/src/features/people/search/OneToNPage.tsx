/** /oneToN: the persons of the park who resemble a photograph. */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CachedFace } from '@gatehouse/contract/faces/calls'
import { searchCalls } from '@gatehouse/contract/people/search'
import { ListError } from '../../../kit/list/ListStates.tsx'
import { useRead } from '../../../api/query.ts'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { PersonsFound, PersonsSearching, SearchWords } from './PersonsFound.tsx'
import { SearchOptions, useSearchSettings } from './SearchOptions.tsx'
import { SearchPhoto } from './SearchPhoto.tsx'
import styles from './oneToN.module.css'

export default function OneToNPage() {
  const { t } = useTranslation('people')
  const { t: shell } = useTranslation('shell')
  const [photo, setPhoto] = useState<CachedFace | null>(null)
  const [settings, change] = useSearchSettings()
  const search = useRead(searchCalls.oneToN, { body: { ...settings, faceId: photo?.faceId ?? '' } }, { enabled: photo !== null })

  return (
    <Screen title={shell('title.oneToN')}>
      <div className={styles.page}>
        <SearchPhoto photo={photo} onPhoto={setPhoto} />
        <SearchOptions settings={settings} change={change} threshold={search.data?.threshold} />
        <section className={styles.answer} aria-label={t('search.results')} aria-busy={photo !== null && search.isPending}>
          {photo === null && <SearchWords title={t('search.intro')} words={t('search.introWords')} />}
          {photo !== null && search.isPending && <PersonsSearching />}
          {search.isError && <ListError error={search.error} retry={() => void search.refetch()} />}
          {photo !== null && search.data && <PersonsFound answer={search.data} searched={photo.url} settings={settings} change={change} />}
        </section>
      </div>
    </Screen>
  )
}
