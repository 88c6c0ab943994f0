/** /timeRuleDetail/{id}: adds a time rule (`new`) or changes one. */
import { CalendarOutlined } from '@ant-design/icons'
import { Alert, Form, Input, Segmented, Button } from 'antd'
import type { Dayjs } from 'dayjs'
import { useState, lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { EFFECT_MINUTES, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { validateTimeRule } from '@gatehouse/access-rules'
import { FormPage } from '../../../kit/form/FormPage.tsx'
import { loadedFrom, ready } from '../../../kit/form/loaded.ts'
import { useReadOnce } from '../../../api/query.ts'
import { shownName } from '../../../kit/shownName.ts'
import { path } from '../../../paths.ts'
import { sentenceOfIssue } from '../../../api/refusal.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { formatDate, useZoneOffset } from '../../../kit/time.ts'
import { DatePicker } from '../../../kit/form/DatePicker.ts'
import { dayjs } from '../../../kit/days.ts'
import { useEditor } from '../../../kit/form/useEditor.ts'
import { hinderedBy } from '../../approvals/index.ts'
import { EffectLine } from '../../questions/index.ts'
import { RuleEffect } from './RuleEffect.tsx'
import { NEW_RULE, newRule, ruleValuesOf, type RuleValues, together } from './ruleValues.ts'
import { MonthPicture } from './MonthPicture.tsx'
import { WeekField } from './WeekField.tsx'
import styles from './rules.module.css'

export default function TimeRulePage() {
  const { id = NEW_RULE } = useParams()
  return id === NEW_RULE ? <AddRule /> : <ChangeRule id={id} />
}

function AddRule() {
  const { t } = useTranslation('strategies')
  const navigate = useNavigate()
  return (
    <FormPage
      call={timeRuleCalls.create}
      title={t('addRule')}
      initial={ready(newRule())}
      done={t('saved')}
      draft="timeRule.add"
      onDone={() => void navigate(path('timeRule'), { replace: true })}
    >
      <RuleFields />
    </FormPage>
  )
}

function ChangeRule({ id }: { id: string }) {
  const { t } = useTranslation('strategies')
  const navigate = useNavigate()
  const rule = useReadOnce(timeRuleCalls.read, { params: { id } })
  const used = rule.data?.strategyCount ?? 0
  return (
    <FormPage
      call={timeRuleCalls.change}
      title={t('editOf', { name: shownName(rule.data?.name ?? '') })}
      initial={loadedFrom(rule, ruleValuesOf)}
      hidden={{ id, version: rule.data?.version }}
      done={t('saved')}
      draft={`timeRule.${id}`}
      hindered={hinderedBy('timeRule')}
      onDone={() => void navigate(path('timeRule'), { replace: true })}
    >
      {rule.data && (
        <p className={styles.stateLine}>
          <RuleEffect rule={rule.data} />
          {t(`ruleState.words.${rule.data.effect.state}`, { date: rule.data.effectiveDate, minutes: EFFECT_MINUTES })}
        </p>
      )}
      <RuleFields note={used > 0 ? t('ruleUsed', { count: used }) : undefined} />
      <EffectLine of="rule" hidden={{ id }} />
    </FormPage>
  )
}

type Dates = 'allowedExceptionDates' | 'forbiddenExceptionDates'

/**
 * The fields of a time rule: the week, the special days, and the effective date.
 * @param note what follows from changing this rule
 */
function RuleFields({ note }: { note?: string | undefined }) {
  const { t } = useTranslation('strategies')
  const form = Form.useFormInstance<RuleValues>()
  /** Return a form rule that finds faults of dates at once, such as a date both allowed and forbidden; the server decides. */
  const datesAreGood = (field: Dates) => ({
    warningOnly: true,
    validator: () => {
      const { periods = [], ...rest } = form.getFieldsValue(true) as RuleValues
      const wrong = validateTimeRule({ periods, ...rest }).find(({ path: at }) => at.startsWith(field))
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

interface EffectiveFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  /** `YYYY-MM-DD`; null: from now on. */
  value?: string | null
  onChange?: (date: string | null) => void
}

const DAY = 86_400_000
const CHOICES = ['today', 'tomorrow', 'date'] as const
type Choice = (typeof CHOICES)[number]

/** The effective date of a time rule: today, tomorrow, or a chosen day, all in the park's time zone. */
function EffectiveField({ id, value = null, onChange }: EffectiveFieldProps) {
  const { t } = useTranslation('strategies')
  const { offset } = useZoneOffset()
  const [dated, setDated] = useState(false)
  const [now] = useState(() => Date.now())
  const tomorrow = formatDate(now + DAY, offset)
  const dates: Record<Choice, string | null> = { today: null, tomorrow, date: value ?? formatDate(now, offset) }
  const choice: Choice = dated ? 'date' : (CHOICES.find((one) => dates[one] === value) ?? 'date')
  function choose(chosen: Choice): void {
    setDated(chosen === 'date')
    onChange?.(dates[chosen])
  }
  return (
    <div className={styles.effective}>
      <Segmented<Choice>
        {...(id && { id })}
        aria-label={t('effectiveDate')}
        value={choice}
        onChange={choose}
        options={CHOICES.map((one) => ({ value: one, label: t(`effective.${one}`) }))}
      />
      {choice === 'date' && <DateField value={value} onChange={(date) => onChange?.(date || null)} />}
    </div>
  )
}

const CalendarDialog = lazy(() => import('./CalendarDialog.tsx'))

interface DatesFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string[]
  onChange?: (dates: string[]) => void
  /** Label of the field. */
  label: string
}

/** Dates shown one by one; the rest is counted. */
const SHOWN = 24

/** A choice of several days, one by one or from a calendar file. The value is a sorted list of `YYYY-MM-DD`. */
function DatesField({ id, value = [], onChange, label }: DatesFieldProps) {
  const { t } = useTranslation('strategies')
  const calendar = useEditor<never>()
  return (
    <>
      <DatePicker<Dayjs, true>
        {...(id && { id })}
        multiple
        // A calendar file may hold hundreds of days.
        maxTagCount={SHOWN}
        className={styles.dates ?? ''}
        value={value.map((date) => dayjs(date))}
        onChange={(picked) => onChange?.((picked ?? []).map((day) => day.format('YYYY-MM-DD')).sort())}
      />
      <Button
        type="link"
        size="small"
        className={styles.import ?? ''}
        icon={<CalendarOutlined />}
        aria-label={`${t('calendar.title')}: ${label}`}
        onClick={calendar.add}
      >
        {t('calendar.title')}
      </Button>
      <Suspense fallback={null}>
        {calendar.openingCount > 0 && (
          <CalendarDialog
            key={calendar.openingCount}
            open={calendar.open}
            close={calendar.close}
            label={label}
            there={value}
            add={(dates) => onChange?.(together(value, dates))}
          />
        )}
      </Suspense>
    </>
  )
}
