/** Stands in for a page that failed while loading or showing. */
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useRouteError } from 'react-router'
import { Refusal, sentenceOf } from '../../api/refusal.ts'
import { Notice } from './Notice.tsx'

export function PageFailure() {
  const { t } = useTranslation('shell')
  const error = useRouteError()
  const retry = (
    <Button type="primary" onClick={() => window.location.reload()}>
      {t('tryAgain')}
    </Button>
  )
  return (
    <Notice code={error instanceof Refusal ? String(error.status || '···') : '···'} title={t('failed.title')} inShell action={retry}>
      {error instanceof Refusal ? sentenceOf(error) : t('failed.words')}
    </Notice>
  )
}
