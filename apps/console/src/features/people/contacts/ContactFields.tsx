/** The fields of one contact. */
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Form, Input, Segmented, Select, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { PERSON_NAME_MAX, PHONE_MAX, CONTACTS_PER_PERSON } from '@gatehouse/contract'
import { contactRelation, gender } from '@gatehouse/contract/enums/people'
import type { FacePhoto } from '@gatehouse/contract/faces/calls'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { PhotoField } from '../../../shared/PhotoField.tsx'
import { Fold } from '../../../kit/form/Fold.tsx'
import styles from '../people.module.css'

interface ContactFieldsProps {
  /** Path in the form: among the contacts of a new person; empty in a form of its own. */
  at?: (string | number)[]
  faces?: FacePhoto[]
}

/** Return the value of the field for photographs, a list, from the one photograph of a contact. */
const AS_LIST = (faceId: string | undefined): { value: string[] } => ({ value: faceId ? [faceId] : [] })

export function ContactFields({ at = [], faces = [] }: ContactFieldsProps) {
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
        <PhotoField initial={faces} max={1} />
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

/** The contacts of a person who is still to be registered: none to four. */
export function NewContacts() {
  const { t } = useTranslation('people')
  return (
    <Fold title={t('contacts.title')} hint={t('contacts.hint', { count: CONTACTS_PER_PERSON })} names={['contacts']}>
      <Form.List name="contacts">
        {(fields, { add, remove }) => (
          <>
            {fields.map(({ key, name }) => (
              <section key={key} className={styles.newContact} aria-label={t('contacts.nth', { nth: name + 1 })}>
                <header>
                  <b>{t('contacts.nth', { nth: name + 1 })}</b>
                  <Button
                    type="text"
                    size="small"
                    icon={<DeleteOutlined />}
                    aria-label={t('contacts.removeNth', { nth: name + 1 })}
                    onClick={() => remove(name)}
                  />
                </header>
                <ContactFields at={[name]} />
              </section>
            ))}
            {fields.length < CONTACTS_PER_PERSON ? (
              <Button icon={<PlusOutlined />} onClick={() => add({ gender: gender.unknown })}>
                {t('contacts.add')}
              </Button>
            ) : (
              <p className={styles.hint}>{t('contacts.full', { count: CONTACTS_PER_PERSON })}</p>
            )}
          </>
        )}
      </Form.List>
    </Fold>
  )
}
