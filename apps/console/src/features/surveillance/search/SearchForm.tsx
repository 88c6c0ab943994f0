/** The conditions of a face search: window, cameras, least similarity, and the reason, which the log of reads keeps. */
import { SearchOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SEARCH_REASON_MAX } from '@gatehouse/contract'
import { deviceType } from '@gatehouse/contract/enums'
import { useMay } from '../../../api/session.ts'
import { RangeField } from '../../../kit/list/RangeField.tsx'
import { DoorsField } from '../../../shared/DoorsField.tsx'
import { SimilarityField } from '../StrictnessFields.tsx'
import { SEARCH_DAYS, type FaceSearch } from './useFaceSearch.ts'
import styles from './search.module.css'

interface SearchFormProps {
  search: FaceSearch
  /** Whether captures are searched, by window and camera; else the registered photos, all of them. */
  isOfCaptures: boolean
  /** What is wrong with window and reason; absent: nothing. */
  errors: { window?: string | undefined; reason?: string | undefined }
}

export function SearchForm({ search, isOfCaptures, errors }: SearchFormProps) {
  const { t } = useTranslation('surveillance')
  const id = useId()
  const mayListDevices = useMay('device.list')
  const { settings, change } = search
  return (
    <form
      className={styles.form}
      data-short={!isOfCaptures || undefined}
      aria-label={t('search.conditions')}
      onSubmit={(event) => {
        event.preventDefault()
        search.start()
      }}
    >
      {isOfCaptures && (
        <Field label={t('search.window')} error={errors.window}>
          <RangeField unset={SEARCH_DAYS} value={settings} onChange={({ startTime, endTime }) => change({ startTime, endTime })} />
        </Field>
      )}
      {isOfCaptures && mayListDevices && (
        <Field label={t('search.cameras')} htmlFor={`${id}-cameras`}>
          <DoorsField
            id={`${id}-cameras`}
            type={deviceType.captureCamera}
            placeholder={t('search.allCameras')}
            value={settings.deviceIds ?? []}
            onChange={(deviceIds) => change({ deviceIds: deviceIds.length > 0 ? deviceIds : undefined })}
          />
        </Field>
      )}
      <Field label={t('search.minScore')} htmlFor={`${id}-score`}>
        <SimilarityField
          id={`${id}-score`}
          placeholder={t('search.promised')}
          value={settings.minScore ?? null}
          onChange={(minScore) => change({ minScore: minScore ?? undefined })}
        />
      </Field>
      <div className={styles.reason}>
        <Field label={t('search.reason')} htmlFor={`${id}-reason`} error={errors.reason} errorId={`${id}-missing`}>
          <Input
            id={`${id}-reason`}
            value={search.reason}
            maxLength={SEARCH_REASON_MAX}
            placeholder={t('search.reasonExample')}
            aria-required
            {...(errors.reason !== undefined && { status: 'error' as const, 'aria-invalid': true, 'aria-describedby': `${id}-missing` })}
            onChange={({ target }) => search.setReason(target.value)}
          />
        </Field>
        <Button type="primary" htmlType="submit" icon={<SearchOutlined />}>
          {t('search.start')}
        </Button>
      </div>
      <p className={styles.hint}>{t(isOfCaptures ? 'search.logged' : 'search.loggedPeople')}</p>
    </form>
  )
}

interface FieldProps {
  label: string
  /** Id of the field; absent: it has a label of its own for screen readers. */
  htmlFor?: string
  error?: string | undefined
  errorId?: string
  children: ReactNode
}

function Field({ label, htmlFor, error, errorId, children }: FieldProps) {
  return (
    <div className={styles.field}>
      {htmlFor === undefined ? <span className={styles.label}>{label}</span> : <label htmlFor={htmlFor}>{label}</label>}
      {children}
      {error !== undefined && (
        <p id={errorId} role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}
