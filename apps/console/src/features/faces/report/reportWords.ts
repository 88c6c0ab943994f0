/** What a part of the gallery is called. */
import { useTranslation } from 'react-i18next'
import { gender } from '@gatehouse/contract/enums/people'
import type { FaceReport } from '@gatehouse/contract/faces/report'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'

export type Slice = FaceReport['slices'][number]

export const keyOf = ({ dimension, value }: Slice): string => `${dimension}/${value}`

export function useSliceName(): (slice: Slice) => string {
  const { t } = useTranslation('faces')
  const label = useEnumLabel()
  return ({ dimension, value, name }) => {
    if (name) return name
    if (dimension === 'all') return t('slice.everybody')
    if (dimension === 'gender') return label(gender, value)
    if (dimension === 'kind') return t(`slice.kind.${value}`, { defaultValue: value })
    return value ? t(`slice.${dimension}Of`, { value, defaultValue: value }) : t('slice.notSaid')
  }
}
