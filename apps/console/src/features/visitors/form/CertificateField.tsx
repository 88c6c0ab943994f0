/** Type and number of an identity document. Its value is null while no number is typed. */
import { Input, Select, Space } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PERSON_NUMBER_MAX } from '@gatehouse/contract'
import { ID_TYPES } from '@gatehouse/contract/people/person-fields'
import type { IdType } from './visitValues.ts'
import styles from './form.module.css'

interface Certificate {
  type: IdType
  number: string
}

interface CertificateFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: Certificate | null
  onChange?: (value: Certificate | null) => void
}

export function CertificateField({ id, value, onChange }: CertificateFieldProps) {
  const { t } = useTranslation('visitors')
  const [chosen, setChosen] = useState<IdType>(ID_TYPES[0])
  const type = value?.type ?? chosen
  return (
    // The number comes first: a dialog moves the focus to it.
    <Space.Compact block>
      <Input
        {...(id && { id })}
        value={value?.number ?? ''}
        maxLength={PERSON_NUMBER_MAX}
        autoComplete="off"
        placeholder={t('certificateNumber')}
        onChange={({ target }) => onChange?.(target.value === '' ? null : { type, number: target.value })}
      />
      <Select<IdType>
        className={styles.idType ?? ''}
        aria-label={t('certificateType')}
        value={type}
        options={ID_TYPES.map((one) => ({ value: one, label: t(`people:idType.${one}`) }))}
        onChange={(next) => {
          setChosen(next)
          if (value) onChange?.({ ...value, type: next })
        }}
      />
    </Space.Compact>
  )
}
