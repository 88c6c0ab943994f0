/** The custom fields of the visitor form, in their order. */
import { PlusOutlined } from '@ant-design/icons'
import { Button, Form } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf } from '@gatehouse/contract'
import { customFieldInputType } from '@gatehouse/contract/enums/visitors'
import { CUSTOM_FIELDS_MAX } from '@gatehouse/contract/people/form'
import { visitorConfigurationCalls, type VisitorForm } from '@gatehouse/contract/visitors/configuration'
import { modal } from '../../../kit/feedback.tsx'
import { FormBody } from '../../../kit/form/FormBody.tsx'
import { loadedFrom } from '../../../kit/form/loaded.ts'
import { SettingsFoot } from '../../../kit/form/SettingsFoot.tsx'
import { useStoredForm } from '../../../kit/form/useStoredForm.ts'
import { FieldLine } from './FieldLine.tsx'
import styles from './settings.module.css'

type Fields = NonNullable<InputOf<typeof visitorConfigurationCalls.changeForm.body>['fields']>
interface Values {
  fields: Fields
  version: number
}

const valuesOf = ({ fields, version }: VisitorForm): Values => ({ fields: fields.map(({ order: _, ...field }) => field), version })

const newField = (): Partial<Fields[number]> => ({
  inputType: customFieldInputType.input,
  values: '',
  showInVisitorList: false,
  required: false,
})

export function FormEditor() {
  const { t } = useTranslation('visitors')
  const id = useId()
  const { found, contract, unsaved, startOver } = useStoredForm({
    read: visitorConfigurationCalls.readForm,
    save: visitorConfigurationCalls.changeForm,
    draft: 'visitorForm',
    done: t('saved'),
    valuesOf,
  })
  return (
    <section className={styles.editor} aria-label={t('fields.title')}>
      <header>
        <h2>{t('fields.title')}</h2>
        <p>{t('fields.words')}</p>
      </header>
      <FormBody id={id} initial={loadedFrom(found, valuesOf)} contract={contract}>
        <FieldLines changed={contract.changed} />
      </FormBody>
      <SettingsFoot
        form={id}
        unsaved={unsaved}
        pending={contract.pending}
        texts={{ save: t('fields.save'), discard: t('settings.discard'), unsaved: t('settings.unsaved') }}
        discard={() => void startOver()}
        hasDiscard={unsaved || contract.failures.length > 0}
      />
    </section>
  )
}

/** @param changed called when a field is added, moved or removed: the form notices only typing */
function FieldLines({ changed }: { changed: () => void }) {
  const { t } = useTranslation('visitors')
  const form = Form.useFormInstance<Values>()
  const askRemove = (at: number, drop: () => void): void => {
    const { id, displayName = '' } = (form.getFieldValue('fields') as Partial<Fields[number]>[])[at] ?? {}
    if (id === undefined) return drop()
    modal.confirm({
      title: t('fields.removeTitle', { title: displayName }),
      content: t('fields.removeWords'),
      okText: t('fields.remove'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: drop,
    })
  }
  return (
    <Form.List name="fields">
      {(lines, { add, remove, move }, { errors }) => (
        <>
          <Form.ErrorList errors={errors} />
          {lines.length === 0 && <p className={styles.none}>{t('fields.none')}</p>}
          <ol className={styles.list} aria-label={t('fields.title')}>
            {lines.map(({ key, name: at }) => (
              <FieldLine
                key={key}
                at={at}
                count={lines.length}
                move={(to) => {
                  move(at, to)
                  changed()
                }}
                remove={() =>
                  askRemove(at, () => {
                    remove(at)
                    changed()
                  })
                }
              />
            ))}
          </ol>
          {lines.length < CUSTOM_FIELDS_MAX ? (
            <Button
              icon={<PlusOutlined />}
              onClick={() => {
                add(newField())
                changed()
              }}
            >
              {t('fields.add')}
            </Button>
          ) : (
            <p className={styles.none}>{t('fields.full', { count: CUSTOM_FIELDS_MAX })}</p>
          )}
        </>
      )}
    </Form.List>
  )
}
