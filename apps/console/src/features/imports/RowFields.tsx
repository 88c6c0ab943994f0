/** The fields of a row under correction, each with the reason why it was refused. */
import { PlusOutlined } from '@ant-design/icons'
import { Button, Form, type FormInstance } from 'antd'
import { useTranslation } from 'react-i18next'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { FieldInput } from './FieldInput.tsx'
import { useFieldWords } from './importWords.ts'
import { inputName, type RowCorrection, type TypedValues } from './useRowCorrection.ts'
import styles from './rows.module.css'

interface RowFieldsProps {
  form: FormInstance<TypedValues>
  formId: string
  kind: PersonKind
  correction: RowCorrection
  save: (typed: TypedValues) => void
  addGroup: () => void
}

export function RowFields({ form, formId, kind, correction, save, addGroup }: RowFieldsProps) {
  const { t } = useTranslation('imports')
  const { labelOf } = useFieldWords()
  const { row, shown, initial, isFixed, isAddingGroup, issueOf } = correction
  const typedGroup = Form.useWatch<string | undefined>('groupName', form)
  return (
    <Form
      form={form}
      id={formId}
      hidden={isFixed}
      layout="vertical"
      initialValues={Object.fromEntries(Object.entries(initial).map(([field, value]) => [inputName(field), value]))}
      onFinish={save}
    >
      <div className={styles.fields}>
        {shown.map((field) => {
          const issue = issueOf(field)
          const isGroupMissing = issue?.rule === 'unknownGroup' && typedGroup === row.groupName
          return (
            <Form.Item
              key={field}
              name={inputName(field)}
              label={labelOf(field)}
              {...(issue && { help: issue.words, validateStatus: 'error' as const })}
              {...(isGroupMissing && {
                extra: (
                  <Button type="link" size="small" icon={<PlusOutlined />} loading={isAddingGroup} onClick={addGroup}>
                    {t('addGroup', { name: row.groupName })}
                  </Button>
                ),
              })}
            >
              <FieldInput field={field} kind={kind} wrong={issue !== undefined} />
            </Form.Item>
          )
        })}
      </div>
    </Form>
  )
}
