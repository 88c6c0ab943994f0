/** Which way people pass at the new devices of a group; null: nobody has said. */
import { Segmented } from 'antd'
import { useTranslation } from 'react-i18next'

interface DefaultDirectionProps {
  /** Given by `<Form.Item>`. */
  value?: number | null
  onChange?: (direction: number | null) => void
  options: { value: number | string; label: string }[]
}

/** Stands for nobody having said. */
const UNSAID = 0

export function DefaultDirection({ value, onChange, options }: DefaultDirectionProps) {
  const { t } = useTranslation('devices')
  return (
    <Segmented
      aria-label={t('defaultDirection')}
      options={[{ value: UNSAID, label: t('noDirection') }, ...options]}
      value={value ?? UNSAID}
      onChange={(chosen) => onChange?.(chosen === UNSAID ? null : Number(chosen))}
    />
  )
}
