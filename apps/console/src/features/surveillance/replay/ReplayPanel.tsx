/** Beside the form of a task: what it would have alarmed about in the last week, by the captures that are stored. */
import { Alert, Button, Form, Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { REPLAY_DAYS } from '@gatehouse/contract/surveillance/replay'
import type { FieldIssue } from '@gatehouse/contract'
import { sentenceOf } from '../../../api/refusal.ts'
import { markIssues } from '../../../kit/form/fieldIssues.ts'
import { issuesOfTask, type TaskValues } from '../taskValues.ts'
import { ReplayOutcome } from './ReplayOutcome.tsx'
import { isSameQuestion, questionOf, settingsOf } from './replayValues.ts'
import { useReplay } from './useReplay.ts'
import styles from './replay.module.css'

/** Fields without which nothing can be computed. */
const NEEDED = ['deviceIds', 'personGroupIds', 'periods']

export function ReplayPanel() {
  const { t } = useTranslation('surveillance')
  const form = Form.useFormInstance<TaskValues>()
  const values = (Form.useWatch([], form) as TaskValues | undefined) ?? {}
  const { result, progress, refusal, start, cancel } = useReplay()
  const question = questionOf(values)
  const settings = result && settingsOf(values, result.promised)

  function run(): void {
    const issues: FieldIssue[] = issuesOfTask(form.getFieldsValue(true) as TaskValues).filter(({ path }) => NEEDED.includes(path))
    if (issues.length > 0) return void markIssues(form, issues)
    start(questionOf(form.getFieldsValue(true) as TaskValues))
  }

  return (
    <section className={styles.panel} aria-label={t('replay.title')}>
      <h2>{t('replay.title')}</h2>
      <p className={styles.hint}>{t('replay.hint', { days: REPLAY_DAYS })}</p>
      {progress === undefined ? (
        <Button onClick={run}>{t(result === undefined ? 'replay.start' : 'replay.again')}</Button>
      ) : (
        <div className={styles.running}>
          <Progress
            percent={progress.total === 0 ? 0 : Math.floor((100 * progress.done) / progress.total)}
            showInfo={false}
            strokeColor="var(--accent)"
            aria-label={t('replay.progressOf')}
          />
          <span>{progress.total === 0 ? t('replay.reading') : t('replay.progress', progress)}</span>
          <Button onClick={cancel}>{t('common:cancel')}</Button>
        </div>
      )}
      {refusal && <Alert type="error" showIcon role="alert" title={sentenceOf(refusal)} />}
      {result !== undefined && !isSameQuestion(result.question, question) && <Alert type="warning" showIcon title={t('replay.stale')} />}
      {settings === null && <Alert type="info" showIcon title={t('replay.noPromise')} />}
      {result !== undefined && settings != null && <ReplayOutcome result={result} settings={settings} />}
    </section>
  )
}
