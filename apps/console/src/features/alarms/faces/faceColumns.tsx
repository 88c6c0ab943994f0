/** Columns of the list of face alarms: both faces first, then who, how serious, where and when. */
import { useTranslation } from 'react-i18next'
import type { FaceAlarm } from '@gatehouse/contract/alarms/face-alarms'
import { alarmHandlingStatus } from '@gatehouse/contract/enums/alarms'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { AlarmFaces } from '../../../shared/AlarmFaces.tsx'
import { Two } from '../list/Two.tsx'
import { useSharedColumns } from '../list/useSharedColumns.tsx'

/** Pixels; rows of either density have room for it. */
const FACE = 44

export function useFaceColumns(): TableColumn<FaceAlarm>[] {
  const { t } = useTranslation('alarms')
  const shared = useSharedColumns(alarmHandlingStatus)
  return columnsOf<FaceAlarm>([
    {
      field: 'captureThumbnail',
      title: t('faces'),
      width: 176,
      visibility: 'always',
      render: ({ captureThumbnail, captureFaceImage, hitFaceImage, suspectPerson, score }) => (
        <AlarmFaces
          captured={captureThumbnail || captureFaceImage}
          registered={hitFaceImage}
          name={suspectPerson}
          score={score}
          size={FACE}
        />
      ),
    },
    {
      field: 'suspectPerson',
      title: t('person'),
      width: 120,
      visibility: 'always',
      render: ({ suspectPerson, groupName }) => <Two first={suspectPerson || t('stranger')} second={groupName} />,
    },
    { ...shared.level, width: 64 },
    shared.status,
    {
      field: 'deviceName',
      title: t('deviceAndTask'),
      width: 132,
      render: ({ deviceName, surveillanceName }) => <Two first={deviceName} second={surveillanceName} />,
    },
    {
      field: 'captureTime',
      title: t('time'),
      width: 104,
      visibility: 'always',
      render: ({ captureTime }) => <RelativeTime at={captureTime} />,
    },
    { field: 'captures', title: t('captures'), width: 80 },
    ...shared.handling.map((column) => ({ ...column, visibility: 'hidden' as const })),
    {
      field: 'lastCaptureTime',
      title: t('lastCaptureTime'),
      width: 104,
      visibility: 'hidden',
      render: ({ lastCaptureTime }) => <RelativeTime at={lastCaptureTime} />,
    },
  ])
}
