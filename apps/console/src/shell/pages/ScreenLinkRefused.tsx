/** In place of a data screen: its link opens nothing. */
import { useTranslation } from 'react-i18next'
import { Notice } from './Notice.tsx'

export function ScreenLinkRefused() {
  const { t } = useTranslation('shell')
  return (
    <Notice code="403" title={t('screenLink.title')}>
      {t('screenLink.words')}
    </Notice>
  )
}
