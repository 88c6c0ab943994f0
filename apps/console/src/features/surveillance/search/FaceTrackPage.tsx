/** /faceTrack and /faceTrackFull: where a face was captured, by an upload, a person or a capture, in four views. */
import { ExportOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { searchCalls } from '@gatehouse/contract/people/search'
import { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import type { Refusal } from '../../../api/refusal.ts'
import { useMayCall } from '../../../api/session.ts'
import { consoleAddress } from '../../../kit/consoleAddress.ts'
import { TabScreen } from '../../../kit/detail/TabScreen.tsx'
import { path } from '../../../paths.ts'
import { FaceField } from './FaceField.tsx'
import { SearchForm } from './SearchForm.tsx'
import { SearchResults } from './SearchResults.tsx'
import { SEARCH_VIEWS } from './searchAddress.ts'
import { useFaceSearch, type FaceSearch } from './useFaceSearch.ts'
import { useOneSearch } from './useOneSearch.ts'
import { useSearchedFace } from './useSearchedFace.ts'
import styles from './search.module.css'

/** @param alone whether it is shown in a window of its own, without menu and header */
export default function FaceTrackPage({ alone = false }: { alone?: boolean }) {
  const { t } = useTranslation('surveillance')
  const search = useFaceSearch()
  const face = useSearchedFace(search)
  const mayFindPeople = useMayCall(searchCalls.oneToN)
  const views = SEARCH_VIEWS.filter((view) => view !== 'people' || mayFindPeople)
  const view = views.find((one) => one === search.settings.view) ?? 'captured'
  const { started, settings } = search
  const hits = useOneSearch(
    faceSearchCalls.search,
    {
      body: {
        ...(started?.search ?? { startTime: 0, endTime: 0, reason: '' }),
        identifiedOnly: view === 'identified',
        top: settings.top,
        order: settings.order,
      },
    },
    { startedAt: started?.startedAt ?? 0, enabled: started !== undefined && (view === 'captured' || view === 'identified') },
  )
  const errors = useFieldErrors(search, started === undefined ? null : hits.error)

  const content = (
    <TabScreen
      title={t('shell:title.faceTrack')}
      label={t('search.views')}
      tabs={views.map((one) => ({ address: search.viewAt(one), label: t(`search.view.${one}`), current: one === view }))}
      actions={<OtherWindow alone={alone} />}
    >
      <div className={styles.page}>
        <FaceField search={search} face={face} error={errors.face} />
        <SearchForm search={search} isOfCaptures={view !== 'people'} errors={errors} />
        <SearchResults
          search={search}
          face={face}
          view={view}
          hits={hits}
          isRefusedAtField={errors.face !== undefined || errors.window !== undefined}
        />
      </div>
    </TabScreen>
  )
  return alone ? <main className={styles.alone}>{content}</main> : content
}

/** The link to the same search in a window of its own, for a second screen, or back into the console. */
function OtherWindow({ alone }: { alone: boolean }) {
  const { t } = useTranslation('surveillance')
  const { search } = useLocation()
  if (alone) return <Link to={path('faceTrack') + search}>{t('search.back')}</Link>
  return (
    // The window belongs to the same user: it takes over the reason and the uploaded photo of this tab.
    <Button icon={<ExportOutlined />} href={`${consoleAddress()}/#${path('faceTrackFull')}${search}`} target="_blank" rel="opener">
      {t('search.ownWindow')}
    </Button>
  )
}

interface FieldErrors {
  face: string | undefined
  window: string | undefined
  reason: string | undefined
}

/** Return what is wrong with each field: found before the search was sent, or by the server. */
function useFieldErrors({ issues, settings }: FaceSearch, refusal: Refusal | null): FieldErrors {
  const { t } = useTranslation('surveillance')
  const probe = settings.captureId !== undefined ? 'capture' : settings.personId !== undefined ? 'person' : 'photo'
  const isNothing = refusal?.code === 500015 || refusal?.status === 404
  return {
    face: isNothing ? t(`search.notComparableFace.${probe}`) : issues.includes('face') ? t('search.faceMissing') : undefined,
    window: issues.includes('window') || refusal?.code === 900007 ? t('errors:business.900007') : undefined,
    reason: issues.includes('reason') ? t('search.reasonMissing') : undefined,
  }
}
