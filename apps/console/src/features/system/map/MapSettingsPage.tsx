/** /mapSettings: the park's plan and where on Earth it lies, with the entrance marked on it. */
import { Form, InputNumber, Segmented, Slider } from 'antd'
import { useTranslation } from 'react-i18next'
import { MAP_UNITS, MAP_ZOOM_MAX, MAP_ZOOM_MIN, mapCalls, type MapSettings } from '@gatehouse/contract/system/map'
import { DetailPage } from '../../../kit/detail/DetailPage.tsx'
import { PictureField } from '../../../kit/media/PictureField.tsx'
import { useRead } from '../../../api/query.ts'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useSession } from '../../../api/session.ts'
import { SettingsForm } from '../screens/SettingsForm.tsx'
import { GeoPreview } from './GeoPreview.tsx'
import { PlanField } from './PlanField.tsx'
import styles from './map.module.css'

export default function MapSettingsPage() {
  const { t } = useTranslation('system')
  const settings = useRead(mapCalls.read, {})
  return (
    <Screen title={t('map.title')}>
      <p className={styles.words}>{t('map.words')}</p>
      <DetailPage query={settings}>{(found) => <Fields settings={found} />}</DetailPage>
    </Screen>
  )
}

function Fields({ settings: { version, ...values } }: { settings: MapSettings }) {
  const { t } = useTranslation('system')
  const park = useSession((session) => session.park)
  return (
    <SettingsForm
      call={mapCalls.change}
      values={values}
      hidden={{ version }}
      draft={`map.${park?.areaCode ?? ''}`}
      preview={(typed) => <GeoPreview settings={typed} />}
    >
      <Form.Item name="picture" label={t('map.plan')}>
        <PictureField use="background" name={t('map.plan')} />
      </Form.Item>
      <Form.Item
        noStyle
        shouldUpdate={(before, after) =>
          before.picture !== after.picture || before.pictureMetres !== after.pictureMetres || before.units !== after.units
        }
      >
        {({ getFieldValue }) =>
          getFieldValue('picture') && (
            <>
              <Form.Item name="marker" label={t('map.marker')} extra={t('map.markerHint')}>
                <PlanField
                  picture={getFieldValue('picture') as string}
                  metres={getFieldValue('pictureMetres') as number | null}
                  units={getFieldValue('units') as 'metric'}
                />
              </Form.Item>
              <Form.Item name="pictureMetres" label={t('map.metres')} extra={t('map.metresHint')}>
                <InputNumber min={1} max={100_000} style={{ width: 160 }} />
              </Form.Item>
            </>
          )
        }
      </Form.Item>
      <div className={styles.place}>
        <Form.Item name="latitude" label={t('map.latitude')}>
          <InputNumber min={-90} max={90} step={0.0001} style={{ width: '100%' }} placeholder="31.2304" />
        </Form.Item>
        <Form.Item name="longitude" label={t('map.longitude')}>
          <InputNumber min={-180} max={180} step={0.0001} style={{ width: '100%' }} placeholder="121.4737" />
        </Form.Item>
      </div>
      <Form.Item name="zoom" label={t('map.zoom')}>
        <Slider min={MAP_ZOOM_MIN} max={MAP_ZOOM_MAX} ariaLabelForHandle={t('map.zoom')} />
      </Form.Item>
      <Form.Item name="units" label={t('map.units')}>
        <Segmented aria-label={t('map.units')} options={MAP_UNITS.map((units) => ({ value: units, label: t(`map.unit.${units}`) }))} />
      </Form.Item>
    </SettingsForm>
  )
}
