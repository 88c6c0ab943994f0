/** /staffCurrent: every passage, as it happens. */
import { useTranslation } from 'react-i18next'
import { accessResult, failReason } from '@gatehouse/contract/enums/access'
import { passDirection } from '@gatehouse/contract/enums/devices'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { RecordList } from './RecordList.tsx'
import { useDoorFilter } from './useRecords.ts'

export default function StaffRecordsPage() {
  const { t } = useTranslation('records')
  const optionsOf = useEnumOptions()
  const doors = useDoorFilter()
  return (
    <RecordList
      name="records"
      title={t('records')}
      fixed={{}}
      offerStrangers
      empty={t('noRecords')}
      filters={[
        { field: 'personName', label: t('person') },
        { field: 'result', label: t('verdict'), options: optionsOf(accessResult) },
        ...doors,
        { field: 'failReason', label: t('reason'), options: optionsOf(failReason) },
        { field: 'direction', label: t('direction'), options: optionsOf(passDirection) },
      ]}
    />
  )
}
