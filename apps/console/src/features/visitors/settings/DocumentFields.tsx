/** One document that visitors agree to or sign: how, and its title and text in each language. */
import { DeleteOutlined } from '@ant-design/icons'
import { Button, Form, Input, Select, Switch } from 'antd'
import TextArea from 'antd/es/input/TextArea'
import { useTranslation } from 'react-i18next'
import { LANGUAGES } from '@gatehouse/contract'
import { DOCUMENT_TEXT_MAX, DOCUMENT_TITLE_MAX } from '@gatehouse/contract/visitors/documents'
import { DOCUMENT_AGREEMENTS } from '@gatehouse/contract/visitors/signing'
import styles from './documents.module.css'

interface DocumentFieldsProps {
  /** Place in the list, from 0. */
  at: number
  /** Current version by document. */
  versions: ReadonlyMap<string, number>
  remove: () => void
}

export function DocumentFields({ at, versions, remove }: DocumentFieldsProps) {
  const { t } = useTranslation('visitors')
  const id = Form.useWatch<string | undefined>(['documents', at, 'id'], { preserve: true })
  const nth = at + 1
  const version = versions.get(id ?? '')
  return (
    <fieldset className={styles.document}>
      <legend>
        {t('documents.nth', { nth })}
        {version !== undefined && <small>{t('documents.version', { version })}</small>}
      </legend>
      <div className={styles.options}>
        <Form.Item name={[at, 'agreement']} label={t('documents.agreement')}>
          <Select
            options={DOCUMENT_AGREEMENTS.map((value) => ({ value, label: t(`documents.agreements.${value}`) }))}
            style={{ width: 200 }}
          />
        </Form.Item>
        <Form.Item name={[at, 'enabled']} label={t('documents.enabled')} valuePropName="checked">
          <Switch />
        </Form.Item>
        <Button
          type="text"
          icon={<DeleteOutlined />}
          aria-label={t('documents.removeNth', { nth })}
          title={t('documents.remove')}
          onClick={remove}
        />
      </div>
      <div className={styles.texts}>
        {LANGUAGES.map((language) => (
          <div key={language}>
            <Form.Item name={[at, 'texts', language, 'title']} label={t('documents.titleIn', { language: t(`languages.${language}`) })}>
              <Input maxLength={DOCUMENT_TITLE_MAX} autoComplete="off" lang={language} />
            </Form.Item>
            <Form.Item name={[at, 'texts', language, 'text']} label={t('documents.textIn', { language: t(`languages.${language}`) })}>
              <TextArea rows={6} maxLength={DOCUMENT_TEXT_MAX} lang={language} />
            </Form.Item>
          </div>
        ))}
      </div>
    </fieldset>
  )
}
