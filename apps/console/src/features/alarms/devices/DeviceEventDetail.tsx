/** All about one event at a door. */
import { useTranslation } from 'react-i18next'
import { deviceEventCalls, type DeviceEvent } from '@gatehouse/contract/alarms/device-events'
import { alarmHandlingStatusAlt, alarmType } from '@gatehouse/contract/enums/alarms'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { useRead } from '../../../api/query.ts'
import { Facts } from '../../../kit/detail/DetailPage.tsx'
import { EnumTag, useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { AlarmSteps, stepsOf } from '../list/AlarmSteps.tsx'
import { DeviceLink } from '../list/DeviceLink.tsx'
import { EventScene } from '../list/EventScene.tsx'
import { EventEnd } from './EventEnd.tsx'
import styles from '../list/alarms.module.css'

export function DeviceEventDetail({ event }: { event: DeviceEvent }) {
  const { t } = useTranslation('alarms')
  const label = useEnumLabel()
  const { offset } = useZoneOffset()
  const name = label(alarmType, event.type)
  return (
    <>
      {event.hasVideo ? <Clip id={event.id} picture={event.imageUrl} name={name} /> : <EventScene url={event.imageUrl} words={name} />}
      <Facts
        facts={[
          [t('event'), name],
          [t('device'), <DeviceLink key="device" row={event} />],
          [t('deviceType'), <EnumTag key="type" of={deviceType} value={event.deviceType} />],
          [t('time'), formatInstant(event.alertTime, offset)],
          [t('endedAt'), <EventEnd key="end" event={event} />],
          [t('receivedAt'), formatInstant(event.receivedAt, offset)],
        ]}
      />
      <AlarmSteps steps={stepsOf(event)} statuses={alarmHandlingStatusAlt} />
    </>
  )
}

/** The clip of the event; its picture until the clip is there, and where no recording covers its time. */
function Clip({ id, picture, name }: { id: string; picture: string; name: string }) {
  const clip = useRead(deviceEventCalls.video, { query: { id } })
  if (clip.data?.available !== true) return <EventScene url={picture} words={name} />
  return (
    <div className={styles.scene}>
      <video src={clip.data.url} poster={picture} controls muted aria-label={name} />
    </div>
  )
}
