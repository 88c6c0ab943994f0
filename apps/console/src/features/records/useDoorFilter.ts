/** The filter of records by door. */
import { useTranslation } from 'react-i18next'
import { useDoorChoices } from '../../shared/doorChoices.tsx'
import type { Filter } from '../../kit/list/FilterBar.tsx'
import type { RecordQuery } from './recordFeed.ts'

/** Doors to choose from, for those who may see them. */
export function useDoorFilter(): Filter<RecordQuery>[] {
  const { t } = useTranslation('records')
  const doors = useDoorChoices()
  return doors === undefined ? [] : [{ field: 'deviceId', label: t('door'), options: doors }]
}
