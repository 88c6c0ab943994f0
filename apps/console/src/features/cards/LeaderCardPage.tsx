/** /leaderCard. */
import { useTranslation } from 'react-i18next'
import { KeyCardPage } from './KeyCardPage.tsx'

export default function LeaderCardPage() {
  const { t } = useTranslation('shell')
  return <KeyCardPage kind="leader" title={t('title.leaderCard')} />
}
