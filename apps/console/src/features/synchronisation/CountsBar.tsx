/** Counts as one bar, in words beside it; only what there is. */
import { useTranslation } from 'react-i18next'
import type { SyncCounts } from '@gatehouse/contract/synchronisation/calls'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import styles from './synchronisation.module.css'

/** In the order of the bar: what is well first, what needs somebody last. */
const PARTS = ['success', 'syncing', 'deleting', 'photoMissing', 'overtime', 'failed'] as const satisfies readonly (keyof SyncCounts)[]

/** @param large for the head of the page */
export function CountsBar({ counts, large }: { counts: SyncCounts; large?: boolean }) {
  const { t, i18n } = useTranslation('synchronisation')
  const label = useEnumLabel()
  const parts = PARTS.filter((part) => counts[part] > 0)
  const total = parts.reduce((sum, part) => sum + counts[part], 0)
  if (total === 0) return <span className={styles.none}>{t('nobody')}</span>
  return (
    <div className={styles.counts} data-large={large || undefined}>
      <i aria-hidden="true">
        {parts.map((part) => (
          <i key={part} data-part={part} style={{ flexGrow: counts[part] }} />
        ))}
      </i>
      <span>
        {parts.map((part) => (
          <span key={part} data-part={part}>
            {label(personSyncStatus, personSyncStatus[part])} <b>{counts[part].toLocaleString(i18n.language)}</b>
          </span>
        ))}
      </span>
    </div>
  )
}
