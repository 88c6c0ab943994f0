import { useTranslation } from 'react-i18next'
import { Notice } from './Notice.tsx'

export default function ForbiddenPage() {
  const { t } = useTranslation('shell')
  return (
    <Notice code="403" title={t('forbidden.title')}>
      {t('forbidden.words')}
    </Notice>
  )
}
