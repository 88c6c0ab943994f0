/** The newest passage, large enough to be read from two metres: verdict, both faces, who, where, why. */
import { CheckOutlined, CloseOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { accessResult } from '@gatehouse/contract/enums/access'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { isHit } from '../../shared/watchList.ts'
import { WatchListTag } from '../../shared/WatchListTag.tsx'
import { Direction } from './Direction.tsx'
import { FacePair } from './FacePair.tsx'
import { useRecordWords } from './recordWords.ts'
import styles from './records.module.css'

interface LatestPassageProps {
  record: AccessRecord | undefined
  /** Whether the list is filtered. */
  filtered: boolean
  open: (id: string) => void
}

export function LatestPassage({ record, filtered, open }: LatestPassageProps) {
  const { t } = useTranslation('records')
  return (
    <aside className={styles.latest} aria-label={t('latest')} aria-live="polite">
      {record ? (
        <Passage key={record.id} record={record} open={open} />
      ) : (
        <p className={styles.nothing}>{t(filtered ? 'nothingFits' : 'nothingYet')}</p>
      )}
    </aside>
  )
}

function Passage({ record, open }: { record: AccessRecord; open: (id: string) => void }) {
  const { t } = useTranslation('records')
  const { who, by, verdict, reason } = useRecordWords()(record)
  return (
    <div className={styles.passage} data-result={record.result} data-hit={isHit(record) || undefined}>
      <p className={styles.verdict}>
        {record.result === accessResult.allowed ? <CheckOutlined /> : <CloseOutlined />}
        <span>{verdict}</span>
      </p>
      <FacePair record={record} large />
      <div className={styles.said}>
        <h2 title={who}>{who}</h2>
        {by && <p>{by}</p>}
        {record.personParkName && <p>{record.personParkName}</p>}
        {record.workNumber && <p>{record.workNumber}</p>}
        {record.watchList && (
          <p>
            <WatchListTag /> {record.watchList.groupName}
          </p>
        )}
        {record.watchList?.instruction && <p className={styles.instruction}>{record.watchList.instruction}</p>}
        {reason && <p className={styles.reason}>{reason}</p>}
        <p>
          <b>{record.deviceName}</b> <Direction value={record.direction} />
        </p>
        <p className={styles.foot}>
          <RelativeTime at={record.time} />
          <Button type="link" size="small" onClick={() => open(record.id)}>
            {t('why.title')}
          </Button>
        </p>
      </div>
    </div>
  )
}
