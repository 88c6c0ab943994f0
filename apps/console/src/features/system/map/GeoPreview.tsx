/** Where the park lies: its centre in a net of meridians and parallels, to the scale that was chosen. */
import { EnvironmentFilled } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import type { MapFields } from '@gatehouse/contract/system/map'
import { metresPerPixel } from './scale.ts'
import { ScaleBar } from './ScaleBar.tsx'
import styles from './map.module.css'

const DIGITS = 5

export function GeoPreview({ settings: { latitude, longitude, zoom, units } }: { settings: MapFields }) {
  const { t } = useTranslation('system')
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return <p className={styles.nowhere}>{t('map.nowhere')}</p>
  const north = `${Math.abs(latitude).toFixed(DIGITS)}° ${t(latitude < 0 ? 'map.south' : 'map.north')}`
  const east = `${Math.abs(longitude).toFixed(DIGITS)}° ${t(longitude < 0 ? 'map.west' : 'map.east')}`
  return (
    <figure>
      <div className={styles.net}>
        <EnvironmentFilled />
        <output>
          {north} · {east}
        </output>
        <ScaleBar perPixel={metresPerPixel(latitude, zoom)} units={units} />
      </div>
      <figcaption>{t('map.preview')}</figcaption>
    </figure>
  )
}
