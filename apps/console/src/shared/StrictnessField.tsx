/**
 * How similar a face must be: as usual, or some steps stricter or looser, with the number of strangers that would be mistaken for the
 * person.
 */
import { Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { PERSON_THRESHOLD_MAX, rateOfScore, scoreInWords, THRESHOLD_MIN } from '@gatehouse/contract'
import styles from '../kit/kit.module.css'

/** Ten points are ten times fewer false matches. */
const STEPS = { looser: -5, usual: 0, stricter: 5, muchStricter: 10 } as const
type Step = keyof typeof STEPS
const ALL = Object.keys(STEPS) as Step[]
/** Scores closer to each other than this are the same step. */
const SAME = 0.05

interface StrictnessFieldProps {
  /** Raw score; null: as usual. */
  value: number | null
  /** Raw score that applies where none is set. */
  usual: number
  /** Label of the usual step; absent: "as usual". */
  usualWords?: string
  /** Offers no looser steps: after a wrong match they are never the answer. */
  stricterOnly?: boolean
  /** Label for screen readers. */
  label: string
  disabled?: boolean
  onChange: (value: number | null) => void
}

export function StrictnessField({
  value,
  usual,
  usualWords,
  stricterOnly = false,
  label,
  disabled = false,
  onChange,
}: StrictnessFieldProps) {
  const { t, i18n } = useTranslation()
  const scoreOf = (step: Step): number => Math.min(PERSON_THRESHOLD_MAX, Math.max(THRESHOLD_MIN, usual + STEPS[step]))
  const isSame = (one: number, other: number): boolean => Math.abs(one - other) < SAME
  // At the end of the scale two steps would be equal.
  const steps = ALL.filter((step, at) => {
    if (step === 'usual') return true
    if (stricterOnly && STEPS[step] < 0) return false
    return !isSame(scoreOf(step), usual) && !ALL.slice(0, at).some((before) => isSame(scoreOf(before), scoreOf(step)))
  })
  const chosen = value === null ? 'usual' : (steps.find((step) => step !== 'usual' && isSame(scoreOf(step), value)) ?? 'own')
  const options = steps.map((step) => ({
    value: step as string,
    label: step === 'usual' && usualWords ? usualWords : t(`strictness.${step}`),
  }))
  const effective = value ?? usual
  const strangers = new Intl.NumberFormat(i18n.language, { maximumSignificantDigits: 2 }).format(1 / rateOfScore(effective))
  return (
    <div className={styles.strictness}>
      <Segmented
        aria-label={label}
        disabled={disabled}
        value={chosen}
        options={chosen === 'own' ? [...options, { value: 'own', label: t('strictness.own') }] : options}
        onChange={(step) => step !== 'own' && onChange(step === 'usual' ? null : scoreOf(step as Step))}
      />
      <small aria-live="polite">{t('strictness.meaning', { score: scoreInWords(effective), strangers })}</small>
    </div>
  )
}
