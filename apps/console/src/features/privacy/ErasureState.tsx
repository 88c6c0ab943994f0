/** Whether all places have confirmed, or the places that have not, terminals by name. */
import { useTranslation } from 'react-i18next'
import type { Erasure } from '@gatehouse/contract/privacy/calls'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import styles from './privacy.module.css'

export function ErasureState({ erasure: { completedAt, places } }: { erasure: Pick<Erasure, 'completedAt' | 'places'> }) {
  const { t } = useTranslation('privacy')
  if (completedAt !== null) return <StatusTag status="ok">{t('erasure.complete')}</StatusTag>
  const names = [...new Set(places.filter(({ state }) => state === 'pending').map(({ place, name }) => name || t(`place.${place}`)))]
  const words = t('erasure.waitingFor', { names: names.join(t('common:listSeparator')) })
  return (
    <span className={styles.waiting}>
      <StatusTag status="wait">{t('erasure.incomplete')}</StatusTag>
      <small title={words}>{words}</small>
    </span>
  )
}
