/** The fields of a person, named as in the write calls: the photograph first, what is seldom needed behind its heading. */
import { Checkbox, Form, Input, Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { FACES_PER_PERSON, PERSON_NAME_MAX, PERSON_NUMBER_MAX, PHONE_MAX, TEXT_MAX, USER_TEXT_MAX } from '@gatehouse/contract'
import { gender } from '@gatehouse/contract/enums/people'
import type { FacePhoto } from '@gatehouse/contract/faces/calls'
import type { ConsentState, PersonKind } from '@gatehouse/contract/people/person-fields'
import { personFormCalls } from '@gatehouse/contract/people/form'
import { similarTo } from '../../shared/cachedFaces.ts'
import { DateField } from '../../kit/form/DateField.tsx'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { LookAlikes } from '../../shared/LookAlikes.tsx'
import { PhotoField } from '../../shared/PhotoField.tsx'
import { useRead } from '../../api/query.ts'
import { NewContacts } from './contacts/ContactFields.tsx'
import { CustomFields } from './CustomFields.tsx'
import { DocumentField } from './DocumentField.tsx'
import { GroupField } from './GroupField.tsx'
import { PapersFold } from './PapersFold.tsx'
import { PassFields } from './PassFields.tsx'
import { personKinds } from './personKinds.ts'
import { useIsPhotoRequired } from './personValues.ts'
import styles from './people.module.css'

/** What the form needs about a person who is registered already. */
interface RegisteredPerson {
  id: string
  groupId: string
  faces: FacePhoto[]
  hasPersonalPassword: boolean
  faceConsent: ConsentState
}

interface PersonFieldsProps {
  kind: PersonKind
  /** Absent while the person is still to be registered: then contacts can be added too. */
  person?: RegisteredPerson | undefined
  /** Opens the registered person whom the new photograph shows; what was typed is kept. */
  openPerson: (id: string) => void
}

export function PersonFields({ kind, person, openPerson }: PersonFieldsProps) {
  const { t } = useTranslation('people')
  const faceWanted = useIsPhotoRequired(kind)
  const park = useRead(personFormCalls.read, {})
  const faceIds = Form.useWatch<string[] | undefined>('facePhotos') ?? []
  const isIdPhotoRequired = kind !== 'special' && park.data?.idPhotoRequired === true
  const idPhoto = (
    <Form.Item name="idPhoto" label={t('idPhoto')} required={isIdPhotoRequired}>
      <DocumentField name={t('idPhoto')} />
    </Form.Item>
  )
  return (
    <>
      <Form.Item name="facePhotos" label={t('photos', { count: FACES_PER_PERSON })} required={faceWanted}>
        <PhotoField initial={person?.faces ?? []} personId={person?.id} />
      </Form.Item>
      {similarTo(faceIds).length > 0 && (
        <Form.Item name="likenesses">
          <LookAlikes faceIds={faceIds} open={openPerson} />
        </Form.Item>
      )}
      <IdentityFields kind={kind} />
      <h2 className={styles.part}>{t('part.pass')}</h2>
      <PassFields kind={kind} person={person} />
      <CustomFields demanding={kind !== 'special'} />
      {isIdPhotoRequired && idPhoto}
      {person?.faceConsent !== 'given' && (
        <Form.Item name="faceConsent" valuePropName="checked">
          <Checkbox>{t('consentTick')}</Checkbox>
        </Form.Item>
      )}
      <PapersFold idPhoto={isIdPhotoRequired ? null : idPhoto} />
      {!person && <NewContacts />}
      <Form.Item name="remark" label={t('remark')} className={styles.remark}>
        <Input.TextArea maxLength={TEXT_MAX} showCount autoSize={{ minRows: 2, maxRows: 4 }} />
      </Form.Item>
    </>
  )
}

/** Who the person is, and where they belong. */
function IdentityFields({ kind }: Pick<PersonFieldsProps, 'kind'>) {
  const { t } = useTranslation('people')
  const optionsOf = useEnumOptions()
  return (
    <div className={styles.fields}>
      <Form.Item name="name" label={t('name')} required>
        <Input maxLength={PERSON_NAME_MAX} autoComplete="off" />
      </Form.Item>
      <Form.Item name="groupId" label={t('group')} required>
        <GroupField type={personKinds[kind].groupType} />
      </Form.Item>
      <Form.Item name="workNumber" label={t('workNumber', { context: kind })}>
        <Input maxLength={PERSON_NUMBER_MAX} autoComplete="off" />
      </Form.Item>
      <Form.Item name="phone" label={t('phone')}>
        <Input maxLength={PHONE_MAX} autoComplete="off" inputMode="tel" />
      </Form.Item>
      {kind === 'staff' && (
        <Form.Item name="email" label={t('email')} extra={t('emailHint')}>
          <Input maxLength={USER_TEXT_MAX} autoComplete="off" inputMode="email" />
        </Form.Item>
      )}
      <Form.Item name="gender" label={t('gender')}>
        <Segmented aria-label={t('gender')} options={optionsOf(gender)} />
      </Form.Item>
      <Form.Item name="birthday" label={t('birthday')}>
        <DateField />
      </Form.Item>
    </div>
  )
}
