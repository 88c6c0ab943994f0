/** Shown in place of an answer that did not arrive, with a button to request it again. Refusals are shown where the form is saved. */
import { Alert, Button } from 'antd'
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { sentenceOf, type Refusal } from '../../api/refusal.ts'

interface UnansweredProps {
  /** What is missing because of that. */
  title: string
  asked: Pick<UseQueryResult<unknown, Refusal>, 'error' | 'isFetching' | 'refetch'>
}

export function Unanswered({ title, asked: { error, isFetching, refetch } }: UnansweredProps) {
  const { t } = useTranslation()
  if (error === null || (error.status >= 400 && error.status < 500)) return null
  return (
    <Alert
      type="warning"
      showIcon
      title={title}
      description={sentenceOf(error)}
      action={
        <Button size="small" loading={isFetching} onClick={() => void refetch()}>
          {t('tryAgain')}
        </Button>
      }
    />
  )
}
