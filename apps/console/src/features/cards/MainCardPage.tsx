/** /mainCard. */
import { useTranslation } from 'react-i18next'
import { KeyCardPage } from './KeyCardPage.tsx'

export default function MainCardPage() {
  const { t } = useTranslation('shell')
  return <KeyCardPage kind="main" title={t('title.mainCard')} />
}
