/** Which days: a preset, or any first and last one. */
import { Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DateField } from '../../../kit/DateField.tsx'
import { PRESETS, presetOf, windowOf, type DateWindow, type Preset } from './statisticsWindow.ts'
import styles from './statistics.module.css'

export function WindowChoice({ window, today, onChange }: { window: DateWindow; today: string; onChange: (window: DateWindow) => void }) {
  const { t } = useTranslation('accessStatistics')
  const [own, setOwn] = useState(false)
  const shown = own ? 'own' : presetOf(window, today)
  const choose = (preset: Preset): void => {
    setOwn(preset === 'own')
    if (preset !== 'own') onChange(windowOf(preset, today))
  }
  return (
    <div className={styles.window}>
      <Segmented
        aria-label={t('window.title')}
        value={shown}
        onChange={choose}
        options={PRESETS.map((value) => ({ value, label: t(`window.${value}`) }))}
      />
      {shown === 'own' && (
        <>
          <label>
            <span>{t('window.from')}</span>
            <DateField value={window.from} onChange={(from) => from && onChange({ from, to: from > window.to ? from : window.to })} />
          </label>
          <label>
            <span>{t('window.to')}</span>
            <DateField value={window.to} onChange={(to) => to && onChange({ from: to < window.from ? to : window.from, to })} />
          </label>
        </>
      )}
    </div>
  )
}
