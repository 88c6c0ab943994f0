import { useTranslation } from 'react-i18next'
import { Notice } from './Notice.tsx'

export default function NotFoundPage() {
  const { t } = useTranslation('shell')
  return (
    <Notice code="404" title={t('notFound.title')}>
      {t('notFound.words')}
    </Notice>
  )
}
