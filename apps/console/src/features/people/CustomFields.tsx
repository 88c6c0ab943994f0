/** The fields a park has added to its person form, in its order. */
import { Form, Input } from 'antd'
import { useEffect } from 'react'
import { TEXT_MAX } from '@gatehouse/contract'
import { personFormCalls } from '@gatehouse/contract/people/form'
import { useRead } from '../../api/query.ts'
import type { PersonValues } from './personValues.ts'
import styles from './people.module.css'

/** @param demanding whether the required ones are */
export function CustomFields({ demanding }: { demanding: boolean }) {
  const park = useRead(personFormCalls.read, {})
  const form = Form.useFormInstance<PersonValues>()
  const values = Form.useWatch('customFields', { form, preserve: true })
  const fields = park.data?.fields
  // A kept draft, or a new person, may know other fields than the park has now.
  useEffect(() => {
    if (!fields) return
    const had = new Map((form.getFieldValue('customFields') as PersonValues['customFields'])?.map(({ id, value }) => [id, value]))
    if (had.size === fields.length && fields.every(({ id }, at) => [...had.keys()][at] === id)) return
    form.setFieldValue(
      'customFields',
      fields.map(({ id }) => ({ id, value: had.get(id) ?? '' })),
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
