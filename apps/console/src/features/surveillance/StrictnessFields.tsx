/** How strictly a monitoring task compares, and from which similarity an alarm is of which level. */
import { Form, InputNumber, Segmented, Slider } from 'antd'
import { useTranslation } from 'react-i18next'
import { PRECISION_CUSTOM_MAX, PRECISION_CUSTOM_MIN, rateOfScore, shownScore, THRESHOLD_MAX, THRESHOLD_MIN } from '@gatehouse/contract'
import { monitorPrecision } from '@gatehouse/contract/enums/alarms'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { similarityWords } from './tasks.tsx'
import type { TaskValues } from './taskValues.ts'
import styles from './surveillance.module.css'

/** Score that a custom precision starts with. */
const FIRST_CUSTOM = 70

/** Return the lowest raw score that is shown as this one. */
const rawOf = (shown: number): number => Math.min(THRESHOLD_MAX, Math.max(THRESHOLD_MIN, Math.ceil((shown / 10) ** 2 * 10_000) / 10_000))

export function PrecisionFields() {
  const { t } = useTranslation('surveillance')
  const optionsOf = useEnumOptions()
  const form = Form.useFormInstance<TaskValues>()
  const precision = Form.useWatch('precision', form) ?? monitorPrecision.standard
  const custom = Form.useWatch('customPrecision', form)
  const threshold = Form.useWatch('similarityThreshold', form)
  const isCustom = precision === monitorPrecision.custom
  const meaning = useScoreMeaning()
  return (
    <>
      <Form.Item name="precision" label={t('task.precision')} extra={t(`task.precisionHint.${precision}`)}>
        <Segmented
          aria-label={t('task.precision')}
          options={optionsOf(monitorPrecision)}
          onChange={(value) =>
            value === monitorPrecision.custom && custom == null && form.setFieldsValue({ customPrecision: FIRST_CUSTOM })
          }
        />
      </Form.Item>
      <Form.Item name="customPrecision" label={t('task.customPrecision')} hidden={!isCustom} required={isCustom} extra={meaning(custom)}>
        <CustomPrecisionField />
      </Form.Item>
      <Form.Item name="similarityThreshold" label={t('task.similarityThreshold')} extra={meaning(threshold) ?? t('task.thresholdHint')}>
        <SimilarityField placeholder={t('task.byPrecision')} />
      </Form.Item>
    </>
  )
}

/** Return a function that says what a raw score asks for; undefined for none. */
function useScoreMeaning(): (score: number | null | undefined) => string | undefined {
  const { t, i18n } = useTranslation('surveillance')
  const strangers = new Intl.NumberFormat(i18n.language, { maximumSignificantDigits: 2 })
  return (score) =>
    score == null
      ? undefined
      : t('task.scoreMeaning', { score: similarityWords(score), strangers: strangers.format(1 / rateOfScore(score)) })
}

/** The similarities from which an alarm is of medium and of high level. */
export function LevelFields() {
  const { t } = useTranslation('surveillance')
  const form = Form.useFormInstance<TaskValues>()
  const low = Form.useWatch('lowThreshold', form)
  const high = Form.useWatch('highThreshold', form)
  return (
    <>
      <div className={styles.fields}>
        <Form.Item name="lowThreshold" label={t('task.lowThreshold')} required>
          <SimilarityField />
        </Form.Item>
        <Form.Item name="highThreshold" label={t('task.highThreshold')} required>
          <SimilarityField />
        </Form.Item>
      </div>
      {low != null && high != null && (
        <p className={styles.meaning} role="status">
          {t('task.levelMeaning', { low: similarityWords(low), high: similarityWords(high) })}
        </p>
      )}
    </>
  )
}

interface ScoreFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  /** Raw score. */
  value?: number | null
  onChange?: (score: number | null) => void
}

/** A whole raw score from 0 to 100, by a slider or in figures. */
function CustomPrecisionField({ id, value, onChange }: ScoreFieldProps) {
  const { t } = useTranslation('surveillance')
  const bounds = { min: PRECISION_CUSTOM_MIN, max: PRECISION_CUSTOM_MAX }
  return (
    <div className={styles.custom}>
      <Slider
        {...bounds}
        ariaLabelForHandle={t('task.customPrecision')}
        value={value ?? FIRST_CUSTOM}
        onChange={(score: number) => onChange?.(score)}
      />
      <InputNumber {...(id && { id })} {...bounds} precision={0} value={value ?? null} onChange={(score) => onChange?.(score)} />
    </div>
  )
}

/** A raw score, typed as the similarity that screens show. */
export function SimilarityField({ id, value, onChange, placeholder }: ScoreFieldProps & { placeholder?: string }) {
  return (
    <InputNumber
      {...(id && { id })}
      {...(placeholder !== undefined && { placeholder })}
      min={shownScore(THRESHOLD_MIN)}
      max={shownScore(THRESHOLD_MAX)}
      step={1}
      precision={1}
      className={styles.similarity ?? ''}
      value={value == null ? null : shownScore(value)}
      onChange={(shown) => onChange?.(shown === null ? null : rawOf(shown))}
    />
  )
}
