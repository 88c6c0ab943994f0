/** /staffDetails/{id}: one person, large; where they may pass, and where they have been. */
import { EditOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { gender, personStatus } from '@gatehouse/contract/enums/people'
import { peopleCalls, type Person } from '@gatehouse/contract/people/calls'
import { DetailPage, Facts, Section } from '../../kit/DetailPage.tsx'
import { EnumTag } from '../../kit/EnumTag.tsx'
import { useRead } from '../../kit/query.ts'
import { DateOnly, RelativeTime } from '../../kit/RelativeTime.tsx'
import { Screen } from '../../kit/Screen.tsx'
import { useEditor } from '../../kit/useEditor.ts'
import { useWrite } from '../../kit/useWrite.ts'
import { path } from '../../paths.ts'
import { LatestRecords } from './LatestRecords.tsx'
import { Matching } from './Matching.tsx'
import { MayPass } from './MayPass.tsx'
import { Photos } from './Photos.tsx'
import { useDeletePersons } from './useDeletePersons.tsx'
import { Validity } from './Validity.tsx'
import styles from './people.module.css'

const StaffDialog = lazy(() => import('./StaffDialog.tsx'))

export default function StaffDetailPage() {
  const { id = '' } = useParams()
  const person = useRead(peopleCalls.read, { query: { id } })
  return <DetailPage query={person}>{(found) => <Staff person={found} />}</DetailPage>
}

function Staff({ person }: { person: Person }) {
  const { t } = useTranslation('people')
  const navigate = useNavigate()
  const editor = useEditor<Person>()
  const status = useWrite(peopleCalls.status, { done: t('statusChanged') })
  const remove = useDeletePersons(() => void navigate(path('staffList')))
  const disabled = person.status === personStatus.disabled
  const setStatus = (to: 0 | 1): void => status.run({ body: { ids: [person.id], status: to } })

  return (
    <Screen
      title={person.name}
      note={<EnumTag of={personStatus} value={person.status} />}
      actions={
        disabled ? (
          <Button type="primary" onClick={() => setStatus(personStatus.enabled)}>{t('enable')}</Button>
        ) : (
          <>
            <Button danger type="text" onClick={() => void remove([person.id])}>{t('delete')}</Button>
            <Button onClick={() => setStatus(personStatus.disabled)}>{t('disable')}</Button>
            <Button type="primary" icon={<EditOutlined />} onClick={() => editor.edit(person)}>{t('edit')}</Button>
          </>
        )
      }
    >
      <div className={styles.head}>
        <Photos name={person.name} faces={person.faces} />
        <Facts
          facts={[
            [t('validity'), <Validity from={person.validFrom} to={person.validTo} />],
            [t('group'), person.groupName],
            [t('workNumber'), person.workNumber],
            [t('phone'), person.phone],
            [t('gender'), <EnumTag of={gender} value={person.gender} />],
            [t('birthday'), person.birthday],
            [t('cardNumber'), person.cardNumber],
            [t('idNumber'), person.idNumber],
            [t('createdAt'), <DateOnly at={person.createdAt} />],
            [t('updatedAt'), <RelativeTime at={person.updatedAt} />],
            [t('remark'), person.remark],
          ]}
        />
      </div>
      <Section title={t('mayPass')}><MayPass personId={person.id} /></Section>
      {person.faces.length > 0 && <Section title={t('matching.title')}><Matching personId={person.id} name={person.name} /></Section>}
      <Section title={t('latestRecords')}><LatestRecords personId={person.id} registered={person.faces[0]?.thumbnail ?? ''} /></Section>
      <Suspense fallback={null}>{editor.round > 0 && <StaffDialog key={editor.round} editor={editor} />}</Suspense>
    </Screen>
  )
}
