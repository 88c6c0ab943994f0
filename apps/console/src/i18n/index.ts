/** The language of the console: chosen once, loaded without the others, switched without a reload. */
import type { Locale } from 'antd/es/locale'
import i18next, { type BackendModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { create } from 'zustand'
import { LANGUAGES, languageOf, type Language } from '@gatehouse/contract'
import { storage } from '../api/storage.ts'
import { followDictionary, layDictionary } from './dictionary.ts'
import { featureTexts, shellTexts, type TextTree } from './namespaces.ts'

/** Name of each language in its own script. */
export const LANGUAGE_NAMES: Record<Language, string> = { 'zh-CN': '简体中文', 'zh-TW': '繁體中文', en: 'English' }

const bundles = {
  'zh-CN': () => import('./zh-CN/bundle.ts'),
  'zh-TW': () => import('./zh-TW/bundle.ts'),
  en: () => import('./en/bundle.ts'),
} satisfies Record<Language, unknown>

async function bundleOf(language: Language) {
  const { antd, texts, titles } = (await bundles[language]()).default
  return { antd, texts: { ...texts, shell: shellTexts(texts.shell, titles) } }
}

/** Return the texts that every page needs, in any language, shown or not. */
export const textsOf = async (language: Language) => (await bundleOf(language)).texts

/** Return the saved preference, else the browser's language. */
export function preferredLanguage(): Language {
  const saved = storage.get('language')
  return LANGUAGES.find((language) => language === saved) ?? languageOf(navigator.language)
}

interface LanguageState {
  language: Language
  antd: Locale | undefined
}
export const useLanguage = create<LanguageState>(() => ({ language: 'en', antd: undefined }))

const features = {
  'zh-CN': () => import('./zh-CN/features.ts'),
  'zh-TW': () => import('./zh-TW/features.ts'),
  en: () => import('./en/features.ts'),
} satisfies Record<Language, unknown>

/** Load the texts of all features at once: a component that waits for texts when it opens is hidden meanwhile, and loses the focus. */
async function loadFeatures(language: Language): Promise<Record<string, TextTree>> {
  const { files, operations, ...shared } = (await features[language]()).default
  const all: Record<string, TextTree> = { ...shared, ...featureTexts(files, operations) }
  for (const [namespace, texts] of Object.entries(all))
    if (!i18next.hasResourceBundle(language, namespace)) i18next.addResourceBundle(language, namespace, texts)
  return all
}

/** Loads texts when the first page of a feature needs them. */
const lazyTexts: BackendModule = {
  type: 'backend',
  init: () => {},
  read: (language, namespace, done) => {
    if (!(language in features)) return done(new Error(`no texts in ${language}`), false)
    loadFeatures(language as Language).then(
      (all) => (all[namespace] === undefined ? done(new Error(`no texts ${namespace} in ${language}`), false) : done(null, all[namespace])),
      (error: unknown) => done(error as Error, true),
    )
  },
}

/** Load the texts of a language and show it. */
export async function showLanguage(language: Language): Promise<void> {
  const { antd, texts } = await bundleOf(language)
  if (!i18next.isInitialized) {
    await i18next
      .use(initReactI18next)
      .use(lazyTexts)
      .init({
        lng: language,
        fallbackLng: false,
        // Otherwise texts in `zh-CN` would be requested in `zh` as well, which does not exist.
        load: 'currentOnly',
        ns: Object.keys(texts),
        defaultNS: 'common',
        resources: { [language]: texts },
        partialBundledLanguages: true,
        interpolation: { escapeValue: false },
        returnNull: false,
      })
    layDictionary(language, texts.enums)
    followDictionary()
  } else {
    for (const [namespace, entries] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, entries, true, true)
    await loadFeatures(language)
    layDictionary(language, texts.enums)
    await i18next.changeLanguage(language)
  }
  document.documentElement.lang = language
  useLanguage.setState({ language, antd })
}

let started: Promise<void> | undefined
/** Show the initial language of a tab, once. A change of language waits for it; otherwise the initial one might be shown last. */
export const startLanguage = (): Promise<void> => (started ??= showLanguage(preferredLanguage()))

/** Show the language that the user chose, and store the choice. */
export async function chooseLanguage(language: Language): Promise<void> {
  storage.set('language', language)
  await showLanguage(language)
}
