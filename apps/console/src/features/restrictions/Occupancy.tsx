/** How many are inside, and of how many. */
import { useTranslation } from 'react-i18next'
import type { RestrictionArea } from '@gatehouse/contract/restrictions/calls'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'

export function Occupancy({
  count,
  limitCount,
  flowLimit = true,
}: Pick<RestrictionArea, 'count' | 'limitCount'> & { flowLimit?: boolean }) {
  const { t } = useTranslation('restrictions')
  if (!flowLimit || limitCount === null) return <>{t('insideCount', { count })}</>
  return <StatusTag status={count >= limitCount ? 'bad' : 'ok'}>{t('insideOf', { count, limit: limitCount })}</StatusTag>
}
