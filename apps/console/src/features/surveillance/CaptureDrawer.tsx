/** One captured face beside its list: large, with the one it was compared with. Up and down lead to its neighbours, Esc closes. */
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { alarmMatchType } from '@gatehouse/contract/enums/alarms'
import type { CaptureRecord } from '@gatehouse/contract/surveillance/captures'
import { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { useMay, useMayCall, useMayOpen } from '../../api/session.ts'
import { Facts, Section } from '../../kit/detail/DetailPage.tsx'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { RowDrawer } from '../../kit/list/RowDrawer.tsx'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import { path } from '../../paths.ts'
import { screens } from '../../screens.ts'
import { alarmScore } from '../../shared/AlarmFaces.tsx'
import { PicturePair } from '../../shared/PicturePair.tsx'
import { useCaptureSearch } from './search/searchAddress.ts'
import styles from './captures.module.css'

/** Pixels. */
const FACE = 196
const WIDTH = 600

interface CaptureDrawerProps {
  /** Absent: closed. */
  capture: CaptureRecord | undefined
  /** The rows of the list that it is in. */
  rows: readonly CaptureRecord[]
  show: (id: string | undefined) => void
}

export default function CaptureDrawer({ capture, rows, show }: CaptureDrawerProps) {
  const { t } = useTranslation('surveillance')
  const { offset } = useZoneOffset()
  // The closing drawer keeps its content.
  const [last, setLast] = useState(capture)
  if (capture !== undefined && capture !== last) setLast(capture)
  return (
    <RowDrawer
      rows={rows}
      id={capture?.id}
      show={show}
      width={WIDTH}
      title={last && formatInstant(last.captureTime, offset)}
      words={{ previous: t('capture.previous'), next: t('capture.next') }}
      className={styles.inside}
    >
      {last && <Detail capture={last} />}
    </RowDrawer>
  )
}

function Detail({ capture }: { capture: CaptureRecord }) {
  const { t } = useTranslation('surveillance')
  const { offset } = useZoneOffset()
  const mayOpenPerson = useMay('person.list')
  const mayOpenDevice = useMayOpen(screens.deviceDetails)
  const mayOpenAlarm = useMayOpen(screens.monitorAlarm)
  const maySearch = useMayCall(faceSearchCalls.search)
  const searchOf = useCaptureSearch()
  const { personId, personName, matchType, score, alarmId, deviceId, deviceName } = capture
  const isMatch = matchType === alarmMatchType.matched
  const facts: [string, ReactNode][] = [
    [t('capture.matchType'), matchType === null ? t('capture.notCompared') : <EnumTag key="type" of={alarmMatchType} value={matchType} />],
    [
      t('capture.person'),
      personId !== null && mayOpenPerson ? (
        <Link key="person" to={path('staffDetails', { id: personId })}>
          {personName}
        </Link>
      ) : (
        personName
      ),
    ],
    [t('capture.group'), capture.groupName],
    [t('capture.task'), capture.surveillanceName],
    [
      t('capture.device'),
      mayOpenDevice ? (
        <Link key="device" to={path('deviceDetails', { deviceId })}>
          {deviceName}
        </Link>
      ) : (
        deviceName
      ),
    ],
    [
      t('capture.inView'),
      t('capture.fromTo', { from: formatInstant(capture.enteredAt, offset), to: formatInstant(capture.leftAt, offset).slice(11) }),
    ],
    [t('capture.receivedAt'), formatInstant(capture.receivedAt, offset)],
    [t('capture.quality'), t('capture.percent', { value: Math.round(100 * capture.quality) })],
  ]
  return (
    <>
      <div className={styles.compared}>
        <PicturePair
          captured={capture.captureFaceImage || capture.captureThumbnail}
          leftWords={t('capture.captured')}
          registered={capture.hitFaceImage}
          score={score}
          {...(score !== null && { scoreWords: alarmScore(score) })}
          result={null}
          name={isMatch ? personName : t(matchType === null ? 'capture.notCompared' : 'capture.stranger')}
          size={FACE}
        />
      </div>
      <p className={styles.links}>
        {alarmId !== null && mayOpenAlarm && <Link to={`${path('monitorAlarm')}?id=${alarmId}`}>{t('capture.openAlarm')}</Link>}
        {maySearch && <Link to={searchOf(capture)}>{t('search.fromCapture')}</Link>}
      </p>
      <Section title={t('capture.facts')}>
        <Facts facts={facts} />
      </Section>
    </>
  )
}
