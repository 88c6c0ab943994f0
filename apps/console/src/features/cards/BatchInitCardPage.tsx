/** /batchInitCard: many init cards, put on the machine in turn. */
import { useTranslation } from 'react-i18next'
import { KeyCardPage } from './KeyCardPage.tsx'

export default function BatchInitCardPage() {
  const { t } = useTranslation('shell')
  return <KeyCardPage kind="init" title={t('title.batchInitCard')} many />
}
