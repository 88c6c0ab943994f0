/** One person: the face, the doors that open for them, their latest records, and the rest. The detail page to copy. */
import { EditOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useNavigate, useParams } from 'react-router'
import { personStatus, cardNumberFormat, gender, personCardType } from '@gatehouse/contract/enums/people'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { Person } from '@gatehouse/contract/people/person'
import { ID_TYPES } from '@gatehouse/contract/people/person-fields'
import { PLAIN_FIELDS } from '@gatehouse/contract/people/plain-fields'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { permitCalls } from '@gatehouse/contract/approvals/permits'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import { DetailPage, Section, Facts } from '../../kit/detail/DetailPage.tsx'
import { EnumTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { useRead } from '../../api/query.ts'
import { RowMenu } from '../../kit/list/RowMenu.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMayCall } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { path } from '../../paths.ts'
import { DateOnly, RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { PermitDialog, type PermitRequest } from '../approvals/index.ts'
import { PersonCards } from '../cards/index.ts'
import { ConsentSection } from '../privacy/index.ts'
import { usePersonSync, useSyncWords } from '../synchronisation/index.ts'
import { Contacts } from './contacts/Contacts.tsx'
import { LatestRecords } from './LatestRecords.tsx'
import { Matching } from './Matching.tsx'
import { pathOfPerson, personKinds, type RegisterKind } from './personKinds.ts'
import { Photos } from './Photos.tsx'
import { Registered, useJustSaved } from './Registered.tsx'
import { usePersonActions } from './personActions.tsx'
import { ConsentTag, Validity } from './PersonTags.tsx'
import styles from './people.module.css'

const PersonDialog = lazy(() => import('./PersonDialog.tsx'))

export default function PersonDetailPage({ kind }: { kind: RegisterKind }) {
  const { id = '' } = useParams()
  const person = useRead(peopleCalls.read, { query: { id } })
  // The link may come from a page that does not have the kind of the person.
  return (
    <DetailPage query={person}>
      {(found) =>
        found.kind === kind ? <Shown person={found} kind={kind} /> : <Navigate to={pathOfPerson(found.kind, found.id)} replace />
      }
    </DetailPage>
  )
}

function Shown({ person, kind }: { person: Person; kind: RegisterKind }) {
  const { t } = useTranslation('people')
  const navigate = useNavigate()
  const editor = useEditor<Person>()
  const permission = useEditor<PermitRequest>()
  const { id, name, faces } = person
  const { justSaved, setJustSaved } = useJustSaved(id)
  const { setStatus, sendAgain, remove, erase } = usePersonActions({ onRemoved: () => void navigate(path(personKinds[kind].list)) })
  // The notice of a failed permission is closed once the permission is granted.
  const forget = (): void => {
    if (justSaved?.permitted) setJustSaved(null)
  }
  const disabled = person.status === personStatus.disabled
  const mayEdit = useMayCall(peopleCalls.change)
  const maySearch = useMayCall(faceSearchCalls.track)
  const track = {
    key: 'track',
    label: t('surveillance:search.whereWas'),
    allowed: maySearch && faces.length > 0,
    run: () => void navigate(`${path('faceTrack')}?personId=${id}&view=track`),
  }
  const erasing = erase ? [{ key: 'erase', label: t('erase'), danger: true, run: () => erase([id]) }] : []

  return (
    <Screen
      title={name}
      note={<EnumTag of={personStatus} value={person.status} />}
      actions={
        !mayEdit ? (
          <RowMenu name={name} actions={[track, ...erasing]} />
        ) : disabled ? (
          <>
            <RowMenu name={name} actions={[track, ...erasing]} />
            <Button type="primary" onClick={() => setStatus([id], personStatus.enabled)}>
              {t('enable')}
            </Button>
          </>
        ) : (
          <>
            <RowMenu name={name} actions={[{ key: 'sendAgain', label: t('sendAgain'), run: () => sendAgain([id]) }, track, ...erasing]} />
            <Button danger type="text" onClick={() => remove([id])}>
              {t('delete')}
            </Button>
            <Button onClick={() => setStatus([id], personStatus.disabled)}>{t('disable')}</Button>
            <Button type="primary" icon={<EditOutlined />} onClick={() => editor.edit(person)}>
              {t('edit')}
            </Button>
          </>
        )
      }
    >
      <Registered
        justSaved={justSaved}
        setJustSaved={setJustSaved}
        kind={kind}
        personId={id}
        permit={(chosen) => permission.edit({ personIds: [id], name, ...(chosen && { chosen }) })}
      />
      <div className={styles.head}>
        <Photos name={name} faces={faces} />
        <PersonFacts person={person} />
      </div>
      <MayPass person={person} permit={() => permission.edit({ personIds: [id], name })} />
      <LatestRecords personId={id} registered={faces[0]?.thumbnail ?? ''} />
      <ConsentSection personId={id} title={t('consentLabel')} />
      <Contacts personId={id} fixed={disabled || !mayEdit} />
      <PersonCards personId={id} fixed={disabled} />
      {faces.length > 0 && (
        <Section title={t('matching.title')}>
          <Matching personId={id} name={name} />
        </Section>
      )}
      <Suspense fallback={null}>
        {editor.openingCount > 0 && <PersonDialog key={editor.openingCount} editor={editor} kind={kind} />}
        {permission.openingCount > 0 && <PermitDialog key={`permit ${permission.openingCount}`} editor={permission} onDone={forget} />}
      </Suspense>
    </Screen>
  )
}

/** The facts about a person. A field that is empty in most records is left out when it is empty. */
function PersonFacts({ person }: { person: Person }) {
  const { t } = useTranslation('people')
  const label = useEnumLabel()
  const { cardNumber, idNumber, idPhoto, registrationPhoto } = person
  const idType = ID_TYPES.find((type) => type === person.idType)
  const card =
    cardNumber &&
    [
      cardNumber,
      ...(person.cardType === personCardType.other ? [] : [label(personCardType, person.cardType)]),
      ...(person.cardNumberFormat === cardNumberFormat.hex ? [label(cardNumberFormat, cardNumberFormat.hex)] : []),
    ].join(' · ')
  const seldom: [string, ReactNode, boolean][] = [
    [idType ? t(`idType.${idType}`) : t('idNumber'), idNumber, idNumber !== ''],
    [t('email'), person.email, person.email !== ''],
    ...PLAIN_FIELDS.map((field): [string, ReactNode, boolean] => [t(`audit:field.${field}`), person[field], person[field] !== '']),
    ...person.customFields.map(({ title, value }): [string, ReactNode, boolean] => [title, value, value !== '']),
    [t('idPhoto'), <Picture url={idPhoto} name={t('idPhoto')} />, idPhoto !== ''],
    [t('registrationPhoto'), <Picture url={registrationPhoto} name={t('registrationPhoto')} />, registrationPhoto !== ''],
  ]
  return (
    <Facts
      facts={[
        [t('validity'), <Validity from={person.validFrom} to={person.validTo} />],
        [t('group'), person.groupName],
        [t('workNumber', { context: person.kind }), person.workNumber],
        [t('phone'), person.phone],
        [t('gender'), <EnumTag of={gender} value={person.gender} />],
        [t('birthday'), person.birthday],
        [t('cardNumber'), card],
        [t('personalPassword'), t(person.hasPersonalPassword ? 'password.isSet' : 'password.isNotSet')],
        [t('consentLabel'), <ConsentTag state={person.faceConsent} at={person.consentAt} />],
        ...seldom.filter(([, , isFilled]) => isFilled).map(([name, value]): [string, ReactNode] => [name, value]),
        [t('createdAt'), <DateOnly at={person.createdAt} />],
        [t('updatedAt'), <RelativeTime at={person.updatedAt} />],
        [t('remark'), person.remark],
      ]}
    />
  )
}

/** A small picture beside the facts, which opens in full in a dialog. */
function Picture({ url, name }: { url: string; name: string }) {
  return (
    <a className={styles.document} href={url} target="_blank" rel="noreferrer">
      <img src={url} alt={name} loading="lazy" />
    </a>
  )
}

interface MayPassProps {
  person: Person
  /** Open the dialog that permits. */
  permit: () => void
}

/** Return why no door opens for a person regardless of strategies; null where doors may open. */
function useBarred({ status, validFrom, validTo }: Person): 'disabled' | 'notYet' | 'ended' | null {
  const [now] = useState(() => Date.now())
  if (status === personStatus.disabled) return 'disabled'
  if (validTo !== null && validTo < now) return 'ended'
  return validFrom !== null && validFrom > now ? 'notYet' : null
}

/** The doors that open for a person, the strategies, and whether the terminals there hold the person already. */
function MayPass({ person, permit }: MayPassProps) {
  const { t } = useTranslation('people')
  const barred = useBarred(person)
  const doors = useRead(strategyCalls.ofPerson, { query: { personId: person.id } }, { enabled: barred === null })
  const mayPermit = useMayCall(permitCalls.persons)
  const words = useSyncWords()
  const found = doors.data ?? []
  const { pairOf, isLoaded } = usePersonSync(
    person.id,
    found.map(({ deviceId }) => deviceId),
  )
  const nowhere = doors.data?.length === 0 && t(mayPermit ? 'mayPassNowhereYet' : 'mayPassNowhere')
  return (
    <Section
      title={t('mayPass')}
      empty={barred === null ? nowhere : t(`barred.${barred}`)}
      extra={mayPermit && barred !== 'disabled' && <Button onClick={permit}>{t('approvals:permit.permit')}</Button>}
    >
      <DetailPage query={doors}>
        {(all) => (
          <ul className={styles.doors}>
            {all.map(({ deviceId, deviceName, strategies }) => {
              const pair = pairOf(deviceId)
              return (
                <li key={deviceId}>
                  <span>
                    <b title={deviceName}>{deviceName}</b>
                    <small>{strategies.map(({ name }) => name).join(t('common:listSeparator'))}</small>
                  </span>
                  {isLoaded && (
                    <span>
                      <EnumTag of={personSyncStatus} value={pair?.status ?? personSyncStatus.syncing} />
                      {pair?.message && <small>{words.reason(pair.message)}</small>}
                    </span>
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </DetailPage>
    </Section>
  )
}
