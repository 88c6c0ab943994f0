/** /mapSettings: the plan of the park with its entrance, and its geographic position. */
import { EnvironmentFilled } from '@ant-design/icons'
import { Form, InputNumber, Segmented, Slider } from 'antd'
import { useState, type KeyboardEvent, type MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { MAP_UNITS, MAP_ZOOM_MAX, MAP_ZOOM_MIN, mapCalls, type MapSettings, type MapFields } from '@gatehouse/contract/system/map'
import { DetailPage } from '../../../kit/detail/DetailPage.tsx'
import { PictureField } from '../../../kit/media/PictureField.tsx'
import { useRead } from '../../../api/query.ts'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useSession } from '../../../api/session.ts'
import { PlaceDevices } from '../../surveillance/index.ts'
import { SettingsForm } from '../screens/SettingsForm.tsx'
import { metresPerPixel, type Units, scaleFor } from './scale.ts'
import styles from './map.module.css'

export default function MapSettingsPage() {
  const { t } = useTranslation('system')
  const settings = useRead(mapCalls.read, {})
  return (
    <Screen title={t('map.title')} actions={<PlaceDevices />}>
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

const DIGITS = 5

/** A preview of the position: the centre in a grid of meridians and parallels, at the chosen scale. */
function GeoPreview({ settings: { latitude, longitude, zoom, units } }: { settings: MapFields }) {
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

interface Place {
  x: number
  y: number
}
interface PlanFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: Place | null
  onChange?: (place: Place | null) => void
  /** Address of the plan. */
  picture: string
  /** Width of the plan in metres; null: unknown. */
  metres: number | null
  units: Units
}

const STEP = 0.01
const MOVES: Record<string, Place> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
}
const within = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 1000) / 1000
const MIDDLE: Place = { x: 0.5, y: 0.5 }

/** The plan with the entrance, set by a click and moved by the arrow keys. The value is shares of width and height. */
function PlanField({ id, value, onChange, picture, metres, units }: PlanFieldProps) {
  const { t } = useTranslation('system')
  const [width, setWidth] = useState(0)
  const set = (event: MouseEvent<HTMLButtonElement>): void => {
    // A click by the keyboard has no position.
    if (event.detail === 0) return onChange?.(value ?? MIDDLE)
    const { left, top, width: wide, height } = event.currentTarget.getBoundingClientRect()
    onChange?.({ x: within((event.clientX - left) / wide), y: within((event.clientY - top) / height) })
  }
  const move = (event: KeyboardEvent): void => {
    const by = MOVES[event.key]
    if (!by) return
    event.preventDefault()
    const from = value ?? MIDDLE
    onChange?.({ x: within(from.x + by.x), y: within(from.y + by.y) })
  }
  return (
    <div className={styles.plan}>
      <button type="button" {...(id && { id })} aria-label={t('map.markerField')} onClick={set} onKeyDown={move}>
        <img src={picture} alt="" onLoad={({ currentTarget }) => setWidth(currentTarget.clientWidth)} />
        {value && <EnvironmentFilled style={{ left: `${value.x * 100}%`, top: `${value.y * 100}%` }} />}
      </button>
      {metres !== null && metres > 0 && width > 0 && <ScaleBar perPixel={metres / width} units={units} />}
    </div>
  )
}

/** Largest width of a bar in pixels. */
const ROOM = 120

/** @param perPixel metres per pixel */
function ScaleBar({ perPixel, units }: { perPixel: number; units: Units }) {
  const { pixels, length, unit } = scaleFor(perPixel, units, ROOM)
  return (
    <span className={styles.scale} style={{ width: pixels }}>
      {length} {unit}
    </span>
  )
}
