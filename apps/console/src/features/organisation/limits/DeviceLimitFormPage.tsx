/** /deviceLimitDetail: a new limit, or with ?id= one to change. */
import { Form, InputNumber, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { isTypeBuilt } from '@gatehouse/contract/built'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { deviceLimitCalls } from '@gatehouse/contract/organisation/limits'
import { Facts } from '../../../kit/detail/DetailPage.tsx'
import { useEnumLabel, useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { FormPage } from '../../../kit/form/FormPage.tsx'
import { loadedFrom, ready } from '../../../kit/form/loaded.ts'
import { OrganisationField } from '../../../shared/OrganisationField.tsx'
import { useReadOnce } from '../../../api/query.ts'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { path } from '../../../paths.ts'
import styles from '../organisation.module.css'

export default function DeviceLimitFormPage() {
  const [search] = useSearchParams()
  const id = search.get('id')
  return id === null ? <AddLimit /> : <ChangeLimit key={id} id={id} />
}

function AddLimit() {
  const { t } = useTranslation('organisation')
  const navigate = useNavigate()
  return (
    <FormPage
      call={deviceLimitCalls.add}
      title={t('limits.addTitle')}
      initial={ready({})}
      done={t('limits.saved')}
      onDone={() => void navigate(path('deviceLimit'))}
      draft="deviceLimit.add"
    >
      <Form.Item name="organisationId" label={t('limits.organisation')} required extra={t('limits.organisationWords')}>
        <OrganisationField />
      </Form.Item>
      <Form.Item name="deviceType" label={t('limits.deviceType')} extra={t('limits.deviceTypeWords')}>
        <TypeField />
      </Form.Item>
      <LimitField />
    </FormPage>
  )
}

function ChangeLimit({ id }: { id: string }) {
  const { t } = useTranslation('organisation')
  const navigate = useNavigate()
  const labelOf = useEnumLabel()
  const limits = useReadOnce(deviceLimitCalls.list, { body: { id } })
  const found = limits.data?.content[0]
  if (limits.data && !found)
    return (
      <Screen title={t('limits.changeAny')}>
        <p role="alert">{t('limits.gone')}</p>
      </Screen>
    )
  return (
    <FormPage
      call={deviceLimitCalls.update}
      title={found ? t('limits.changeTitle', { name: found.organisationName }) : t('limits.changeAny')}
      initial={loadedFrom(limits, () => ({ limit: found?.limit }))}
      hidden={{ id, version: found?.version }}
      done={t('limits.saved')}
      onDone={() => void navigate(path('deviceLimit'))}
      draft={`deviceLimit.${id}`}
    >
      {found && (
        <div className={styles.facts}>
          <Facts
            facts={[
              [t('limits.organisation'), found.organisationName],
              [t('limits.deviceType'), found.deviceType === null ? t('limits.everyType') : labelOf(deviceType, found.deviceType)],
              [t('limits.usage'), t('limits.used', found)],
            ]}
          />
        </div>
      )}
      <LimitField />
    </FormPage>
  )
}

function LimitField() {
  const { t } = useTranslation('organisation')
  return (
    <Form.Item name="limit" label={t('limits.limit')} required extra={t('limits.limitWords')}>
      <InputNumber style={{ width: 180 }} />
    </Form.Item>
  )
}

/** Of every type together, unless one is chosen. */
function TypeField({ id, value, onChange }: { id?: string; value?: number | null; onChange?: (type: number | null) => void }) {
  const { t } = useTranslation('organisation')
  const options = useEnumOptions()(deviceType).filter((option) => isTypeBuilt(Number(option.value)) || option.value === value)
  return (
    <Select
      {...(id && { id })}
      value={value ?? 0}
      onChange={(type: number | string) => onChange?.(type === 0 ? null : Number(type))}
      options={[{ value: 0, label: t('limits.everyType') }, ...options]}
    />
  )
}
