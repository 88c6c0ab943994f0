/** The latest records of a person: the captured face beside the face on file. */
import { useTranslation } from 'react-i18next'
import { recordCalls, type AccessRecord } from '@gatehouse/contract/records/calls'
import { passDirection } from '@gatehouse/contract/enums/devices'
import { DetailPage, Section } from '../../kit/detail/DetailPage.tsx'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { PicturePair } from '../../shared/PicturePair.tsx'
import { useRead } from '../../api/query.ts'
import { useRefusalLine } from '../../shared/refusalReason.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useContactWords } from '../../shared/contactWords.ts'
import { isHit, useMatch } from '../../shared/watchList.ts'
import { WatchListTag } from '../../shared/WatchListTag.tsx'
import styles from './people.module.css'

/** Records shown; the record list has the rest. */
const SHOWN = 8

export function LatestRecords({ personId, registered }: { personId: string; registered: string }) {
  const { t } = useTranslation('people')
  const records = useRead(recordCalls.ofPerson, { query: { personId, size: SHOWN } })
  return (
    <Section title={t('latestRecords')} empty={records.data?.content.length === 0 && t('noRecords')}>
      <DetailPage query={records}>
        {({ content }) => (
          <ul className={styles.records}>
            {content.map((record) => (
              <Row key={record.id} record={record} registered={registered} />
            ))}
          </ul>
        )}
      </DetailPage>
    </Section>
  )
}

function Row({ record, registered }: { record: AccessRecord; registered: string }) {
  const { t } = useTranslation('people')
  const { by } = useContactWords()(record)
  const match = useMatch()(record)
  const reason = useRefusalLine()(record)
  return (
    <li data-hit={isHit(record) || undefined}>
      <PicturePair
        captured={record.captureThumbnail}
        registered={match.registeredImage || (by || isHit(record) ? '' : registered)}
        score={match.score}
        result={record.result}
        name={match.name}
        hit={isHit(record)}
        size={88}
      />
      <div>
        <b>{record.deviceName}</b> · <EnumTag of={passDirection} value={record.direction} />
        <p>
          <RelativeTime at={record.time} />
        </p>
        {isHit(record) && <WatchListTag />}
        {by && <p>{by}</p>}
        {reason && <p className={styles.reason}>{reason}</p>}
        {record.corrected && <p className={styles.reason}>{t('matching.wrongMatch')}</p>}
      </div>
    </li>
  )
}
