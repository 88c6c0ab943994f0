/** The fields of one contact. */
import { Form, Input, Segmented, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { PERSON_NAME_MAX, PHONE_MAX } from '@gatehouse/contract'
import { contactRelation, gender } from '@gatehouse/contract/enums/people'
import type { FacePhoto } from '@gatehouse/contract/faces/calls'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { PhotoField } from '../../../shared/PhotoField.tsx'
import styles from '../people.module.css'

interface ContactFieldsProps {
  /** Where in the form: among the contacts of a new person, or a form of its own. */
  at?: (string | number)[]
  known?: FacePhoto[]
}

/** A contact has one photograph, the field for photographs a list of them. */
const AS_LIST = (faceId: string | undefined): { value: string[] } => ({ value: faceId ? [faceId] : [] })

export function ContactFields({ at = [], known = [] }: ContactFieldsProps) {
  const { t } = useTranslation('people')
  const optionsOf = useEnumOptions()
  return (
    <div className={styles.contactFields}>
      <Form.Item
        name={[...at, 'photo']}
        label={t('contacts.photo')}
        required
        getValueProps={AS_LIST}
        getValueFromEvent={([faceId]: string[]) => faceId}
      >
        <PhotoField known={known} max={1} />
      </Form.Item>
      <div className={styles.fields}>
        <Form.Item name={[...at, 'relation']} label={t('contacts.relation')} required>
          <Select options={optionsOf(contactRelation)} placeholder={t('contacts.chooseRelation')} />
        </Form.Item>
        <Form.Item name={[...at, 'name']} label={t('contacts.name')} required>
          <Input maxLength={PERSON_NAME_MAX} autoComplete="off" />
        </Form.Item>
        <Form.Item name={[...at, 'phone']} label={t('contacts.phone')} required>
          <Input maxLength={PHONE_MAX} autoComplete="off" inputMode="tel" />
        </Form.Item>
        <Form.Item name={[...at, 'gender']} label={t('contacts.gender')} required>
          <Segmented aria-label={t('contacts.gender')} options={optionsOf(gender)} />
        </Form.Item>
      </div>
    </div>
  )
}
