/** The bubbles of the alarm centre: faces, events at doors and before cameras, and resources of devices. */
import { AlertFilled, DashboardOutlined, UserOutlined, VideoCameraFilled, WarningFilled } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { shownScore } from '@gatehouse/contract'
import { isKnownEvent } from '@gatehouse/contract/alarms/ai-box'
import { faceAlarmCalls } from '@gatehouse/contract/alarms/face-alarms'
import { alarmHandlingStatus, alarmLevel, alarmType, alertType } from '@gatehouse/contract/enums/alarms'
import { request } from '../../../api/request.ts'
import { useMayCall } from '../../../api/session.ts'
import { EnumTag, useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { clockOrDate, useZoneOffset } from '../../../kit/time.ts'
import { PicturePair } from '../../../shared/PicturePair.tsx'
import type { EventBubble, FaceBubble, ResourceBubble } from './alarms.ts'
import { BubbleFrame } from './BubbleFrame.tsx'
import { addressOf } from './links.ts'
import styles from './alarms.module.css'

/** Pixels of each side of a face, in full and in a folded bubble; the picture of an event is wider. */
const FACE = 158
const SMALL_FACE = 48
const SCENE = 128

interface CardProps<Bubble> {
  bubble: Bubble
  /** Shown in one line. */
  folded: boolean
  close: () => void
}

/** A person that a monitoring task looks out for, or a stranger: both faces, who, where, when, how sure, and what is to be done. */
export function FaceAlarmCard({ bubble, folded, close }: CardProps<FaceBubble>) {
  const { t } = useTranslation('alarms')
  const label = useEnumLabel()
  const { key, alarm, late } = bubble
  const begin = useBegin(bubble)
  const name = alarm.personName || label(alertType, alarm.alertType)
  const isStranger = alarm.alertType !== alertType.blacklist
  return (
    <BubbleFrame
      id={key}
      kind="faceAlarm"
      look={isStranger ? 'stranger' : 'urgent'}
      icon={isStranger ? <UserOutlined /> : <WarningFilled />}
      title={t(late ? 'bubble.faceLate' : 'bubble.face', { type: label(alertType, alarm.alertType) })}
      folded={folded}
      close={close}
      actions={<Actions bubble={bubble} begin={alarm.status === alarmHandlingStatus.undealt ? begin : undefined} />}
    >
      <PicturePair
        captured={alarm.captureFaceImage}
        leftWords={t('captured')}
        registered={alarm.hitFaceImage}
        score={alarm.score}
        {...(alarm.score !== null && { scoreWords: shownScore(alarm.score).toFixed(2) })}
        result={null}
        name={isStranger ? t('noMatch') : name}
        hit={!isStranger}
        size={folded ? SMALL_FACE : FACE}
      />
      <div className={styles.words}>
        <h3>{name}</h3>
        <Where name={alarm.deviceName} at={alarm.captureTime} />
        {late && <p className={styles.late}>{t('late')}</p>}
        <Escalated at={alarm.escalatedAt} since={alarm.captureTime} />
        {alarm.instruction !== '' && <p className={styles.instruction}>{alarm.instruction}</p>}
        <p className={styles.facts}>
          <EnumTag of={alarmLevel} value={alarm.level} />
          {alarm.status === alarmHandlingStatus.dealing && <EnumTag of={alarmHandlingStatus} value={alarm.status} />}
          <span>
            {[alarm.surveillanceName, alarm.groupName, alarm.captures > 1 && t('captureCount', { count: alarm.captures })]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </p>
      </div>
    </BubbleFrame>
  )
}

/** How long nobody had handled an alarm when it was escalated; nothing where it was not. */
function Escalated({ at, since }: { at: number | null; since: number }) {
  const { t } = useTranslation('alarms')
  return at === null ? null : (
    <p className={styles.late}>{t('bubble.escalated', { count: Math.max(1, Math.round((at - since) / 60_000)) })}</p>
  )
}

/** An event at a door, or one that an AI box saw. */
export function EventAlarmCard({ bubble, folded, close }: CardProps<EventBubble>) {
  // A frame has no language: the console has the words of known events.
  const { t } = useTranslation(['alarms', 'aiBoxEvents'])
  const label = useEnumLabel()
  const { key, kind, alarm, time, late } = bubble
  const [name, picture, place] =
    kind === 'deviceAlarm'
      ? [label(alarmType, alarm.type), alarm.imageUrl, alarm.deviceName]
      : [
          isKnownEvent(alarm.eventType) ? t(`aiBoxEvents:${alarm.eventType}`) : alarm.eventTypeName,
          alarm.imagePath,
          alarm.ipcName || alarm.deviceName,
        ]
  return (
    <BubbleFrame
      id={key}
      kind={kind}
      icon={kind === 'deviceAlarm' ? <AlertFilled /> : <VideoCameraFilled />}
      title={t(`bubble.${kind}`)}
      folded={folded}
      close={close}
      actions={<Actions bubble={bubble} />}
    >
      {picture !== '' && <Portrait name={name} url={picture} size={folded ? SMALL_FACE : SCENE} />}
      <div className={styles.words}>
        <h3>{name}</h3>
        <Where name={place} at={time} />
        {late && <p className={styles.late}>{t('bubble.lateEvent')}</p>}
        <Escalated at={alarm.escalatedAt} since={time} />
        <p className={styles.facts}>
          <EnumTag of={alarmLevel} value={alarm.level} />
        </p>
      </div>
    </BubbleFrame>
  )
}

/** A device that runs short of processor time, memory or disk. */
export function ResourceAlarmCard({ bubble, folded, close }: CardProps<ResourceBubble>) {
  const { t } = useTranslation('alarms')
  const { key, alarm, time } = bubble
  return (
    <BubbleFrame
      id={key}
      kind="deviceResource"
      icon={<DashboardOutlined />}
      title={t('bubble.deviceResource')}
      folded={folded}
      close={close}
      actions={<Actions bubble={bubble} />}
    >
      <div className={styles.words}>
        <h3>{alarm.deviceName}</h3>
        <p className={styles.where}>
          {t('resource.usage', {
            what: t(`resource.${alarm.alertType}`),
            value: Math.round(alarm.usagePercent),
            threshold: alarm.threshold,
          })}
        </p>
        <Escalated at={alarm.escalatedAt} since={time} />
        <p className={styles.facts}>
          <EnumTag of={alarmLevel} value={alarm.level} />
        </p>
      </div>
    </BubbleFrame>
  )
}

function Where({ name, at }: { name: string; at: number }) {
  const { offset } = useZoneOffset()
  return (
    <p className={styles.where}>
      <b>{name}</b> <time dateTime={new Date(at).toISOString()}>{clockOrDate(at, Date.now(), offset)}</time>
    </p>
  )
}

/** The link to the alarm, and the button that begins to deal with it: what the keys of a focused bubble press is marked. */
function Actions({ bubble, begin }: { bubble: FaceBubble | EventBubble | ResourceBubble; begin?: (() => void) | undefined }) {
  const { t } = useTranslation('alarms')
  return (
    <>
      {begin && (
        <button type="button" data-begin onClick={begin}>
          {t('begin')} <kbd>D</kbd>
        </button>
      )}
      <Link to={addressOf(bubble)} data-begin={begin === undefined || undefined}>
        {t('bubble.open')}
      </Link>
    </>
  )
}

/** Return a function that begins to deal with an alarm and opens it; undefined where the session may not, or it was begun already. */
function useBegin(bubble: FaceBubble): (() => void) | undefined {
  const navigate = useNavigate()
  const mayHandle = useMayCall(faceAlarmCalls.handle)
  if (!mayHandle) return undefined
  const { id, status } = bubble.alarm
  return () => {
    const open = (): void => void navigate(addressOf(bubble))
    if (status !== alarmHandlingStatus.undealt) return open()
    // Where somebody else was faster, the list says so.
    void request(faceAlarmCalls.handle, { body: { id, status: alarmHandlingStatus.dealing } }, { errors: 'silent' }).then(open, open)
  }
}
