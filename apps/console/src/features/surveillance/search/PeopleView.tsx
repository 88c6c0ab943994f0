/** One-to-N view: the registered people who resemble the face that is searched for. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { THRESHOLD_MAX } from '@gatehouse/contract'
import { monitorPrecision } from '@gatehouse/contract/enums/alarms'
import { searchCalls } from '@gatehouse/contract/people/search'
import { sentenceOf } from '../../../api/refusal.ts'
import { ListError } from '../../../kit/list/ListStates.tsx'
import { cachePhoto } from '../../../shared/photoIntake.tsx'
import { PersonsFound, PersonsSearching, SearchWords } from '../../people/index.ts'
import type { FaceSearch, StartedSearch } from './useFaceSearch.ts'
import { useOneSearch } from './useOneSearch.ts'
import type { SearchedFace } from './useSearchedFace.ts'

type Precision = React.ComponentProps<typeof PersonsFound>['settings']['precision']

interface PeopleViewProps {
  search: FaceSearch
  started: StartedSearch
  face: SearchedFace
}

export function PeopleView({ search: { settings }, started: { search, startedAt }, face }: PeopleViewProps) {
  const { t } = useTranslation('surveillance')
  const [looser, setLooser] = useState<Precision>(monitorPrecision.standard)
  const photo = useFaceId(search.faceId, face.picture, startedAt)
  const { minScore } = search
  // The call takes no higher score than this; what is above it is nearly the same photo.
  const custom = minScore === undefined ? undefined : Math.min(minScore, THRESHOLD_MAX)
  const precision = custom === undefined ? looser : monitorPrecision.custom
  const { top, order } = settings
  const people = useOneSearch(
    searchCalls.oneToN,
    { body: { faceId: photo.faceId ?? '', top, order, precision, reason: search.reason, ...(custom !== undefined && { custom }) } },
    { startedAt, enabled: photo.faceId !== undefined },
  )
  if (photo.error !== null) return <SearchWords title={t('search.notSearchable')} words={sentenceOf(photo.error)} />
  if (photo.faceId === undefined && face.picture === undefined && !face.isPending)
    return <SearchWords title={t('search.noPicture')} words={t('search.noPictureWords')} />
  if (people.isError) return <ListError error={people.error} retry={() => void people.refetch()} />
  if (people.data === undefined) return <PersonsSearching />
  return (
    <PersonsFound
      answer={people.data}
      searched={face.picture ?? ''}
      settings={{ precision }}
      change={(some) => setLooser(some.precision)}
    />
  )
}

/**
 * Return the id by which the face can be searched for among people: that of the upload, or of the picture of the person or capture, which
 * is checked like an upload.
 */
function useFaceId(uploaded: string | undefined, picture: string | undefined, startedAt: number) {
  const { data, error } = useQuery({
    queryKey: ['faceOfPicture', picture, startedAt],
    queryFn: async ({ signal }) => (await cachePhoto()(await (await fetch(picture ?? '', { signal })).blob(), undefined)).faceId,
    enabled: uploaded === undefined && picture !== undefined,
    staleTime: 'static',
    retry: false,
  })
  return { faceId: uploaded ?? data, error }
}
