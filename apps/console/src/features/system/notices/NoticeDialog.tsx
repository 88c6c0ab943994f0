/** Publishes a notice or corrects one: a tab for each language, with a preview of the text. */
import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGES, TEXT_MAX, type Language } from '@gatehouse/contract'
import { NOTICE_TEXT_MAX, noticeCalls, type SystemNotice } from '@gatehouse/contract/system/notices'
import { useLanguage } from '../../../i18n/index.ts'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import type { Editor } from '../../../kit/form/useEditor.ts'
import styles from '../system.module.css'
import noticeStyles from './notices.module.css'

type Texts = Pick<SystemNotice, 'title' | 'content'>
const NAMES: Record<Language, string> = { 'zh-CN': '简体中文', 'zh-TW': '繁體中文', en: 'English' }
const EMPTY = { 'zh-CN': '', 'zh-TW': '', en: '' }

export default function NoticeDialog({ editor }: { editor: Editor<SystemNotice> }) {
  const { t } = useTranslation('system')
  const { target } = editor
  if (target === undefined)
    return (
      <FormDialog
        call={noticeCalls.addNotice}
        editor={editor}
        width={760}
        title={t('notices.add')}
        initial={ready<Texts>({ title: EMPTY, content: EMPTY })}
        done={t('notices.added')}
        draft="notice.add"
      >
        <Fields />
      </FormDialog>
    )
  const { id, version, title, content } = target
  return (
    <FormDialog
      call={noticeCalls.changeNotice}
      editor={editor}
      width={760}
      title={t('notices.editOf')}
      initial={ready<Texts>({ title, content })}
      hidden={{ id, version }}
      done={t('notices.saved')}
      draft={`notice.${id}`}
    >
      <Fields />
    </FormDialog>
  )
}

function Fields() {
  const { t } = useTranslation('system')
  const { language: own } = useLanguage()
  const form = Form.useFormInstance<Texts>()
  const [shown, setShown] = useState<Language>(own)
  const title = (Form.useWatch('title', form) ?? EMPTY) as Texts['title']
  const content = (Form.useWatch('content', form) ?? EMPTY) as Texts['content']
  // The user's own language comes first and gets the focus.
  const order = [own, ...LANGUAGES.filter((language) => language !== own)]
  const lacks = (language: Language): boolean => !title[language]?.trim() || !content[language]?.trim()

  /** Copy the text of one language to the empty ones, for a user who writes only one. */
  function copy(): void {
    for (const language of LANGUAGES) {
      if (!title[language]?.trim()) form.setFieldValue(['title', language], title[shown])
      if (!content[language]?.trim()) form.setFieldValue(['content', language], content[shown])
    }
  }

  return (
    <>
      <div className={noticeStyles.tabs}>
        <div role="tablist" aria-label={t('notices.languages')}>
          {order.map((language) => (
            <button
              key={language}
              type="button"
              role="tab"
              id={`notice-tab-${language}`}
              aria-selected={language === shown}
              aria-controls={`notice-panel-${language}`}
              data-missing={lacks(language) || undefined}
              title={lacks(language) ? t('notices.missing') : undefined}
              onClick={() => setShown(language)}
            >
              {NAMES[language]}
            </button>
          ))}
        </div>
        <Button size="small" disabled={lacks(shown) || !LANGUAGES.some(lacks)} title={t('notices.copyHint')} onClick={copy}>
          {t('notices.copy')}
        </Button>
      </div>
      <Form.Item noStyle shouldUpdate>
        {({ getFieldsError }) => {
          const refused = order.filter(
            (language) =>
              language !== shown &&
              getFieldsError([
                ['title', language],
                ['content', language],
              ]).some(({ errors }) => errors.length > 0),
          )
          return (
            refused.length > 0 && (
              <p role="alert" className={noticeStyles.failure}>
                {t('notices.wanting', { languages: refused.map((language) => NAMES[language]).join(t('common:listSeparator')) })}
              </p>
            )
          )
        }}
      </Form.Item>
      {order.map((language) => (
        <div
          key={language}
          role="tabpanel"
          id={`notice-panel-${language}`}
          aria-labelledby={`notice-tab-${language}`}
          hidden={language !== shown}
          lang={language}
        >
          <Form.Item name={['title', language]} label={t('notices.title')} required>
            <Input maxLength={TEXT_MAX} showCount />
          </Form.Item>
          <Form.Item name={['content', language]} label={t('notices.content')} required>
            <Input.TextArea maxLength={NOTICE_TEXT_MAX} autoSize={{ minRows: 5, maxRows: 12 }} />
          </Form.Item>
        </div>
      ))}
      <Form.Item label={t('notices.preview')}>
        <div className={noticeStyles.noticeSample} lang={shown}>
          <b>{title[shown] || <span className={styles.none}>{t('notices.title')}</span>}</b>
          <p className={noticeStyles.noticeText}>{content[shown] || <span className={styles.none}>{t('notices.content')}</span>}</p>
        </div>
      </Form.Item>
    </>
  )
}
