/** Adds a contact to a person, or changes one. */
import { useTranslation } from 'react-i18next'
import { gender } from '@gatehouse/contract/enums/people'
import { contactCalls, type Contact } from '@gatehouse/contract/people/contacts'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import type { Editor } from '../../../kit/form/useEditor.ts'
import { ContactFields } from './ContactFields.tsx'

export default function ContactDialog({ editor, personId }: { editor: Editor<Contact>; personId: string }) {
  const { t } = useTranslation('people')
  const { target } = editor
  if (!target) {
    return (
      <FormDialog
        call={contactCalls.create}
        editor={editor}
        title={t('contacts.add')}
        initial={ready({ gender: gender.unknown })}
        hidden={{ personId }}
        done={t('contacts.added')}
        draft={`contact.add.${personId}`}
      >
        <ContactFields />
      </FormDialog>
    )
  }
  const { id, relation, name, phone, photo } = target
  return (
    <FormDialog
      call={contactCalls.change}
      editor={editor}
      title={t('contacts.editOf', { name })}
      initial={ready({ relation, name, phone, gender: target.gender, photo })}
      hidden={{ id }}
      done={t('contacts.saved')}
      draft={`contact.${id}`}
    >
      <ContactFields faces={[target.face]} />
    </FormDialog>
  )
}
