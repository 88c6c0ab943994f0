/** All about one alarm of a face: both faces large, what is to be done, where and when, and how it was handled. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ReactNode } from 'react'
import { faceAlarmCalls, type FaceAlarm } from '@gatehouse/contract/alarms/face-alarms'
import { alarmHandlingStatus, alarmMatchType } from '@gatehouse/contract/enums/alarms'
import { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { useRead } from '../../../api/query.ts'
import { useMay, useMayCall, useMayOpen } from '../../../api/session.ts'
import { Facts } from '../../../kit/detail/DetailPage.tsx'
import { EnumTag } from '../../../kit/detail/EnumTag.tsx'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { path } from '../../../paths.ts'
import { screens } from '../../../screens.ts'
import { alarmScore } from '../../../shared/AlarmFaces.tsx'
import { PicturePair } from '../../../shared/PicturePair.tsx'
import { WatchListFacts } from '../../../shared/WatchListTag.tsx'
import { AlarmSteps } from '../list/AlarmSteps.tsx'
import { DeviceLink } from '../list/DeviceLink.tsx'
import styles from '../list/alarms.module.css'

/** Pixels of each side of a picture. */
const FACE = 220

export function FaceAlarmDetail({ alarm }: { alarm: FaceAlarm }) {
  const { t } = useTranslation('alarms')
  const { offset } = useZoneOffset()
  const read = useRead(faceAlarmCalls.read, { query: { id: alarm.id } })
  const isMatch = alarm.matchType === alarmMatchType.matched
  const { reason, instruction, groupName, captures } = alarm
  const facts: [string, ReactNode][] = [
    [t('matchType'), <EnumTag key="type" of={alarmMatchType} value={alarm.matchType} />],
    ...(isMatch
      ? ([
          [t('person'), <PersonLinks key="person" alarm={alarm} />],
          [t('group'), groupName],
        ] as [string, ReactNode][])
      : []),
    [t('task'), alarm.surveillanceName],
    [t('device'), <DeviceLink key="device" row={alarm} />],
    [t('captureTime'), formatInstant(alarm.captureTime, offset)],
    [t('captures'), captures],
    ...(captures > 1 ? ([[t('lastCaptureTime'), formatInstant(alarm.lastCaptureTime, offset)]] as [string, ReactNode][]) : []),
    [t('raisedAt'), formatInstant(alarm.time, offset)],
  ]
  return (
    <>
      <div className={styles.head}>
        <PicturePair
          captured={alarm.captureFaceImage || alarm.captureThumbnail}
          leftWords={t('captured')}
          registered={alarm.hitFaceImage}
          score={alarm.score}
          {...(alarm.score !== null && { scoreWords: alarmScore(alarm.score) })}
          result={null}
          name={isMatch ? alarm.suspectPerson : t('noMatch')}
          hit={isMatch}
          size={FACE}
        />
      </div>
      {(reason !== '' || instruction !== '') && (
        <div className={styles.instruction}>
          <WatchListFacts hit={{ groupName: '', reason, instruction }} />
        </div>
      )}
      <Facts facts={facts} />
      <AlarmSteps steps={read.data?.steps ?? []} statuses={alarmHandlingStatus} />
    </>
  )
}

/** The person, and the way to where else they were. */
function PersonLinks({ alarm }: { alarm: FaceAlarm }) {
  const { t } = useTranslation('surveillance')
  const maySearch = useMayCall(faceSearchCalls.track)
  return (
    <span className={styles.links}>
      <PersonLink alarm={alarm} />
      {maySearch && alarm.personId !== null && (
        <Link to={`${path('faceTrack')}?personId=${alarm.personId}&view=track`}>{t('search.whereWas')}</Link>
      )}
    </span>
  )
}

function PersonLink({ alarm: { personId, suspectPerson, reason, instruction } }: { alarm: FaceAlarm }) {
  const mayOpenPerson = useMay('person.list')
  const mayOpenWatchList = useMayOpen(screens.blackDetails)
  // A person of the watch list has a page of their own.
  const isWatched = reason !== '' || instruction !== ''
  if (personId === null || !(isWatched ? mayOpenWatchList : mayOpenPerson)) return <>{suspectPerson}</>
  return <Link to={isWatched ? path('blackDetails', { id: personId }) : path('staffDetails', { id: personId })}>{suspectPerson}</Link>
}
