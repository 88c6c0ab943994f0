import { useTranslation } from 'react-i18next'

/** Return the texts of settings of alarms. @param save of the button, which says what it saves: a page has several */
export function useSettingsTexts(save: string) {
  const { t } = useTranslation('alarms')
  return { save, discard: t('config.discard'), unsaved: t('config.unsaved'), done: t('config.saved') }
}
