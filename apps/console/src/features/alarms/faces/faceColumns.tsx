/** Columns of the list of face alarms: both faces first, then who, how serious, where and when. */
import { useTranslation } from 'react-i18next'
import type { FaceAlarm } from '@gatehouse/contract/alarms/face-alarms'
import { alarmHandlingStatus, alarmLevel } from '@gatehouse/contract/enums/alarms'
import { EnumTag } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { AlarmFaces } from '../../../shared/AlarmFaces.tsx'
import { Two } from '../list/Two.tsx'

/** Pixels; rows of either density have room for it. */
const FACE = 44

export function useFaceColumns(): TableColumn<FaceAlarm>[] {
  const { t } = useTranslation('alarms')
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
    { field: 'level', title: t('level'), width: 64, render: ({ level }) => <EnumTag of={alarmLevel} value={level} /> },
    {
      field: 'status',
      title: t('status'),
      width: 92,
      visibility: 'always',
      render: ({ status }) => <EnumTag of={alarmHandlingStatus} value={status} />,
    },
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
    { field: 'operator', title: t('operator'), width: 100, visibility: 'hidden' },
    { field: 'dealtAt', title: t('dealtAt'), width: 104, visibility: 'hidden', render: ({ dealtAt }) => <RelativeTime at={dealtAt} /> },
    { field: 'dealingRecord', title: t('dealingRecord'), width: 140, visibility: 'hidden' },
    {
      field: 'lastCaptureTime',
      title: t('lastCaptureTime'),
      width: 104,
      visibility: 'hidden',
      render: ({ lastCaptureTime }) => <RelativeTime at={lastCaptureTime} />,
    },
  ])
}
