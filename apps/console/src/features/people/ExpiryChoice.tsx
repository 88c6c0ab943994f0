/** Filters the list to persons whose validity ends soon, or has ended. */
import { Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { EXPIRY_FILTERS } from '@gatehouse/contract'
import type { ValueOf } from '@gatehouse/contract/enums/definition'
import { personStatus } from '@gatehouse/contract/enums/people'
import styles from './people.module.css'

interface Expiry {
  expiringDays?: number | undefined
  status?: ValueOf<typeof personStatus> | undefined
}
const ALL = 'all'
const ENDED = 'ended'

export function ExpiryChoice({
  value: { expiringDays, status },
  onChange,
}: {
  value: Expiry
  onChange: (expiry: { expiringDays: number | undefined; status: ValueOf<typeof personStatus> | undefined }) => void
}) {
  const { t } = useTranslation('people')
  const value = status === personStatus.expired ? ENDED : expiringDays === undefined ? ALL : String(expiringDays)
  const choose = (chosen: string): void => {
    if (chosen === ENDED) return onChange({ expiringDays: undefined, status: personStatus.expired })
    onChange({ expiringDays: chosen === ALL ? undefined : Number(chosen), status: status === personStatus.expired ? undefined : status })
  }
  return (
    <div className={styles.expiry}>
      <Segmented
        aria-label={t('expiry')}
        value={value}
        onChange={choose}
        options={[
          { value: ALL, label: t('expiryAll') },
          ...EXPIRY_FILTERS.map((days) => ({ value: String(days), label: t('expiringWithin', { count: days }) })),
          { value: ENDED, label: t('ended') },
        ]}
      />
    </div>
  )
}
