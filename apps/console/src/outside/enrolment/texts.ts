/** The texts of this page alone, in the phone's language. */
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { languageOf } from '@gatehouse/contract/envelope'
import type { Refusal } from '../../api/refusal.ts'

const texts = import.meta.glob<object>('../../i18n/*/enrolment.json', { import: 'default' })

/** @param requestedLanguage the browser's language */
export async function speak(requestedLanguage: string): Promise<void> {
  const language = languageOf(requestedLanguage)
  const enrolment = await texts[`../../i18n/${language}/enrolment.json`]!()
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    defaultNS: 'enrolment',
    resources: { [language]: { enrolment } },
    interpolation: { escapeValue: false },
  })
  document.documentElement.lang = language
  document.title = i18next.t('enrolment:phone.title')
}

/** Return what is wrong and what to do about it. */
export function wordsOf({ code, status, message }: Refusal): string {
  const text = (key: string): string => i18next.t(`enrolment:phone.refused.${key}`, { defaultValue: '' })
  return text(String(code)) || text(String(status)) || message || i18next.t('enrolment:phone.refused.other')
}
