/** /customize: the fields that a park adds to its person form, in their order. */
import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Checkbox, Form, Input, Switch } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { CUSTOM_FIELD_TITLE_MAX, CUSTOM_FIELDS_MAX, personFormCalls, type PersonForm } from '@gatehouse/contract/people/form'
import { modal } from '../../../kit/feedback.tsx'
import { FormBody } from '../../../kit/form/FormBody.tsx'
import { loadedFrom } from '../../../kit/form/loaded.ts'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { SettingsFoot } from '../../../kit/form/SettingsFoot.tsx'
import { useStoredForm } from '../../../kit/form/useStoredForm.ts'
import styles from './settings.module.css'

type Fields = Pick<PersonForm, 'idPhotoRequired' | 'version'> & {
  fields: { id?: string; title: string; required: boolean; visible: boolean }[]
}

const valuesOf = ({ fields, idPhotoRequired, version }: PersonForm): Fields => ({
  fields: fields.map(({ order: _, ...field }) => field),
  idPhotoRequired,
  version,
})

export default function CustomizePage() {
  const { t } = useTranslation('people')
  const id = useId()
  const { found, contract, unsaved, startOver } = useStoredForm({
    read: personFormCalls.read,
    save: personFormCalls.change,
    draft: 'customize',
    done: t('settings.customize.saved'),
    valuesOf,
  })
  return (
    <Screen title={t('settings.customize.title')} note={found.data && t('settings.customize.count', { count: found.data.fields.length })}>
      <div className={styles.form}>
        <p className={styles.words}>{t('settings.customize.words')}</p>
        <FormBody id={id} initial={loadedFrom(found, valuesOf)} contract={contract}>
          <OwnFields changed={contract.changed} />
          <div className={styles.photo}>
            <Form.Item name="idPhotoRequired" valuePropName="checked" noStyle>
              <Switch />
            </Form.Item>
            <label htmlFor="idPhotoRequired">
              <b>{t('settings.customize.idPhoto')}</b>
              <span>{t('settings.customize.idPhotoWords')}</span>
            </label>
          </div>
        </FormBody>
        <SettingsFoot
          form={id}
          unsaved={unsaved}
          pending={contract.pending}
          texts={{ save: t('common:save'), discard: t('settings.customize.discard'), unsaved: t('settings.customize.unsaved') }}
          discard={() => void startOver()}
          hasDiscard={unsaved || contract.failures.length > 0}
        />
      </div>
    </Screen>
  )
}

/** @param changed called when a field is added, moved or removed: the form notices only typing */
function OwnFields({ changed }: { changed: () => void }) {
  const { t } = useTranslation('people')
  const form = Form.useFormInstance<Fields>()
  const askRemove = (at: number, drop: () => void): void => {
    const { id, title } = (form.getFieldValue('fields') as Fields['fields'])[at] ?? { title: '' }
    if (id === undefined) return drop()
    modal.confirm({
      title: t('settings.customize.removeTitle', { title }),
      content: t('settings.customize.removeWords'),
      okText: t('settings.customize.remove'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: drop,
    })
  }
  return (
    <Form.List name="fields">
      {(fields, { add, remove, move }, { errors }) => {
        const put = (from: number, to: number): void => {
          move(from, to)
          changed()
        }
        return (
          <>
            <Form.ErrorList errors={errors} />
            {fields.length === 0 && <p className={styles.none}>{t('settings.customize.none')}</p>}
            <ol className={styles.list} aria-label={t('settings.customize.fields')}>
              {fields.map(({ key, name: at }) => (
                // Alt and an arrow key in any of its inputs move the line.
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
                <li
                  key={key}
                  onKeyDown={(event) => {
                    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
                    event.preventDefault()
                    const to = at + (event.key === 'ArrowUp' ? -1 : 1)
                    if (to >= 0 && to < fields.length) put(at, to)
                  }}
                >
                  <span className={styles.place} aria-hidden="true">
                    {at + 1}
                  </span>
                  <Form.Item name={[at, 'title']}>
                    <Input
                      maxLength={CUSTOM_FIELD_TITLE_MAX}
                      aria-label={t('settings.customize.titleOf', { nth: at + 1 })}
                      placeholder={t('settings.customize.titleHint')}
                    />
                  </Form.Item>
                  <Form.Item name={[at, 'required']} valuePropName="checked">
                    <Checkbox>{t('settings.customize.required')}</Checkbox>
                  </Form.Item>
                  <Form.Item name={[at, 'visible']} valuePropName="checked">
                    <Checkbox>{t('settings.customize.visible')}</Checkbox>
                  </Form.Item>
                  <span className={styles.buttons}>
                    <Button
                      type="text"
                      icon={<ArrowUpOutlined />}
                      disabled={at === 0}
                      aria-label={t('settings.customize.up', { nth: at + 1 })}
                      title={t('settings.customize.upHint')}
                      onClick={() => put(at, at - 1)}
                    />
                    <Button
                      type="text"
                      icon={<ArrowDownOutlined />}
                      disabled={at === fields.length - 1}
                      aria-label={t('settings.customize.down', { nth: at + 1 })}
                      title={t('settings.customize.downHint')}
                      onClick={() => put(at, at + 1)}
                    />
                    <Button
                      type="text"
                      icon={<DeleteOutlined />}
                      aria-label={t('settings.customize.removeNth', { nth: at + 1 })}
                      title={t('settings.customize.remove')}
                      onClick={() =>
                        askRemove(at, () => {
                          remove(at)
                          changed()
                        })
                      }
                    />
                  </span>
                </li>
              ))}
            </ol>
            {fields.length < CUSTOM_FIELDS_MAX ? (
              <Button
                icon={<PlusOutlined />}
                onClick={() => {
                  add({ title: '', required: false, visible: true })
                  changed()
                }}
              >
                {t('settings.customize.add')}
              </Button>
            ) : (
              <p className={styles.none}>{t('settings.customize.full', { count: CUSTOM_FIELDS_MAX })}</p>
            )}
          </>
        )
      }}
    </Form.List>
  )
}
