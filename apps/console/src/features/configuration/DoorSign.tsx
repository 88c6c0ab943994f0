/** A sign for the door: that faces are captured here, what for, and how long they are kept, in the languages that are chosen. */
import { PrinterOutlined } from '@ant-design/icons'
import { Button, Checkbox, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CAPTURE_DAYS, LANGUAGES, type Language } from '@gatehouse/contract'
import type { DeviceSettingDetail } from '@gatehouse/contract/configuration/calls'
import { useSession } from '../../api/session.ts'
import { LANGUAGE_NAMES, useLanguage } from '../../i18n/index.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { printSign, type SignPart } from './printSign.ts'
import type { Inherited } from './settingValues.ts'
import styles from './configuration.module.css'

interface DoorSignProps {
  editor: Editor<DeviceSettingDetail>
  /** Settings of the camera that are in force. */
  keeping: Inherited['values']
}

/** Characters of the contact. */
const CONTACT_MAX = 200

export function DoorSign({ editor, keeping }: DoorSignProps) {
  const { t } = useTranslation('configuration')
  const park = useSession((state) => state.park?.parkName ?? '')
  const current = useLanguage((state) => state.language)
  const [languages, setLanguages] = useState<readonly Language[]>([current])
  const [contact, setContact] = useState('')
  const partOf = useSignParts(park, keeping, contact.trim())
  const parts = LANGUAGES.filter((language) => languages.includes(language)).map(partOf)
  return (
    <Modal
      open={editor.open}
      centered
      width={720}
      title={t('sign.title')}
      onCancel={editor.close}
      footer={
        <>
          <Button onClick={editor.close}>{t('common:cancel')}</Button>
          <Button type="primary" icon={<PrinterOutlined />} disabled={parts.length === 0} onClick={() => printSign(t('sign.title'), parts)}>
            {t('sign.print')}
          </Button>
        </>
      }
    >
      <p>{t('sign.words')}</p>
      <Form layout="vertical">
        <Form.Item label={t('sign.languages')}>
          <Checkbox.Group
            value={[...languages]}
            options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
            onChange={setLanguages}
          />
        </Form.Item>
        <Form.Item label={t('sign.contact')} htmlFor="sign-contact" extra={t('sign.contactHint')}>
          <Input
            id="sign-contact"
            value={contact}
            maxLength={CONTACT_MAX}
            autoComplete="off"
            onChange={({ target }) => setContact(target.value)}
          />
        </Form.Item>
      </Form>
      <section className={styles.sign} aria-label={t('sign.preview')}>
        {parts.map(({ language, heading, lines }) => (
          <div key={language} lang={language}>
            <h3>{heading}</h3>
            {lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </div>
        ))}
      </section>
    </Modal>
  )
}

/** Return a function that returns the sign in a language, which need not be that of the console. */
function useSignParts(park: string, { captureKeeping, captureHours }: Inherited['values'], contact: string): (of: Language) => SignPart {
  const {
    'zh-CN': mainland,
    'zh-TW': taiwan,
    en: english,
  } = {
    'zh-CN': useTranslation('configuration', { lng: 'zh-CN', useSuspense: false }).t,
    'zh-TW': useTranslation('configuration', { lng: 'zh-TW', useSuspense: false }).t,
    en: useTranslation('configuration', { lng: 'en', useSuspense: false }).t,
  }
  return (language) => {
    const t = { 'zh-CN': mainland, 'zh-TW': taiwan, en: english }[language]
    const lines = [
      t('sign.text.captured', { park }),
      t('sign.text.purpose'),
      t(`sign.text.kept.${String(captureKeeping)}`, { days: CAPTURE_DAYS, count: Number(captureHours) }),
      t('sign.text.rights'),
      ...(contact === '' ? [] : [t('sign.text.contact', { contact })]),
    ]
    return { language, heading: t('sign.text.heading'), lines }
  }
}
