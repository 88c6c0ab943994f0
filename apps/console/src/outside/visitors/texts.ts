/** The texts of this page alone, in the phone's language; those of photos are shared with self-enrolment. */
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { languageOf } from '@gatehouse/contract/envelope'

const texts = import.meta.glob<object>(['../../i18n/*/enrolment.json', '../../i18n/*/visit.json'], { import: 'default' })

/** @param requestedLanguage the browser's language */
export async function speak(requestedLanguage: string): Promise<void> {
  const language = languageOf(requestedLanguage)
  const [enrolment, visit] = await Promise.all([
    texts[`../../i18n/${language}/enrolment.json`]!(),
    texts[`../../i18n/${language}/visit.json`]!(),
  ])
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    defaultNS: 'visit',
    resources: { [language]: { enrolment, visit } },
    interpolation: { escapeValue: false },
  })
  document.documentElement.lang = language
  document.title = i18next.t('visit:title')
}
