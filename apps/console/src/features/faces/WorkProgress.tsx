/** The progress of long work, with a button that ends it, and its outcome. */
import { Alert, Button, Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import type { WorkState } from '@gatehouse/contract/work'
import { useRateWords } from './rates.ts'
import { isUnderWay } from './useWorkWatch.ts'
import styles from './faces.module.css'

interface WorkProgressProps {
  work: WorkState
  /** The work in words. */
  title: string
  cancel: () => void
  cancelling: boolean
}

export function WorkProgress({ work, title, cancel, cancelling }: WorkProgressProps) {
  const { t } = useTranslation('faces')
  const { number } = useRateWords()
  const { state, done, total, failed, reason } = work
  if (state === 'failed') return <Alert type="error" showIcon title={t('work.failed', { title })} description={reason ?? undefined} />
  if (!isUnderWay(work)) return null
  const percent = total ? Math.floor((done / total) * 100) : 0
  const progress = total === null ? t('work.counting') : t('work.done', { done: number(done), total: number(total) })
  return (
    <section className={styles.work} aria-label={title}>
      <p>
        <b>{title}</b>
        <span>
          {state === 'waiting' ? t('work.waiting') : progress}
          {failed > 0 && ` · ${t('work.failures', { n: number(failed) })}`}
        </span>
      </p>
      <Progress percent={percent} strokeColor="var(--accent)" aria-label={title} />
      <Button size="small" loading={cancelling} onClick={cancel}>
        {t('work.cancel')}
      </Button>
    </section>
  )
}
