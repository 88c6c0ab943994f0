/** How strict one purpose is: a preset or a score of one's own, and what it means with the model and the photographs there are. */
import { WarningOutlined } from '@ant-design/icons'
import { Form, Segmented, Slider } from 'antd'
import { useTranslation } from 'react-i18next'
import { rateOfScore, scoreInWords, THRESHOLD_MAX } from '@gatehouse/contract'
import { monitorPrecision } from '@gatehouse/contract/enums/alarms'
import type { FaceEngineState } from '@gatehouse/contract/faces/calls'
import type { FacePolicy } from '@gatehouse/contract/faces/policy'
import { chanceAmong, type FacePurpose } from '@gatehouse/contract/faces/precision'
import { useEnumLabel } from '../../../kit/EnumTag.tsx'
import { Figures } from '../Figures.tsx'
import { falseNonMatchAt } from '../rates.ts'
import { useRateWords } from '../rateWords.ts'
import { besideHandle } from './besideHandle.ts'
import { scoreAsked, type Strictness } from './policyValues.ts'
import { Setting } from './Setting.tsx'
import styles from '../faces.module.css'

/** Every pair of faces reaches a score up to this one: nothing below it differs. */
const SCORE_OF_ALL = 40
/** Scores marked on the scale by the rate they stand for. */
const MARKED = [60, 70, 80, 90]
/** Chance of a stranger from which a door alone is no protection. */
const OFTEN = 0.05

interface PurposeFieldProps {
  purpose: FacePurpose
  policy: FacePolicy
  curve: FaceEngineState['curve']
}

export function PurposeField({ purpose, policy, curve }: PurposeFieldProps) {
  const { t } = useTranslation('faces')
  const chosen = Form.useWatch<Strictness | undefined>(purpose) ?? { precision: monitorPrecision.standard }
  const title = t(`policy.${purpose}.title`)
  const score = scoreAsked(policy, purpose, chosen)
  return (
    <Setting title={title} words={t(`policy.${purpose}.words`)}>
      <Form.Item name={purpose}>
        <StrictnessField title={title} asked={score} />
      </Form.Item>
      <Meaning purpose={purpose} score={score} policy={policy} curve={curve} chosen={chosen} />
    </Setting>
  )
}

interface StrictnessFieldProps {
  title: string
  /** Score asked for now: one of one's own begins there. */
  asked: number
  /** Given by `<Form.Item>`. */
  value?: Strictness
  onChange?: (value: Strictness) => void
}

function StrictnessField({ title, asked, value, onChange }: StrictnessFieldProps) {
  const { t } = useTranslation('faces')
  const { rarely } = useRateWords()
  const label = useEnumLabel()
  const { precision = monitorPrecision.standard, custom } = value ?? {}
  const isCustom = precision === monitorPrecision.custom
  return (
    <>
      <Segmented
        aria-label={title}
        value={precision}
        options={monitorPrecision.values.map((each) => ({ value: each, label: label(monitorPrecision, each) }))}
        onChange={(each) => onChange?.({ precision: each, custom: each === monitorPrecision.custom ? (custom ?? asked) : custom })}
      />
      {isCustom && (
        <div className={styles.custom}>
          <p>{t('policy.custom')}</p>
          <Slider
            min={SCORE_OF_ALL}
            max={THRESHOLD_MAX}
            step={0.5}
            value={custom ?? asked}
            onChange={(score) => onChange?.({ precision, custom: score })}
            marks={Object.fromEntries(MARKED.map((score) => [score, rarely(rateOfScore(score))]))}
            tooltip={{ formatter: (score) => scoreInWords(score ?? null), ...besideHandle }}
            ariaLabelForHandle={`${title}: ${t('policy.custom')}`}
          />
        </div>
      )}
    </>
  )
}

/** What a score means: of one comparison, among all photographs, and for the right person. */
function Meaning({ purpose, score, policy, curve, chosen }: PurposeFieldProps & { score: number; chosen: Strictness }) {
  const { t } = useTranslation('faces')
  const { number, rarely, often } = useRateWords()
  const preset = policy.purposes.find((other) => other.purpose === purpose)?.presets.find(({ precision }) => precision === chosen.precision)
  const single = preset?.falseMatchRate ?? rateOfScore(score)
  const among = preset?.chanceOfStranger ?? chanceAmong(single, policy.templates)
  const missed = preset ? preset.falseNonMatchRate : falseNonMatchAt(curve, score)
  const letsIn = purpose === 'door' && among > OFTEN
  return (
    <div role="status" aria-label={t('policy.meaning')}>
      <Figures
        figures={[
          { key: 'single', value: rarely(single), words: t(`policy.${purpose}.single`) },
          {
            key: 'among',
            value: policy.templates === 0 ? '—' : rarely(among),
            words: t(`policy.${purpose}.among`, { count: policy.templates, n: number(policy.templates) }),
            wanting: letsIn,
          },
          { key: 'missed', value: often(missed), words: t(`policy.${purpose}.missed`) },
          { key: 'score', value: scoreInWords(score), words: t('policy.shownScore') },
        ]}
      />
      {letsIn && (
        <p className={styles.advice}>
          <WarningOutlined /> {t('policy.letsIn')}
        </p>
      )}
    </div>
  )
}
