/** /initCard. */
import { useTranslation } from 'react-i18next'
import { KeyCardPage } from './KeyCardPage.tsx'

export default function InitCardPage() {
  const { t } = useTranslation('shell')
  return <KeyCardPage kind="init" title={t('title.initCard')} />
}
