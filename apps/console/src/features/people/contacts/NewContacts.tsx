/** The contacts of a person still to be registered: none to four. */
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Form } from 'antd'
import { useTranslation } from 'react-i18next'
import { CONTACTS_PER_PERSON } from '@gatehouse/contract'
import { gender } from '@gatehouse/contract/enums/people'
import { Fold } from '../../../kit/form/Fold.tsx'
import styles from '../people.module.css'
import { ContactFields } from './ContactFields.tsx'

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
