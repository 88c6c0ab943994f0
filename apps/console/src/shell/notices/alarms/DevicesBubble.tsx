/** Devices that have just fallen silent: one by its name, several as one bubble. It goes when they are back. */
import { DisconnectOutlined } from '@ant-design/icons'
import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { readOptions } from '../../../api/query.ts'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { path } from '../../../paths.ts'
import { OFFLINE, type OfflineBubble } from './alarms.ts'
import { BubbleFrame } from './BubbleFrame.tsx'
import styles from './alarms.module.css'

/** Devices named at most. */
const NAMED = 3

interface DevicesBubbleProps {
  devices: OfflineBubble['devices']
  /** In one line. */
  folded: boolean
  close: () => void
}

export function DevicesBubble({ devices, folded, close }: DevicesBubbleProps) {
  const { t } = useTranslation('alarms')
  const { offset } = useZoneOffset()
  const read = useQueries({ queries: devices.slice(0, NAMED).map(({ id }) => readOptions(deviceCalls.read, { params: { id } })) })
  const [first] = devices
  // It is announced once, with its name.
  if (first === undefined || read.some(({ isPending }) => isPending)) return null
  const names = read.flatMap(({ data }) => (data ? [data.name] : [])).join(t('common:listSeparator'))
  const [one, count] = [devices.length === 1, devices.length]
  return (
    <BubbleFrame
      id={OFFLINE}
      kind={OFFLINE}
      icon={<DisconnectOutlined />}
      title={t('offline', { count })}
      folded={folded}
      close={close}
      actions={
        one ? (
          <Link to={path('deviceDetails', { deviceId: first.id })}>{t('openDevice')}</Link>
        ) : (
          <Link to={`${path('deviceList')}?onlineStatus=${deviceOnlineStatus.offline}`}>{t('openDevices')}</Link>
        )
      }
    >
      <div className={styles.words}>
        <h3>{count > NAMED ? t('andMore', { names, count: count - NAMED }) : names}</h3>
        <p className={styles.where}>
          {t('lastSeen', { time: formatInstant(Math.max(...devices.map(({ lastSeenAt }) => lastSeenAt)), offset).slice(11) })}
        </p>
      </div>
    </BubbleFrame>
  )
}
