/** Stands where an answer would that did not come, and asks again. What the server refuses is told where the form is saved. */
import { Alert, Button } from 'antd'
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { sentenceOf, type Refusal } from '../../api/refusal.ts'

interface UnansweredProps {
  /** What is not known now. */
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
