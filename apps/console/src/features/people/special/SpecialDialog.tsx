/** Adds a person to the watch list or changes one, over the page it was opened from. */
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Person } from '@gatehouse/contract/people/person'
import { specialCalls } from '@gatehouse/contract/people/special'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { loadedFrom, ready } from '../../../kit/form/loaded.ts'
import { useReadOnce } from '../../../api/query.ts'
import type { Editor } from '../../../kit/form/useEditor.ts'
import { pathOfPerson } from '../personKinds.ts'
import { newPerson, specialValuesOf } from '../personValues.ts'
import { usePersonForm } from '../usePersonForm.ts'
import { SpecialFields } from './SpecialFields.tsx'

interface SpecialDialogProps {
  editor: Editor<Person>
  /** Group that is offered first for a new person. */
  groupId?: string | undefined
}

/** Pixels; the same as for the dialog of other persons. */
const WIDTH = 760

export default function SpecialDialog({ editor, groupId }: SpecialDialogProps) {
  const navigate = useNavigate()
  const openPerson = (id: string): void => {
    editor.close()
    void navigate(pathOfPerson('staff', id))
  }
  return editor.target ? (
    <Change editor={editor} id={editor.target.id} openPerson={openPerson} />
  ) : (
    <Add editor={editor} groupId={groupId} openPerson={openPerson} />
  )
}

function Add({ editor, groupId, openPerson }: SpecialDialogProps & { openPerson: (id: string) => void }) {
  const { t } = useTranslation('people')
  const { saved, ...rules } = usePersonForm('special')
  return (
    <FormDialog
      call={specialCalls.create}
      editor={editor}
      title={t('special.add')}
      initial={ready(newPerson(groupId))}
      {...rules}
      done={t('special.added')}
      draft="special.add"
      onDone={({ id }) => saved(id)}
      width={WIDTH}
    >
      <SpecialFields openPerson={openPerson} />
    </FormDialog>
  )
}

function Change({ editor, id, openPerson }: { editor: Editor<Person>; id: string; openPerson: (id: string) => void }) {
  const { t } = useTranslation('people')
  const person = useReadOnce(specialCalls.read, { query: { id } })
  const { saved, ...rules } = usePersonForm('special')
  return (
    <FormDialog
      call={specialCalls.change}
      editor={editor}
      title={t('editOf', { name: person.data?.name ?? '' })}
      initial={loadedFrom(person, specialValuesOf)}
      hidden={{ id, version: person.data?.version }}
      {...rules}
      done={t('special.saved')}
      draft={`special.${id}`}
      onDone={() => saved(id)}
      width={WIDTH}
    >
      <SpecialFields person={person.data} openPerson={openPerson} />
    </FormDialog>
  )
}
