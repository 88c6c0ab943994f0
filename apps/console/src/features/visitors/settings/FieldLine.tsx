/** One custom field of the visitor form. Alt and an arrow key in any of its inputs move it. */
import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined } from '@ant-design/icons'
import { Button, Checkbox, Form, Input, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { customFieldInputType } from '@gatehouse/contract/enums/visitors'
import { CUSTOM_FIELD_TITLE_MAX } from '@gatehouse/contract/people/form'
import { VISITOR_CHOICES_MAX } from '@gatehouse/contract/visitors/configuration'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import styles from './settings.module.css'

interface FieldLineProps {
  /** Place in the list, from 0. */
  at: number
  /** Number of fields. */
  count: number
  move: (to: number) => void
  remove: () => void
}

/** Characters of all choices together. */
const CHOICES_MAX = 2000
const WITH_CHOICES: readonly (number | undefined)[] = [
  customFieldInputType.select,
  customFieldInputType.radio,
  customFieldInputType.multiple,
]

export function FieldLine({ at, count, move, remove }: FieldLineProps) {
  const { t } = useTranslation('visitors')
  const optionsOf = useEnumOptions()
  const inputType = Form.useWatch<number | undefined>(['fields', at, 'inputType'])
  const nth = at + 1
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      onKeyDown={(event) => {
        if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
        event.preventDefault()
        const to = at + (event.key === 'ArrowUp' ? -1 : 1)
        if (to >= 0 && to < count) move(to)
      }}
    >
      <span className={styles.place} aria-hidden="true">
        {nth}
      </span>
      <div className={styles.line}>
        <Form.Item name={[at, 'displayName']} label={t('fields.displayName')} required>
          <Input maxLength={CUSTOM_FIELD_TITLE_MAX} autoComplete="off" />
        </Form.Item>
        <Form.Item name={[at, 'fieldName']} label={t('fields.fieldName')} required tooltip={t('fields.fieldNameHint')}>
          <Input maxLength={CUSTOM_FIELD_TITLE_MAX} autoComplete="off" />
        </Form.Item>
        <Form.Item name={[at, 'inputType']} label={t('fields.inputType')}>
          <Select options={optionsOf(customFieldInputType)} />
        </Form.Item>
        <Form.Item
          name={[at, 'values']}
          label={t('fields.values')}
          required
          hidden={!WITH_CHOICES.includes(inputType)}
          extra={t('fields.valuesHint', { count: VISITOR_CHOICES_MAX })}
          className={styles.wholeLine ?? ''}
        >
          <Input maxLength={CHOICES_MAX} autoComplete="off" placeholder={t('fields.valuesExample')} />
        </Form.Item>
        <div className={styles.ticks}>
          <Form.Item name={[at, 'required']} valuePropName="checked">
            <Checkbox>{t('fields.required')}</Checkbox>
          </Form.Item>
          <Form.Item name={[at, 'showInVisitorList']} valuePropName="checked">
            <Checkbox>{t('fields.showInVisitorList')}</Checkbox>
          </Form.Item>
        </div>
      </div>
      <span className={styles.buttons}>
        <Button
          type="text"
          icon={<ArrowUpOutlined />}
          disabled={at === 0}
          aria-label={t('fields.up', { nth })}
          title={t('fields.upHint')}
          onClick={() => move(at - 1)}
        />
        <Button
          type="text"
          icon={<ArrowDownOutlined />}
          disabled={at === count - 1}
          aria-label={t('fields.down', { nth })}
          title={t('fields.downHint')}
          onClick={() => move(at + 1)}
        />
        <Button
          type="text"
          icon={<DeleteOutlined />}
          aria-label={t('fields.removeNth', { nth })}
          title={t('fields.remove')}
          onClick={remove}
        />
      </span>
    </li>
  )
}
