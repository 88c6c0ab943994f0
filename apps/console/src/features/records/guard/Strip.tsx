/** The latest passages, newest first: each button shows its passage on the stage. */
import { useTranslation } from 'react-i18next'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { isHit } from '../../../shared/watchList.ts'
import { useRecordWords } from '../recordWords.ts'
import { VerdictIcon } from './OnStage.tsx'
import styles from './strip.module.css'

const FACE = 96

interface StripProps {
  records: AccessRecord[]
  /** Id of the record on the stage. */
  shown: string | undefined
  choose: (id: string) => void
  label: string
}

export function Strip({ records, shown, choose, label }: StripProps) {
  const { t } = useTranslation()
  const wordsOf = useRecordWords()
  return (
    <ol className={styles.strip} aria-label={label}>
      {records.map((record) => {
        const { who, verdict } = wordsOf(record)
        const hit = isHit(record)
        const name = record.watchList?.personName ?? who
        return (
          <li key={record.id}>
            <button
              type="button"
              data-result={record.result}
              data-hit={hit || undefined}
              aria-current={record.id === shown}
              onClick={() => choose(record.id)}
            >
              <Portrait name={name} url={record.captureThumbnail || record.registeredImage} size={FACE} />
              <span>
                <b>
                  <VerdictIcon record={record} /> {hit ? t('watchList.tag') : verdict}
                </b>
                <span title={name}>{name}</span>
                <small title={record.deviceName}>{record.deviceName}</small>
                <small>
                  <RelativeTime at={record.time} />
                </small>
              </span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}
