/** One record beside the list: both faces large, the facts, and why. Up and down lead to its neighbours, Esc closes. */
import { DownOutlined, UpOutlined } from '@ant-design/icons'
import { Button, Drawer, Tooltip } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { temperatureText } from '@gatehouse/access-rules/measured'
import { recordCalls, type AccessRecord, type WatchListHit } from '@gatehouse/contract/records/calls'
import { isPseudonym } from '@gatehouse/contract/records/pseudonym'
import { helmetStatus, maskStatus, verifyType } from '@gatehouse/contract/enums/access'
import { DetailPage, Facts, Section } from '../../kit/detail/DetailPage.tsx'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { KEYS } from '../../kit/keys.ts'
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

const [NEWER, OLDER] = KEYS.drawer.step
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
  const inside = useRef<HTMLDivElement>(null)
  const at = rows.findIndex(({ id }) => id === record?.id)
  const step = (by: number): void => {
    const next = rows[at + by]
    if (at >= 0 && next) show(next.id)
  }
  const arrow = (by: -1 | 1, words: string) => (
    <Tooltip title={words}>
      <Button
        type="text"
        aria-label={words}
        disabled={!rows[at + by]}
        icon={by < 0 ? <UpOutlined /> : <DownOutlined />}
        onClick={() => step(by)}
      />
    </Tooltip>
  )
  return (
    <Drawer
      open={record !== undefined}
      onClose={() => show(undefined)}
      size={WIDTH}
      // The passages at the doors stay visible, and another row can be chosen.
      mask={false}
      title={record && formatInstant(record.time, offset)}
      extra={
        <>
          {arrow(-1, t('newer'))}
          {arrow(1, t('olderOne'))}
        </>
      }
      destroyOnHidden
      // Without a mask the focus would stay in the list, and the arrow keys with it.
      afterOpenChange={(open) => open && inside.current?.focus({ preventScroll: true })}
      onKeyDown={(event) => {
        const by = { [NEWER]: -1, [OLDER]: 1 }[event.key]
        // Menus and the fields of a form use the arrow keys themselves, and leaving the record would discard what was filled in.
        if (by === undefined || (event.target as HTMLElement).closest('form, [role="menu"]') !== null) return
        event.preventDefault()
        // The focused element may be removed with the record.
        inside.current?.focus({ preventScroll: true })
        step(by)
      }}
    >
      <div ref={inside} tabIndex={-1} className={styles.inside}>
        {record && <Detail record={record} />}
      </div>
    </Drawer>
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
