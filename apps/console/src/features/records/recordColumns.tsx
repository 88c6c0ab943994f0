/** Columns of the records: both faces first, then who, the verdict and why, where and when. */
import { useTranslation } from 'react-i18next'
import { temperatureText } from '@gatehouse/access-rules/measured'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { accessResult, verifyType } from '@gatehouse/contract/enums/access'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useMeasures } from '../../api/session.ts'
import { isHit } from '../../shared/watchList.ts'
import { WatchListTag } from '../../shared/WatchListTag.tsx'
import { Direction } from './Direction.tsx'
import { FacePair } from './FacePair.tsx'
import { useRecordWords } from './recordWords.ts'
import styles from './list.module.css'

/** Pixels; rows of either density have room for it. */
const FACE = 44

/**
 * Return the columns. A cell is rendered once for each state of its record, not for every frame; a change of language builds the table
 * again.
 */
export function useRecordColumns(arrived: ReadonlySet<string>): TableColumn<AccessRecord>[] {
  const { t } = useTranslation('records')
  const wordsOf = useRecordWords()
  const measures = useMeasures()
  return columnsOf<AccessRecord>([
    {
      field: 'captureThumbnail',
      title: t('faces'),
      width: 150,
      visibility: 'always',
      render: (record) => (
        <span className={arrived.has(record.id) ? styles.arrived : undefined} data-hit={isHit(record) || undefined}>
          <FacePair record={record} size={FACE} />
        </span>
      ),
    },
    {
      field: 'personName',
      title: t('person'),
      width: 112,
      visibility: 'always',
      render: (record) => <Passer {...wordsOf(record)} besides={[record.personParkName, record.workNumber]} />,
    },
    {
      field: 'result',
      title: t('verdict'),
      width: 140,
      visibility: 'always',
      render: (record) => {
        const { reason } = wordsOf(record)
        return (
          <span className={styles.two}>
            <EnumTag of={accessResult} value={record.result} />
            {isHit(record) && <WatchListTag />}
            {reason && <small title={reason}>{reason}</small>}
          </span>
        )
      },
    },
    {
      field: 'deviceName',
      title: t('door'),
      width: 116,
      render: ({ deviceName, direction }) => (
        <span className={styles.two}>
          <span title={deviceName}>{deviceName}</span>
          <small>
            <Direction value={direction} />
          </small>
        </span>
      ),
    },
    { field: 'time', title: t('time'), width: 106, visibility: 'always', render: ({ time }) => <RelativeTime at={time} /> },
    {
      field: 'verifyType',
      title: t('method'),
      width: 104,
      visibility: 'hidden',
      render: (record) => <EnumTag of={verifyType} value={record.verifyType} />,
    },
    {
      field: 'temperature',
      title: t('temperature'),
      width: 96,
      visibility: 'hidden',
      offered: measures.temperature,
      render: ({ temperature }) => temperatureText(temperature),
    },
    {
      field: 'receivedAt',
      title: t('receivedAt'),
      width: 104,
      visibility: 'hidden',
      render: ({ receivedAt }) => <RelativeTime at={receivedAt} />,
    },
  ]).map((column) => ({ ...column, shouldCellUpdate: (row: AccessRecord, before: AccessRecord) => row !== before }))
}

function Passer({ who, by, besides }: { who: string; by: string; besides: (string | undefined)[] }) {
  return <Two first={who} second={[by, ...besides].filter(Boolean).join(' · ')} />
}

function Two({ first, second }: { first: string; second: string }) {
  return (
    <span className={styles.two}>
      <span title={first}>{first}</span>
      {second && <small title={second}>{second}</small>}
    </span>
  )
}
