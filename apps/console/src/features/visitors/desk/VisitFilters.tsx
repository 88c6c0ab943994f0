/** Filters of the list of visits that have a control of their own: several statuses, and the host. */
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { useMayCall } from '../../../api/session.ts'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { HostField } from '../form/HostField.tsx'
import type { Visits } from './visits.ts'
import styles from './desk.module.css'

export function VisitFilters({ list }: { list: Visits }) {
  const { t } = useTranslation('visitors')
  const optionsOf = useEnumOptions()
  const maySearchHosts = useMayCall(visitorCalls.hosts)
  const { status = [], intervieweeId } = list.query
  const host = list.rows.find((row) => row.intervieweeId === intervieweeId)?.visiteeName
  return (
    <>
      <Select<number[]>
        mode="multiple"
        className={styles.filter ?? ''}
        aria-label={t('status')}
        placeholder={t('status')}
        allowClear
        maxTagCount={1}
        maxTagTextLength={4}
        showSearch={{ optionFilterProp: 'label' }}
        value={[...status]}
        options={optionsOf(visitorStatus)}
        onChange={(chosen) => list.setQuery({ status: chosen.length > 0 ? (chosen as typeof status) : undefined })}
      />
      {maySearchHosts && (
        <HostField
          className={styles.filter}
          label={t('host')}
          placeholder={t('host')}
          value={intervieweeId}
          name={host}
          onChange={(id) => list.setQuery({ intervieweeId: id ?? undefined })}
        />
      )}
    </>
  )
}
