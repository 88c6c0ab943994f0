/** How an alarm was handled: who did what when, and what they wrote. */
import { useTranslation } from 'react-i18next'
import { Section } from '../../../kit/detail/DetailPage.tsx'
import { EnumTag, type EnumLike } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import type { AlarmRow } from './alarmKind.ts'
import styles from './alarms.module.css'

export interface AlarmStep {
  status: number
  operator: string
  time: number
  record: string
}

/** Return the one step that a row without a history says. */
export const stepsOf = ({ status, operator, dealtAt, dealingRecord }: AlarmRow): AlarmStep[] =>
  dealtAt === null ? [] : [{ status, operator, time: dealtAt, record: dealingRecord }]

export function AlarmSteps({ steps, statuses }: { steps: readonly AlarmStep[]; statuses: EnumLike }) {
  const { t } = useTranslation('alarms')
  return (
    <Section title={t('steps')} {...(steps.length === 0 && { empty: t('noSteps') })}>
      <ol className={styles.steps}>
        {steps.map(({ status, operator, time, record }) => (
          <li key={`${status} ${time}`}>
            <EnumTag of={statuses} value={status} />
            <b>{operator}</b>
            <RelativeTime at={time} />
            {record !== '' && <p>{record}</p>}
          </li>
        ))}
      </ol>
    </Section>
  )
}
