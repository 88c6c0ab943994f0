/** Who passed at a device last, both faces side by side. */
import { useTranslation } from 'react-i18next'
import { DetailPage } from '../../kit/detail/DetailPage.tsx'
import { PassageRow } from './PassageRow.tsx'
import { useLatestRecords } from './useLatestRecords.ts'
import styles from './devices.module.css'

/** Records shown; the record list has the rest. */
const SHOWN = 12
/** Pixels of each side of a face. */
const FACE = 48

export function DevicePassages({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('devices')
  const records = useLatestRecords({ deviceId, size: SHOWN })
  return (
    <DetailPage query={records}>
      {(rows) =>
        rows.length === 0 ? (
          <p className={styles.hint}>{t('noRecords')}</p>
        ) : (
          <ul className={styles.passages}>
            {rows.map((record) => (
              <PassageRow key={record.id} record={record} face={FACE} pair />
            ))}
          </ul>
        )
      }
    </DetailPage>
  )
}
