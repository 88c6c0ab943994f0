/** One person, large; where they may pass, where they have been, and then the rest. The detail page to copy. */
import { EditOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useNavigate, useParams } from 'react-router'
import { personStatus } from '@gatehouse/contract/enums/people'
import { peopleCalls, type Person } from '@gatehouse/contract/people/calls'
import { DetailPage, Section } from '../../kit/detail/DetailPage.tsx'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { useRead } from '../../api/query.ts'
import { RowMenu } from '../../kit/list/RowMenu.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMayCall } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { path } from '../../paths.ts'
import { PermitDialog, type PermitRequest } from '../approvals/index.ts'
import { PersonCards } from '../cards/index.ts'
import { ConsentSection } from '../privacy/index.ts'
import { Contacts } from './contacts/Contacts.tsx'
import { LatestRecords } from './LatestRecords.tsx'
import { Matching } from './Matching.tsx'
import { MayPass } from './MayPass.tsx'
import { PersonFacts } from './PersonFacts.tsx'
import { pathOfPerson, personKinds, type RegisterKind } from './personKinds.ts'
import { Photos } from './Photos.tsx'
import { Registered } from './Registered.tsx'
import { useJustSaved } from './useJustSaved.ts'
import { usePersonActions } from './usePersonActions.tsx'
import styles from './people.module.css'

const PersonDialog = lazy(() => import('./PersonDialog.tsx'))

export default function PersonDetailPage({ kind }: { kind: RegisterKind }) {
  const { id = '' } = useParams()
  const person = useRead(peopleCalls.read, { query: { id } })
  // Whoever led here may not have known whom they led to.
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
  const { said, say } = useJustSaved(id)
  const { setStatus, sendAgain, remove, erase } = usePersonActions({ onRemoved: () => void navigate(path(personKinds[kind].list)) })
  // What is said of a permission that failed is over once it is given.
  const forget = (): void => {
    if (said?.permitted) say(null)
  }
  const disabled = person.status === personStatus.disabled
  const mayEdit = useMayCall(peopleCalls.change)
  const erasing = erase ? [{ key: 'erase', label: t('erase'), danger: true, run: () => erase([id]) }] : []

  return (
    <Screen
      title={name}
      note={<EnumTag of={personStatus} value={person.status} />}
      actions={
        !mayEdit ? (
          <RowMenu name={name} actions={erasing} />
        ) : disabled ? (
          <>
            <RowMenu name={name} actions={erasing} />
            <Button type="primary" onClick={() => setStatus([id], personStatus.enabled)}>
              {t('enable')}
            </Button>
          </>
        ) : (
          <>
            <RowMenu name={name} actions={[{ key: 'sendAgain', label: t('sendAgain'), run: () => sendAgain([id]) }, ...erasing]} />
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
        {...{ said, say, kind }}
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
        {editor.round > 0 && <PersonDialog key={editor.round} editor={editor} kind={kind} />}
        {permission.round > 0 && <PermitDialog key={`permit ${permission.round}`} editor={permission} onDone={forget} />}
      </Suspense>
    </Screen>
  )
}
