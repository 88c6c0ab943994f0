/** Columns of the lists of captured and of identified faces. */
import { useTranslation } from 'react-i18next'
import { alarmMatchType } from '@gatehouse/contract/enums/alarms'
import { deviceType } from '@gatehouse/contract/enums/devices'
import type { CAPTURE_LISTS, CaptureRecord } from '@gatehouse/contract/surveillance/captures'
import { EnumTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { AlarmFaces } from '../../shared/AlarmFaces.tsx'
import styles from './captures.module.css'

/** Pixels; rows of either density have room for it. */
const FACE = 44

export function useCaptureColumns(which: (typeof CAPTURE_LISTS)[number]): TableColumn<CaptureRecord>[] {
  const { t } = useTranslation('surveillance')
  const label = useEnumLabel()
  return columnsOf<CaptureRecord>([
    {
      field: 'captureThumbnail',
      title: t('capture.faces'),
      width: 176,
      visibility: 'always',
      render: ({ captureThumbnail, captureFaceImage, hitFaceImage, personName, score }) => (
        <AlarmFaces captured={captureThumbnail || captureFaceImage} registered={hitFaceImage} name={personName} score={score} size={FACE} />
      ),
    },
    {
      field: 'personName',
      title: t('capture.person'),
      width: 130,
      visibility: 'always',
      render: ({ personName, groupName, matchType }) => (
        <Two first={personName || (matchType === null ? '—' : t('capture.stranger'))} second={groupName} />
      ),
    },
    {
      field: 'matchType',
      title: t('capture.matchType'),
      width: 96,
      render: ({ matchType }) => (matchType === null ? t('capture.notCompared') : <EnumTag of={alarmMatchType} value={matchType} />),
    },
    { field: 'surveillanceName', title: t('capture.task'), width: 130, ...(which === 'captured' && { visibility: 'hidden' as const }) },
    {
      field: 'deviceName',
      title: t('capture.device'),
      width: 140,
      visibility: 'always',
      render: ({ deviceName, deviceType: type }) => <Two first={deviceName} second={label(deviceType, type)} />,
    },
    {
      field: 'captureTime',
      title: t('capture.time'),
      width: 106,
      visibility: 'always',
      render: ({ captureTime }) => <RelativeTime at={captureTime} />,
    },
    {
      field: 'quality',
      title: t('capture.quality'),
      width: 88,
      visibility: 'hidden',
      render: ({ quality }) => t('capture.percent', { value: Math.round(100 * quality) }),
    },
    {
      field: 'receivedAt',
      title: t('capture.receivedAt'),
      width: 104,
      visibility: 'hidden',
      render: ({ receivedAt }) => <RelativeTime at={receivedAt} />,
    },
  ])
}

function Two({ first, second }: { first: string; second: string }) {
  return (
    <span className={styles.two}>
      <span title={first}>{first}</span>
      {second !== '' && <small title={second}>{second}</small>}
    </span>
  )
}
