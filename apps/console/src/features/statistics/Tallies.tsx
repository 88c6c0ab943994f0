/** Counts beside the drawing: refusals by reason, each a link to its records, and temperatures by their mark. */
import { useTranslation } from 'react-i18next'
import { temperatureMark, type Statistics } from '@gatehouse/contract/statistics/calls'
import { failReason, temperatureStatus } from '@gatehouse/contract/enums/access'
import type { ReactNode } from 'react'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { useMeasures } from '../../api/session.ts'
import styles from './statistics.module.css'

/** Reasons shown; the rest are rare. */
const REASONS = 8

interface TalliesProps {
  statistics: Statistics
  /** Link to the records of a reason. */
  toRecords: (reason: number, words: string) => ReactNode
}

export function Tallies({ statistics: { reasons, temperatures, summary }, toRecords }: TalliesProps) {
  const { t, i18n } = useTranslation('statistics')
  const label = useEnumLabel()
  const { temperature } = useMeasures()
  const number = (value: number): string => value.toLocaleString(i18n.language)
  const measured = temperatures.filter(({ mark }) => mark !== temperatureMark.blank)
  const words: Record<number, string> = {
    [temperatureMark.measured]: t('temperature.measured'),
    [temperatureMark.warning]: t('temperature.warning'),
  }
  return (
    <div className={styles.tallies}>
      <section aria-label={t('reasons')}>
        <h2>{t('reasons')}</h2>
        {reasons.length === 0 && <p>{t('noneRefused')}</p>}
        <ul>
          {reasons.slice(0, REASONS).map(({ failReason: reason, count }) => (
            <li key={reason} style={{ '--share': `${(count / Math.max(1, summary.rejected)) * 100}%` } as React.CSSProperties}>
              <span>{toRecords(reason, label(failReason, reason))}</span>
              <b>{number(count)}</b>
            </li>
          ))}
        </ul>
      </section>
      {temperature && (
        <section aria-label={t('temperatures')}>
          <h2>{t('temperatures')}</h2>
          {measured.length === 0 && <p>{t('noneMeasured')}</p>}
          <ul>
            {measured.map(({ mark, count }) => (
              <li
                key={mark}
                data-mark={mark}
                style={{ '--share': `${(count / Math.max(1, summary.checked)) * 100}%` } as React.CSSProperties}
              >
                <span>{words[mark] ?? label(temperatureStatus, mark)}</span>
                <b>{number(count)}</b>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
