/** Whether a face must be a living one, and from which score it counts as such. */
import { Form, Segmented, Slider } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { LIVENESS_MODES } from '@gatehouse/contract/faces/policy'
import { path } from '../../../paths.ts'
import { livenessInWords } from '../liveness/livenessScore.ts'
import { besideHandle } from './besideHandle.ts'
import type { PolicyValues } from './policyValues.ts'
import { Setting } from './Setting.tsx'
import styles from '../faces.module.css'

type Liveness = PolicyValues['liveness']

export function LivenessField({ available }: { available: boolean }) {
  const { t } = useTranslation('faces')
  const { mode } = Form.useWatch<Liveness | undefined>('liveness') ?? { mode: 'off' }
  return (
    <Setting title={t('liveness.title')} words={t('policy.liveness.words')}>
      <Form.Item
        name="liveness"
        extra={
          <>
            {t(available ? `liveness.means.${mode}` : 'liveness.cannot')}{' '}
            <Link to={path('faceLiveness')}>{t(available ? 'policy.liveness.try' : 'policy.liveness.why')}</Link>
          </>
        }
      >
        <ModeField available={available} />
      </Form.Item>
    </Setting>
  )
}

interface ModeFieldProps {
  available: boolean
  /** Given by `<Form.Item>`. */
  value?: Liveness
  onChange?: (value: Liveness) => void
}

function ModeField({ available, value = { mode: 'off' }, onChange }: ModeFieldProps) {
  const { t } = useTranslation('faces')
  const { mode, threshold } = value
  const words = (score: number | undefined): string => livenessInWords(score ?? 0)
  return (
    <>
      <Segmented
        aria-label={t('liveness.mode')}
        value={mode}
        options={LIVENESS_MODES.map((each) => ({
          value: each,
          label: t(`liveness.modes.${each}`),
          disabled: !available && each !== 'off' && each !== mode,
        }))}
        onChange={(each) => onChange?.({ mode: each, threshold })}
      />
      {mode !== 'off' && (
        <div className={styles.custom}>
          <p>
            {t('liveness.threshold')}
            {threshold == null && ` (${t('policy.liveness.unset')})`}
          </p>
          <Slider
            min={0}
            max={1}
            step={0.01}
            value={threshold ?? 0}
            onChange={(score) => onChange?.({ mode, threshold: score })}
            marks={{ 0: words(0), 0.5: words(0.5), 1: words(1) }}
            tooltip={{ formatter: words, ...besideHandle }}
            ariaLabelForHandle={t('liveness.threshold')}
          />
        </div>
      )}
    </>
  )
}
