/** The fields of a time rule: the week, the days that are otherwise, and from when it holds. */
import { Alert, Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { validateTimeRule } from '@gatehouse/access-rules'
import { sentenceOfIssue } from '../../../api/refusal.ts'
import { DatesField } from './DatesField.tsx'
import { EffectiveField } from './EffectiveField.tsx'
import { MonthPicture } from './MonthPicture.tsx'
import type { RuleValues } from './ruleValues.ts'
import { WeekField } from './WeekField.tsx'
import styles from './rules.module.css'

type Dates = 'allowedExceptionDates' | 'forbiddenExceptionDates'

/** @param note what changing this rule means */
export function RuleFields({ note }: { note?: string | undefined }) {
  const { t } = useTranslation('strategies')
  const form = Form.useFormInstance<RuleValues>()
  /** Says at once what is wrong with the dates, such as one both allowed and forbidden; the server has the last word. */
  const datesAreGood = (field: Dates) => ({
    warningOnly: true,
    validator: () => {
      const { periods = [], ...rest } = form.getFieldsValue(true) as RuleValues
      const wrong = validateTimeRule({ periods, ...rest }).find(({ path }) => path.startsWith(field))
      return wrong ? Promise.reject(new Error(sentenceOfIssue(wrong))) : Promise.resolve()
    },
  })
  return (
    <>
      {note && <Alert type="info" showIcon title={note} />}
      <div className={styles.fields}>
        <Form.Item name="name" label={t('name')} required>
          <Input maxLength={32} autoComplete="off" />
        </Form.Item>
        <Form.Item name="effectiveDate" label={t('effectiveDate')} extra={t('effectiveHint')}>
          <EffectiveField />
        </Form.Item>
      </div>
      <Form.Item name="periods" label={t('week')} required>
        <WeekField />
      </Form.Item>
      <div className={styles.fields}>
        <Form.Item
          name="allowedExceptionDates"
          label={t('allowedDates')}
          extra={t('allowedHint')}
          dependencies={['forbiddenExceptionDates']}
          rules={[datesAreGood('allowedExceptionDates')]}
        >
          <DatesField label={t('allowedDates')} />
        </Form.Item>
        <Form.Item
          name="forbiddenExceptionDates"
          label={t('forbiddenDates')}
          extra={t('forbiddenHint')}
          dependencies={['allowedExceptionDates']}
          rules={[datesAreGood('forbiddenExceptionDates')]}
        >
          <DatesField label={t('forbiddenDates')} />
        </Form.Item>
      </div>
      <MonthPicture />
    </>
  )
}
