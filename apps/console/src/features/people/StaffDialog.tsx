/** Adds a person or changes one, over the page it was opened from. */
import { useTranslation } from 'react-i18next'
import { peopleCalls, type Person } from '@gatehouse/contract/people/calls'
import { FormDialog } from '../../kit/FormDialog.tsx'
import { loadedFrom, ready } from '../../kit/loaded.ts'
import { useRead } from '../../kit/query.ts'
import type { Editor } from '../../kit/useEditor.ts'
import { PersonFields } from './PersonFields.tsx'
import { faceMissing, newPerson, useFaceWanted, valuesOf } from './personValues.ts'

/** @param groupId group a new person is offered first */
export default function StaffDialog({ editor, groupId }: { editor: Editor<Person>; groupId?: string | undefined }) {
  return editor.target ? <ChangePerson editor={editor} id={editor.target.id} /> : <AddPerson editor={editor} groupId={groupId} />
}

function AddPerson({ editor, groupId }: { editor: Editor<Person>; groupId: string | undefined }) {
  const { t } = useTranslation('people')
  const faceWanted = useFaceWanted()
  return (
    <FormDialog call={peopleCalls.create} editor={editor} title={t('add')} initial={ready(newPerson(groupId))} hidden={{ kind: 'staff' }} {...(faceWanted && { also: faceMissing })} done={t('added')} draft="staff.add">
      <PersonFields />
    </FormDialog>
  )
}

function ChangePerson({ editor, id }: { editor: Editor<Person>; id: string }) {
  const { t } = useTranslation('people')
  // Read afresh: the row may be older than the record, and the version decides whether a change is accepted.
  const person = useRead(peopleCalls.read, { query: { id } })
  const faceWanted = useFaceWanted()
  return (
    <FormDialog
      call={peopleCalls.change}
      editor={editor}
      title={t('editOf', { name: person.data?.name ?? '' })}
      initial={loadedFrom(person, valuesOf)}
      hidden={{ id, kind: 'staff', version: person.data?.version }}
      {...(faceWanted && { also: faceMissing })}
      done={t('saved')}
      draft={`staff.${id}`}
    >
      <PersonFields known={person.data?.faces} personId={id} />
    </FormDialog>
  )
}
