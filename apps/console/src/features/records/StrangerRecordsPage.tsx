/** /strangerRecords: faces that belong to no person of the park. */
import { useTranslation } from 'react-i18next'
import { passDirection } from '@gatehouse/contract/enums/devices'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { RecordList } from './RecordList.tsx'
import { useDoorFilter } from './useRecords.ts'

export default function StrangerRecordsPage() {
  const { t } = useTranslation('records')
  const optionsOf = useEnumOptions()
  const doors = useDoorFilter()
  return (
    <RecordList
      name="strangers"
      title={t('strangers')}
      fixed={{ stranger: true }}
      empty={t('noStrangers')}
      filters={[...doors, { field: 'direction', label: t('direction'), options: optionsOf(passDirection) }]}
    />
  )
}
