/** One visit beside the list: the photo large, everything about it, and what can be done. Up and down lead to its neighbours. */
import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { reservationChannel, visitorSignInSource, visitorSource, visitReason } from '@gatehouse/contract/enums/visitors'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import type { Visit, VisitRow } from '@gatehouse/contract/visitors/visit'
import { useRead } from '../../../api/query.ts'
import { useMayOpen } from '../../../api/session.ts'
import { DetailPage, Facts, Section } from '../../../kit/detail/DetailPage.tsx'
import { EnumTag, useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { RowDrawer } from '../../../kit/list/RowDrawer.tsx'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { shownName } from '../../../kit/shownName.ts'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { path } from '../../../paths.ts'
import { screens } from '../../../screens.ts'
import { OwnValue } from '../form/OwnValue.tsx'
import type { VisitActions } from './useVisitActions.ts'
import { deskChecksOf, useVisitSpan, VisitStatus } from './visitMarks.tsx'
import { ConsentFact, VisitDocuments } from './VisitDocuments.tsx'
import { VisitPass } from './VisitPass.tsx'
import styles from './desk.module.css'

const FACE = 232
const COMPANION = 72
const WIDTH = 640

interface VisitDrawerProps {
  /** Id of the visit; undefined: closed. */
  open: string | undefined
  /** The rows of the list that the visit is in. */
  rows: readonly VisitRow[]
  actions: VisitActions
  show: (id: string | undefined) => void
}

export default function VisitDrawer({ open, rows, actions, show }: VisitDrawerProps) {
  const { t } = useTranslation('visitors')
  const visit = useRead(visitorCalls.read, { query: { id: open ?? '' } }, { enabled: open !== undefined })
  return (
    <RowDrawer
      rows={rows}
      id={open}
      show={show}
      width={WIDTH}
      title={visit.data?.name ?? t('visit')}
      words={{ previous: t('previous'), next: t('next') }}
      footer={visit.data && <DrawerActions visit={visit.data} actions={actions} />}
      className={styles.inside}
    >
      <DetailPage query={visit}>{(found) => <Detail visit={found} />}</DetailPage>
    </RowDrawer>
  )
}

/** Actions that only the menu of the row offers. */
const MENU_ONLY = ['choosePrinter']

/** What can be done with the visit, as buttons. */
function DrawerActions({ visit, actions }: { visit: Visit; actions: VisitActions }) {
  const offered = actions.menuOf(visit).filter(({ key, allowed }) => allowed !== false && !MENU_ONLY.includes(key))
  if (offered.length === 0) return null
  return (
    <div className={styles.drawerActions}>
      {offered.map(({ key, label, danger, run }, at) => (
        <Button key={key} danger={danger === true} type={at === 0 && danger !== true ? 'primary' : 'default'} onClick={run}>
          {label}
        </Button>
      ))}
    </div>
  )
}

function Detail({ visit }: { visit: Visit }) {
  const { t } = useTranslation('visitors')
  return (
    <>
      <div className={styles.head}>
        <Portrait name={visit.name} url={visit.facePhoto} size={FACE} alone />
        <div>
          <VisitStatus visit={visit} />
          <VisitFacts visit={visit} />
        </div>
      </div>
      <WatchListAlert visit={visit} />
      <DeskCheckAlert visit={visit} />
      {visit.rejectReason !== '' && <Alert type="warning" showIcon title={t('refusedBecause', { reason: visit.rejectReason })} />}
      <Companions visit={visit} />
      <Section title={t('part.pass')}>
        <PassFacts visit={visit} />
      </Section>
      <VisitPass visit={visit} />
      <VisitDocuments visit={visit} />
      <Section title={t('part.times')}>
        <TimeFacts visit={visit} />
      </Section>
      <OwnFacts visit={visit} />
    </>
  )
}

/** Who the visitor is, whom they come to see, and why. */
function VisitFacts({ visit }: { visit: Visit }) {
  const { t } = useTranslation('visitors')
  const spanOf = useVisitSpan()
  const { certificateInfo, validDays } = visit
  const facts: [string, ReactNode][] = [
    [t('phone'), visit.phone],
    [t('host'), visit.visiteeName],
    [t('reason'), <EnumTag key="reason" of={visitReason} value={visit.reason} />],
    [t('visitTime'), validDays === null ? spanOf(visit) : t('spanAndDays', { span: spanOf(visit), count: validDays })],
    [t('visitorNumber'), visit.visitorNumber],
    [t('group'), shownName(visit.visitorGroupName)],
  ]
  if (visit.email !== '') facts.splice(1, 0, [t('email'), visit.email])
  if (certificateInfo) facts.push([t(`people:idType.${certificateInfo.type}`), certificateInfo.number])
  if (visit.remark !== '') facts.push([t('remark'), visit.remark])
  return <Facts facts={facts} />
}

/** The persons of the watch list that the visitor may be. */
function WatchListAlert({ visit: { watchList = [] } }: { visit: Visit }) {
  const { t } = useTranslation('visitors')
  const mayOpen = useMayOpen(screens.blackDetails)
  if (watchList.length === 0) return null
  return (
    <Alert
      type="error"
      showIcon
      title={t('watchListWarning')}
      description={watchList.map(({ personId, personName, by }) => (
        <p key={`${personId} ${by}`}>
          {mayOpen ? (
            <Link className={styles.inText} to={path('blackDetails', { id: personId })}>
              {personName}
            </Link>
          ) : (
            personName
          )}{' '}
          {t(`matchedBy.${by}`, { name: personName })}
        </p>
      ))}
    />
  )
}

/** What the desk has to check before it accepts the visit. */
function DeskCheckAlert({ visit }: { visit: Visit }) {
  const { t } = useTranslation('visitors')
  const checks = deskChecksOf(visit)
  if (checks.length === 0) return null
  return (
    <Alert
      type="warning"
      showIcon
      title={t('deskCheck.title')}
      description={checks.map((check) => (
        <p key={check}>{t(`deskCheckWords.${check}`)}</p>
      ))}
    />
  )
}

function Companions({ visit: { peers } }: { visit: Visit }) {
  const { t } = useTranslation('visitors')
  return (
    <Section title={t('companions')} {...(peers.length === 0 && { empty: t('noCompanion') })}>
      <ul className={styles.companions}>
        {peers.map(({ name, phone, idNumber, facePhoto, faceThumbnail }, at) => (
          <li key={at}>
            <Portrait name={name} url={faceThumbnail || facePhoto} size={COMPANION} />
            <span>
              <b title={name}>{name}</b>
              <span>{phone}</span>
              {idNumber !== '' && <small>{t('idNumberIs', { number: idNumber })}</small>}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const PERMISSION = ['none', 'granted', 'ended'] as const

/** Where and how the visitor passes. */
function PassFacts({ visit }: { visit: Visit }) {
  const { t } = useTranslation('visitors')
  const label = useEnumLabel()
  const { offset } = useZoneOffset()
  const { cardNumber, cardReturned, accessGroups, passMethods } = visit
  return (
    <Facts
      facts={[
        [t('permission'), t(`permissionStatus.${PERMISSION[visit.permissionStatus]}`)],
        [t('authorisationExpiry'), formatInstant(visit.authorisationExpiry, offset)],
        [t('accessRules'), accessGroups.map(({ name }) => shownName(name)).join(t('common:listSeparator'))],
        [t('passMethods'), passMethods.map((method) => label(accessMethod, method)).join(t('common:listSeparator'))],
        [t('cardNumber'), cardNumber !== '' && cardReturned ? t('cardBack', { number: cardNumber }) : cardNumber],
        [t('faceConsent'), <ConsentFact key="consent" visit={visit} />],
      ]}
    />
  )
}

/** How the visit came about, and when what happened. */
function TimeFacts({ visit }: { visit: Visit }) {
  const { t } = useTranslation('visitors')
  const label = useEnumLabel()
  const { source, reservationChannel: channel, signInSource } = visit
  const arranged =
    channel === null ? label(visitorSource, source) : `${label(visitorSource, source)} · ${label(reservationChannel, channel)}`
  return (
    <Facts
      facts={[
        [t('source'), arranged],
        [t('registeredBy'), visit.registeredBy],
        [t('appointmentTime'), <RelativeTime key="appointment" at={visit.appointmentTime} />],
        [t('entryTime'), <RelativeTime key="entry" at={visit.entryTime} />],
        [t('signInSource'), signInSource === null ? '' : label(visitorSignInSource, signInSource)],
        [t('signOffTime'), <SignedOff key="signOff" visit={visit} />],
      ]}
    />
  )
}

function SignedOff({ visit: { signOffTime, forced } }: { visit: Visit }) {
  const { t } = useTranslation('visitors')
  return (
    <>
      <RelativeTime at={signOffTime} />
      {signOffTime !== null && forced && ` · ${t('forced')}`}
    </>
  )
}

/** What the custom fields of the park say. */
function OwnFacts({ visit: { customFields } }: { visit: Visit }) {
  const { t } = useTranslation('visitors')
  const form = useRead(visitorConfigurationCalls.readForm, {})
  const filled = customFields.filter(({ value }) => value !== '')
  if (filled.length === 0) return null
  return (
    <Section title={t('part.own')}>
      <Facts
        facts={filled.map(({ id, title, value }) => [
          title,
          <OwnValue key={id} field={form.data?.fields.find((field) => field.id === id)} value={value} />,
        ])}
      />
    </Section>
  )
}
