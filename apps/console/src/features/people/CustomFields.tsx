/** The fields that a park has added to its person form. */
import { Form, Input } from 'antd'
import { useEffect } from 'react'
import { TEXT_MAX } from '@gatehouse/contract'
import { personFormCalls } from '@gatehouse/contract/people/form'
import { useRead } from '../../api/query.ts'
import type { PersonValues } from './personValues.ts'
import styles from './people.module.css'

/**
 * Show the fields in the order of the park.
 * @param demanding whether required fields are required of this person
 */
export function CustomFields({ demanding }: { demanding: boolean }) {
  const park = useRead(personFormCalls.read, {})
  const form = Form.useFormInstance<PersonValues>()
  const values = Form.useWatch('customFields', { form, preserve: true })
  const fields = park.data?.fields
  // A draft, or a new person, may hold other fields than the park has now.
  useEffect(() => {
    if (!fields) return
    const valueById = new Map((form.getFieldValue('customFields') as PersonValues['customFields'])?.map(({ id, value }) => [id, value]))
    if (valueById.size === fields.length && fields.every(({ id }, at) => [...valueById.keys()][at] === id)) return
    form.setFieldValue(
      'customFields',
      fields.map(({ id }) => ({ id, value: valueById.get(id) ?? '' })),
    )
  }, [fields, form])
  const shown = (values ?? []).flatMap(({ id }, at) => {
    const field = fields?.find((one) => one.id === id)
    return field?.visible ? [{ ...field, at }] : []
  })
  if (shown.length === 0) return null
  return (
    <div className={styles.fields}>
      {shown.map(({ id, title, required, at }) => (
        <Form.Item key={id} name={['customFields', at, 'value']} label={title} required={demanding && required}>
          <Input maxLength={TEXT_MAX} autoComplete="off" />
        </Form.Item>
      ))}
    </div>
  )
}
