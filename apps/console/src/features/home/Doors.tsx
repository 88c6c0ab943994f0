/** The devices of the park and whether they are there, for those who see no records; kept fresh by live frames. */
import { HddOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { topics } from '@gatehouse/contract/realtime'
import { useLive } from '../../api/live.ts'
import { heldOf, useRead } from '../../api/query.ts'
import { useRefresh } from '../../kit/useRefresh.ts'
import { path } from '../../paths.ts'
import { DeviceState } from '../devices/index.ts'
import { WaitingLines } from './WaitingLines.tsx'
import { Way } from './Way.tsx'
import styles from './home.module.css'

/** As many are shown; the list has the others. */
const SHOWN = 8
/** Frames make the list be read again at most this often; milliseconds. */
const REFRESH_EVERY = 1000

/** @param count devices there are, undefined while that is not known: as tall is what stands there until they are read */
export function Doors({ count = SHOWN }: { count: number | undefined }) {
  const { t, i18n } = useTranslation('home')
  const number = (value: number): string => value.toLocaleString(i18n.language)
  const devices = useRead(deviceCalls.list, { query: { size: SHOWN } })
  const refresh = useRefresh(REFRESH_EVERY)
  useLive(topics.deviceStatus, () => refresh(deviceCalls.list), [heldOf(deviceCalls.list)])
  const { content, total = 0 } = devices.data ?? {}
  if (count === 0 || devices.isError || content?.length === 0) return null
  return (
    <section className={styles.doors} aria-labelledby="home-doors">
      <header>
        <h2 id="home-doors">{t('doors.title')}</h2>
        {total > SHOWN && <Way screen="deviceList">{t('doors.all', { total: number(total) })}</Way>}
      </header>
      <ul className={styles.lines} aria-hidden={!content || undefined}>
        {content?.map((device) => (
          <li key={device.id}>
            <Link className={styles.line ?? ''} to={path('deviceDetails', { deviceId: device.id })}>
              <span className={styles.sign} data-status="off" aria-hidden="true">
                <HddOutlined />
              </span>
              <span className={styles.said} title={device.name}>
                <span>{device.name}</span>
                <small>{t('doors.held', { held: number(device.personsHeld), desired: number(device.personsDesired) })}</small>
              </span>
              <DeviceState device={device} />
            </Link>
          </li>
        )) ?? <WaitingLines count={Math.min(count, SHOWN)} />}
      </ul>
    </section>
  )
}
