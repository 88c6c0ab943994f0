/** One record beside the list: both faces large, the facts, and why. Up and down lead to its neighbours, Esc closes. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { temperatureText } from '@gatehouse/access-rules/measured'
import { recordCalls, type AccessRecord, type WatchListHit } from '@gatehouse/contract/records/calls'
import { isPseudonym } from '@gatehouse/contract/records/pseudonym'
import { helmetStatus, maskStatus, verifyType } from '@gatehouse/contract/enums/access'
import { DetailPage, Facts, Section } from '../../kit/detail/DetailPage.tsx'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { RowDrawer } from '../../kit/list/RowDrawer.tsx'
import { PicturePair } from '../../shared/PicturePair.tsx'
import { useRead } from '../../api/query.ts'
import { useMay, useMayOpen } from '../../api/session.ts'
import { formatDate, formatInstant, useZoneOffset } from '../../kit/time.ts'
import { isHit, useMatch } from '../../shared/watchList.ts'
import { path } from '../../paths.ts'
import { WatchListFacts, WatchListTag } from '../../shared/WatchListTag.tsx'
import { screens } from '../../screens.ts'
import { Clinic, hasMatch } from '../clinic/index.ts'
import { Direction } from './Direction.tsx'
import { RecordActions } from './RecordActions.tsx'
import { useRecordWords } from './recordWords.ts'
import { Why } from './Why.tsx'
import styles from './records.module.css'

const FACE = 196
const WIDTH = 600

interface RecordDrawerProps {
  record: AccessRecord | undefined
  /** The rows of the list that the record is in. */
  rows: AccessRecord[]
  show: (id: string | undefined) => void
}

export default function RecordDrawer({ record, rows, show }: RecordDrawerProps) {
  const { t } = useTranslation('records')
  const { offset } = useZoneOffset()
  return (
    <RowDrawer
      rows={rows}
      id={record?.id}
      show={show}
      width={WIDTH}
      title={record && formatInstant(record.time, offset)}
      words={{ previous: t('newer'), next: t('olderOne') }}
      className={styles.inside}
    >
      {record && <Detail record={record} />}
    </RowDrawer>
  )
}

function Detail({ record }: { record: AccessRecord }) {
  const { t } = useTranslation('records')
  const { who, contact, reason } = useRecordWords()(record)
  const { offset } = useZoneOffset()
  const mayOpenPerson = useMay('person.list')
  const mayOpenDoor = useMay('device.list')
  const why = useRead(recordCalls.why, { params: { id: record.id } })
  const match = useMatch()(record)
  const isErased = isPseudonym(record.personId)
  const person: [string, React.ReactNode][] = [
    [
      t('person'),
      record.personId && !isErased && mayOpenPerson && !record.personParkName ? (
        <Link to={path('staffDetails', { id: record.personId })}>{who}</Link>
      ) : (
        who
      ),
    ],
    ...(contact ? [[t('byContact'), contact] as [string, string]] : []),
    [t('workNumber'), record.workNumber],
  ]
  const facts: [string, React.ReactNode][] = [
    // A person found on the watch list is shown above.
    ...(record.personId === null && isHit(record) ? [] : person),
    ...(record.personParkName ? [[t('linkedPark'), record.personParkName] as [string, string]] : []),
    [
      t('door'),
      <>
        {mayOpenDoor ? <Link to={path('deviceDetails', { deviceId: record.deviceId })}>{record.deviceName}</Link> : record.deviceName}{' '}
        <Direction value={record.direction} />
      </>,
    ],
    [t('method'), <EnumTag of={verifyType} value={record.verifyType} />],
  ]
  if (temperatureText(record.temperature)) facts.push([t('temperature'), temperatureText(record.temperature)])
  if (record.mask !== null) facts.push([t('mask'), <EnumTag of={maskStatus} value={record.mask} />])
  if (record.helmet !== null) facts.push([t('helmet'), <EnumTag of={helmetStatus} value={record.helmet} />])
  return (
    <>
      <div className={styles.compared}>
        <PicturePair
          captured={record.captureImage || record.captureThumbnail}
          registered={match.registeredImage}
          score={match.score}
          result={record.result}
          name={match.name}
          hit={isHit(record)}
          size={FACE}
          {...(record.pictureKeptUntil !== null && {
            leftWords: t('pictureKeptUntil', { date: formatDate(record.pictureKeptUntil, offset) }),
          })}
        />
      </div>
      {record.watchList && <Hit hit={record.watchList} />}
      {reason && <p className={styles.drawerReason}>{reason}</p>}
      <RecordActions key={record.id} record={record} />
      <Section title={t('why.title')}>
        <DetailPage query={why}>
          {(answer) => <Why why={answer} compared={{ score: match.score, watchList: isHit(record) }} withRemedies={!isHit(record)} />}
        </DetailPage>
      </Section>
      {hasMatch(record) && !isErased && (
        <Section title={t('clinic:title')}>
          <Clinic key={record.id} record={record} />
        </Section>
      )}
      <Section title={t('facts')}>
        <Facts facts={facts} />
      </Section>
    </>
  )
}

/** The person of the watch list found on a record: why they are on it, what is to be done, and the link to them. */
function Hit({ hit }: { hit: WatchListHit }) {
  const { t } = useTranslation()
  const mayOpen = useMayOpen(screens.blackDetails)
  const { personId, personName } = hit
  return (
    <section className={styles.hit} aria-label={t('watchList.tag')}>
      <header>
        <WatchListTag />
        <b>{mayOpen ? <Link to={path('blackDetails', { id: personId })}>{personName}</Link> : personName}</b>
      </header>
      <WatchListFacts hit={hit} />
    </section>
  )
}
