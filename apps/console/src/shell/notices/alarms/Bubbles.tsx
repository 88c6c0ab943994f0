/** The bubbles of doors and devices. */
import { WarningFilled, DisconnectOutlined } from '@ant-design/icons'
import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { shownScore } from '@gatehouse/contract'
import { accessResult } from '@gatehouse/contract/enums/access'
import { passDirection, deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { PicturePair } from '../../../shared/PicturePair.tsx'
import { useMayOpen } from '../../../api/session.ts'
import { formatInstant, startOfDay, useZoneOffset } from '../../../kit/time.ts'
import { WatchListFacts } from '../../../shared/WatchListTag.tsx'
import { path } from '../../../paths.ts'
import { screens } from '../../../screens.ts'
import { readOptions } from '../../../api/query.ts'
import { type HitBubble as Bubble, OFFLINE, type OfflineBubble } from './alarms.ts'
import { BubbleFrame } from './BubbleFrame.tsx'
import styles from './alarms.module.css'

/** Pixels of each side of a face: to be recognised from two metres, and in a folded bubble. */
const FACE = 168
const SMALL_FACE = 48

interface HitBubbleProps {
  bubble: Bubble
  /** Shown in one line. */
  folded: boolean
  close: () => void
}

/** A person of the watch list at a door: both faces, who, where, when, why they are on the list, and what is to be done. */
export function HitBubble({ bubble: { key, record, late }, folded, close }: HitBubbleProps) {
  const { t } = useTranslation('alarms')
  const label = useEnumLabel()
  const { offset } = useZoneOffset()
  const mayOpenPerson = useMayOpen(screens.blackDetails)
  const { watchList: hit } = record
  const full = formatInstant(record.time, offset)
  const time = record.time >= startOfDay(Date.now(), offset) ? full.slice(11) : full.slice(5)
  return (
    <BubbleFrame
      id={key}
      kind="watchList"
      icon={<WarningFilled />}
      title={t(late ? 'hitLate' : 'hit')}
      folded={folded}
      close={close}
      actions={
        <>
          <Link to={`${path('staffCurrent')}?record=${record.id}`}>{t('openRecord')}</Link>
          {mayOpenPerson && <Link to={path('blackDetails', { id: hit.personId })}>{t('openPerson')}</Link>}
        </>
      }
    >
      <PicturePair
        captured={record.captureImage || record.captureThumbnail}
        registered={hit.registeredImage}
        score={hit.score}
        scoreWords={shownScore(hit.score).toFixed(2)}
        result={record.result}
        name={hit.personName}
        hit
        size={folded ? SMALL_FACE : FACE}
      />
      <div className={styles.words}>
        <h3>{hit.personName}</h3>
        <p className={styles.where}>
          <b>{record.deviceName}</b> {label(passDirection, record.direction)}{' '}
          <time dateTime={new Date(record.time).toISOString()}>{time}</time>
        </p>
        {record.result === accessResult.allowed && <p className={styles.admitted}>{t('admitted', { name: record.personName })}</p>}
        {late && <p className={styles.late}>{t('late')}</p>}
        <WatchListFacts hit={hit} />
      </div>
    </BubbleFrame>
  )
}

/** Maximum number of devices listed by name. */
const NAMED = 3

interface DevicesBubbleProps {
  devices: OfflineBubble['devices']
  /** Shown in one line. */
  folded: boolean
  close: () => void
}

/** Devices that have just gone offline: one by its name, several in one bubble. It disappears when they are back. */
export function DevicesBubble({ devices, folded, close }: DevicesBubbleProps) {
  const { t } = useTranslation('alarms')
  const { offset } = useZoneOffset()
  const read = useQueries({ queries: devices.slice(0, NAMED).map(({ id }) => readOptions(deviceCalls.read, { params: { id } })) })
  const [first] = devices
  // It is announced only once, so its name must be loaded.
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
