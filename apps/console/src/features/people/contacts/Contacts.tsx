/** The contacts of a person, with the faces that doors recognise. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { CONTACTS_PER_PERSON } from '@gatehouse/contract'
import { contactRelation } from '@gatehouse/contract/enums/people'
import { contactCalls, type Contact } from '@gatehouse/contract/people/contacts'
import { DetailPage, Section } from '../../../kit/detail/DetailPage.tsx'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { modal } from '../../../kit/feedback.tsx'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { useRead } from '../../../api/query.ts'
import { RowMenu } from '../../../kit/list/RowMenu.tsx'
import { useEditor } from '../../../kit/form/useEditor.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import styles from '../people.module.css'

const ContactDialog = lazy(() => import('./ContactDialog.tsx'))

/** @param fixed read only: the person is disabled, or the user may not change them */
export function Contacts({ personId, fixed }: { personId: string; fixed: boolean }) {
  const { t } = useTranslation('people')
  const contacts = useRead(contactCalls.list, { query: { personId } })
  const editor = useEditor<Contact>()
  const room = contacts.data !== undefined && contacts.data.length < CONTACTS_PER_PERSON
  const section = (
    <Section
      title={t('contacts.title')}
      empty={contacts.data?.length === 0 && t('contacts.none')}
      extra={
        !fixed &&
        room && (
          <Button icon={<PlusOutlined />} onClick={editor.add}>
            {t('contacts.add')}
          </Button>
        )
      }
    >
      <DetailPage query={contacts}>
        {(found) => (
          <ul className={styles.contacts}>
            {found.map((contact) => (
              <Row key={contact.id} contact={contact} edit={fixed ? undefined : editor.edit} />
            ))}
          </ul>
        )}
      </DetailPage>
    </Section>
  )
  return (
    <>
      {section}
      <Suspense fallback={null}>
        {editor.openingCount > 0 && <ContactDialog key={editor.openingCount} editor={editor} personId={personId} />}
      </Suspense>
    </>
  )
}

function Row({ contact, edit }: { contact: Contact; edit: ((contact: Contact) => void) | undefined }) {
  const { t } = useTranslation('people')
  const label = useEnumLabel()
  const remove = useWrite(contactCalls.delete, { done: t('contacts.deleted') })
  const { id, name, phone, relation, face } = contact
  const askRemove = (): void =>
    modal.confirm({
      title: t('contacts.deleteTitle', { name }),
      content: t('contacts.deleteWords'),
      okText: t('contacts.delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => remove.run({ query: { id }, body: undefined }),
    })
  return (
    <li>
      <Portrait name={name} url={face.thumbnail} size={64} />
      <span>
        <b title={name}>{name}</b>
        <small>{label(contactRelation, relation)}</small>
        <small>{phone}</small>
      </span>
      {edit && (
        <RowMenu
          name={name}
          actions={[
            { key: 'edit', label: t('contacts.edit'), run: () => edit(contact) },
            { key: 'delete', label: t('contacts.delete'), danger: true, run: askRemove },
          ]}
        />
      )}
    </li>
  )
}
