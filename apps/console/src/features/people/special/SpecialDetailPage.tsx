/** /blackDetails/{id}: a person of the watch list, with a large face and the instruction. */
import { EditOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { gender, personStatus } from '@gatehouse/contract/enums/people'
import { ID_TYPES } from '@gatehouse/contract/people/person-fields'
import type { Person } from '@gatehouse/contract/people/person'
import { PLAIN_FIELDS } from '@gatehouse/contract/people/plain-fields'
import { specialCalls } from '@gatehouse/contract/people/special'
import { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { DetailPage, Facts } from '../../../kit/detail/DetailPage.tsx'
import { EnumTag } from '../../../kit/detail/EnumTag.tsx'
import { useRead } from '../../../api/query.ts'
import { DateOnly, RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useMayCall } from '../../../api/session.ts'
import { useEditor } from '../../../kit/form/useEditor.ts'
import { path } from '../../../paths.ts'
import { LatestRecords } from '../LatestRecords.tsx'
import { Photos } from '../Photos.tsx'
import { useSpecialActions } from '../personActions.tsx'
import peopleStyles from '../people.module.css'
import styles from './special.module.css'

const SpecialDialog = lazy(() => import('./SpecialDialog.tsx'))
const MoveSpecialDialog = lazy(() => import('./MoveSpecialDialog.tsx'))

export default function SpecialDetailPage() {
  const { id = '' } = useParams()
  const person = useRead(specialCalls.read, { query: { id } })
  return <DetailPage query={person}>{(found) => <Shown person={found} />}</DetailPage>
}

function Shown({ person }: { person: Person }) {
  const { t } = useTranslation('people')
  const navigate = useNavigate()
  const editor = useEditor<Person>()
  const move = useEditor<string[]>()
  const { id, name, faces } = person
  const { setStatus, remove } = useSpecialActions({ onRemoved: () => void navigate(path('blacklist')) })
  const mayEdit = useMayCall(specialCalls.change)
  const maySearch = useMayCall(faceSearchCalls.track)
  const idType = ID_TYPES.find((type) => type === person.idType)
  const seldom: [string, string][] = [
    [t('phone'), person.phone],
    [idType ? t(`idType.${idType}`) : t('idNumber'), person.idNumber],
    [t('birthday'), person.birthday],
    ...PLAIN_FIELDS.map((field): [string, string] => [t(`audit:field.${field}`), person[field]]),
    [t('special.number'), person.workNumber],
  ]

  return (
    <Screen
      title={name}
      note={<EnumTag of={personStatus} value={person.status} />}
      actions={
        <>
          {maySearch && faces.length > 0 && (
            <Button type="text" onClick={() => void navigate(`${path('faceTrack')}?personId=${id}&view=track`)}>
              {t('surveillance:search.whereWas')}
            </Button>
          )}
          {mayEdit &&
            (person.status === personStatus.disabled ? (
              <Button type="primary" onClick={() => setStatus([id], personStatus.enabled)}>
                {t('enable')}
              </Button>
            ) : (
              <>
                <Button danger type="text" onClick={() => remove([id])}>
                  {t('delete')}
                </Button>
                <Button onClick={() => setStatus([id], personStatus.disabled)}>{t('disable')}</Button>
                <Button onClick={() => move.edit([id])}>{t('move')}</Button>
                <Button type="primary" icon={<EditOutlined />} onClick={() => editor.edit(person)}>
                  {t('edit')}
                </Button>
              </>
            ))}
        </>
      }
    >
      <p className={styles.hint}>{t('special.meaning')}</p>
      <div className={peopleStyles.head}>
        <Photos name={name} faces={faces} />
        <Facts
          facts={[
            [t('special.reason'), person.remark && <span className={styles.reason}>{person.remark}</span>],
            [t('special.instruction'), person.instruction && <b className={styles.reason}>{person.instruction}</b>],
            [t('group'), person.groupName],
            [t('gender'), <EnumTag of={gender} value={person.gender} />],
            ...seldom.filter(([, value]) => value !== '').map(([label, value]): [string, ReactNode] => [label, value]),
            [t('createdAt'), <DateOnly at={person.createdAt} />],
            [t('updatedAt'), <RelativeTime at={person.updatedAt} />],
          ]}
        />
      </div>
      <LatestRecords personId={id} registered={faces[0]?.thumbnail ?? ''} />
      <Suspense fallback={null}>
        {editor.openingCount > 0 && <SpecialDialog key={`person ${editor.openingCount}`} editor={editor} />}
        {move.openingCount > 0 && <MoveSpecialDialog key={`move ${move.openingCount}`} editor={move} onDone={() => {}} />}
      </Suspense>
    </Screen>
  )
}
