/** A geographic position in degrees; null while both fields are empty. */
import { InputNumber, Space } from 'antd'
import { useTranslation } from 'react-i18next'

interface Coordinates {
  latitude: number | null
  longitude: number | null
}

interface CoordinatesFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: Coordinates | null
  onChange?: (value: Coordinates | null) => void
}

const LATITUDE_MAX = 90
const LONGITUDE_MAX = 180
const NOWHERE: Coordinates = { latitude: null, longitude: null }

export function CoordinatesField({ id, value, onChange }: CoordinatesFieldProps) {
  const { t } = useTranslation('visitors')
  const { latitude, longitude } = value ?? NOWHERE
  const set = (next: Coordinates): void => onChange?.(next.latitude === null && next.longitude === null ? null : next)
  return (
    <Space wrap>
      <InputNumber<number>
        {...(id && { id })}
        aria-label={t('settings.latitude')}
        prefix={t('settings.latitude')}
        min={-LATITUDE_MAX}
        max={LATITUDE_MAX}
        step={0.0001}
        value={latitude}
        onChange={(degrees) => set({ latitude: degrees, longitude })}
        style={{ width: 200 }}
      />
      <InputNumber<number>
        aria-label={t('settings.longitude')}
        prefix={t('settings.longitude')}
        min={-LONGITUDE_MAX}
        max={LONGITUDE_MAX}
        step={0.0001}
        value={longitude}
        onChange={(degrees) => set({ latitude, longitude: degrees })}
        style={{ width: 200 }}
      />
    </Space>
  )
}
