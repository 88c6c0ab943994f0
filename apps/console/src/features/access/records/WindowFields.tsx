/** From and to on the clock of the park. */
import { useTranslation } from 'react-i18next'
import { InstantField } from '../../../kit/InstantField.tsx'
import type { Window } from './TimeWindow.tsx'

export default function WindowFields({ value: { startTime, endTime }, onChange }: { value: Window; onChange: (window: Window) => void }) {
  const { t } = useTranslation('access')
  return (
    <>
      <label>
        {t('window.from')}
        <InstantField as="time" value={startTime ?? null} onChange={(at) => onChange({ endTime, startTime: at ?? undefined })} />
      </label>
      <label>
        {t('window.to')}
        <InstantField as="time" value={endTime ?? null} onChange={(at) => onChange({ startTime, endTime: at ?? undefined })} />
      </label>
    </>
  )
}
