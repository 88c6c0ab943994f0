/** A month of a rule, day by day: open, closed or partly open, with special days and the effective date. */
import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Button, Form } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dayOpenness } from '@gatehouse/access-rules/calendar-month'
import { monthAfter, monthOf, weeksOf } from '../../../kit/months.ts'
import { formatDate, useZoneOffset } from '../../../kit/time.ts'
import type { RuleValues } from './ruleValues.ts'
import { clockOf, WEEKDAYS } from './week.ts'
import styles from './rules.module.css'

/** In place of days of another month. */
const NOTHING = ''
const STATES = ['open', 'partly', 'closed'] as const

export function MonthPicture() {
  const { t, i18n } = useTranslation('strategies')
  const { offset } = useZoneOffset()
  const [month, setMonth] = useState(() => monthOf(formatDate(Date.now(), offset)))
  const form = Form.useFormInstance<RuleValues>()
  const rule = {
    periods: Form.useWatch('periods', form) ?? [],
    allowedExceptionDates: Form.useWatch('allowedExceptionDates', form) ?? [],
    forbiddenExceptionDates: Form.useWatch('forbiddenExceptionDates', form) ?? [],
    effectiveDate: Form.useWatch('effectiveDate', form) ?? null,
  }
  const title = new Intl.DateTimeFormat(i18n.language, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01`),
  )

  function dayOf(date: string) {
    const { openness, reason, hours } = dayOpenness(rule, date)
    const spans = hours.map(({ from, to }) => `${clockOf(from)}–${clockOf(to)}`).join(t('common:listSeparator'))
    const words = openness === 'partly' ? spans : t(`month.${openness}`)
    return (
      <td key={date} data-state={openness} data-other={reason !== 'periods' || undefined} title={`${date} ${words}`}>
        {Number(date.slice(8))}
        <span className="unseen">{words}</span>
      </td>
    )
  }
  return (
    <figure className={styles.month}>
      <figcaption>
        <Button
          type="text"
          size="small"
          icon={<LeftOutlined />}
          aria-label={t('month.previous')}
          onClick={() => setMonth(monthAfter(month, -1))}
        />
        <b aria-live="polite">{title}</b>
        <Button
          type="text"
          size="small"
          icon={<RightOutlined />}
          aria-label={t('month.next')}
          onClick={() => setMonth(monthAfter(month, 1))}
        />
      </figcaption>
      <table aria-label={title}>
        <thead>
          <tr>
            {WEEKDAYS.map((day) => (
              <th key={day} scope="col">
                {t(`day.${day}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week.find((date) => date !== null)}>
              {week.map((date, at) =>
                date === null ? (
                  <td key={at} data-none>
                    {NOTHING}
                  </td>
                ) : (
                  dayOf(date)
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.legend} aria-hidden="true">
        {STATES.map((state) => (
          <span key={state} data-state={state}>
            {t(`month.${state}`)}
          </span>
        ))}
      </p>
    </figure>
  )
}
