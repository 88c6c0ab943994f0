/** The fields that a park has added to its visitor form, in their order. */
import { Checkbox, Form, Input, Radio, Select } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { customFieldInputType } from '@gatehouse/contract/enums/visitors'
import { choicesOf, visitorConfigurationCalls, type VisitorField } from '@gatehouse/contract/visitors/configuration'
import { VISITOR_VALUE_MAX } from '@gatehouse/contract/visitors/fields'
import { useRead } from '../../../api/query.ts'
import { PictureField } from '../../../kit/media/PictureField.tsx'
import type { VisitValues } from './visitValues.ts'
import styles from './form.module.css'

export function OwnFields() {
  const park = useRead(visitorConfigurationCalls.readForm, {})
  const form = Form.useFormInstance<VisitValues>()
  const values = Form.useWatch('customFields', { form, preserve: true })
  const fields = park.data?.fields
  // A draft, or a new visit, may hold other fields than the park has now.
  useEffect(() => {
    if (!fields) return
    const valueById = new Map((form.getFieldValue('customFields') as VisitValues['customFields'])?.map(({ id, value }) => [id, value]))
    if (valueById.size === fields.length && fields.every(({ id }, at) => [...valueById.keys()][at] === id)) return
    form.setFieldValue(
      'customFields',
      fields.map(({ id }) => ({ id, value: valueById.get(id) ?? '' })),
    )
  }, [fields, form])
  const shown = (values ?? []).flatMap(({ id }, at) => {
    const field = fields?.find((one) => one.id === id)
    return field ? [{ field, at }] : []
  })
  if (shown.length === 0) return null
  return (
    <div className={styles.fields}>
      {shown.map(({ field, at }) => (
        <Form.Item key={field.id} name={['customFields', at, 'value']} label={field.displayName} required={field.required}>
          <OwnField field={field} />
        </Form.Item>
      ))}
    </div>
  )
}

interface OwnFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null
  onChange?: (value: string) => void
  field: VisitorField
}

/** The control of a custom field. Its value is a text, whatever the control is. */
function OwnField({ id, value, onChange, field: { displayName, inputType, values, required } }: OwnFieldProps) {
  const { t } = useTranslation('visitors')
  const text = value ?? ''
  const options = choicesOf(values).map((choice) => ({ value: choice, label: choice }))
  const named = id && { id }
  switch (inputType) {
    case customFieldInputType.select:
      return (
        <Select<string>
          {...named}
          allowClear={!required}
          {...(text !== '' && { value: text })}
          options={options}
          placeholder={t('choose')}
          onChange={(chosen) => onChange?.(chosen ?? '')}
        />
      )
    case customFieldInputType.radio:
      return <Radio.Group {...named} value={text} options={options} onChange={({ target }) => onChange?.(String(target.value))} />
    case customFieldInputType.multiple:
      return (
        <Checkbox.Group<string> {...named} value={choicesOf(text)} options={options} onChange={(chosen) => onChange?.(chosen.join(';'))} />
      )
    case customFieldInputType.image:
      return <PictureField use="face" name={displayName} value={text} onChange={(address) => onChange?.(address)} />
    default:
      return (
        <Input
          {...named}
          value={text}
          maxLength={VISITOR_VALUE_MAX}
          autoComplete="off"
          onChange={({ target }) => onChange?.(target.value)}
        />
      )
  }
}
