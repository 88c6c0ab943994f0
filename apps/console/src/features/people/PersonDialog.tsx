/** Adds a person or changes one, over the page it was opened from. */
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { Person } from '@gatehouse/contract/people/person'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { toast } from '../../kit/feedback.tsx'
import { loadedFrom } from '../../kit/form/loaded.ts'
import { useReadOnce } from '../../api/query.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { isGranted } from '../approvals/index.ts'
import { PersonFields } from './PersonFields.tsx'
import { pathOfPerson, type RegisterKind } from './personKinds.ts'
import { valuesOf } from './personValues.ts'
import type { JustSaved } from './Registered.tsx'
import { useNewPerson, usePersonForm } from './usePersonForm.ts'

interface PersonDialogProps {
  editor: Editor<Person>
  kind: RegisterKind
  /** Group that is offered first for a new person. */
  groupId?: string | undefined
}

/** Pixels: two columns with room for an address of three words. */
const WIDTH = 760

export default function PersonDialog({ editor, kind, groupId }: PersonDialogProps) {
  return editor.target ? (
    <ChangePerson editor={editor} kind={kind} id={editor.target.id} />
  ) : (
    <AddPerson editor={editor} kind={kind} groupId={groupId} />
  )
}

/** Return a function that opens a registered person; what was typed stays in the draft. */
function useOpenPerson(editor: Editor<Person>, kind: RegisterKind): (id: string) => void {
  const navigate = useNavigate()
  return (id) => {
    editor.close()
    void navigate(pathOfPerson(kind, id))
  }
}

function AddPerson({ editor, kind, groupId }: PersonDialogProps) {
  const { t } = useTranslation('people')
  const navigate = useNavigate()
  const openPerson = useOpenPerson(editor, kind)
  const { saved, ...rules } = usePersonForm(kind)
  const initial = useNewPerson(kind, groupId)
  return (
    <FormDialog
      call={peopleCalls.create}
      editor={editor}
      title={t('add', { context: kind })}
      initial={initial}
      hidden={{ kind }}
      {...rules}
      done={t('added')}
      draft={`${kind}.add`}
      onDone={async ({ id }) => {
        const permitted = await saved(id)
        void navigate(pathOfPerson(kind, id), { state: { registered: true, permitted } satisfies JustSaved })
      }}
      width={WIDTH}
    >
      <PersonFields kind={kind} openPerson={openPerson} />
    </FormDialog>
  )
}

function ChangePerson({ editor, kind, id }: { editor: Editor<Person>; kind: RegisterKind; id: string }) {
  const { t } = useTranslation('people')
  const openPerson = useOpenPerson(editor, kind)
  const person = useReadOnce(peopleCalls.read, { query: { id } })
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { saved, ...rules } = usePersonForm(kind)
  const page = pathOfPerson(kind, id)

  /** Show a granted permission as a toast, and a failed one on the page of the person, with the way to try again. */
  async function showPermitResult(): Promise<void> {
    const permitted = await saved(id)
    if (permitted === undefined) return
    if (isGranted(permitted)) return toast('success', t('approvals:permit.done'))
    void navigate(page, { replace: pathname === page, state: { permitted } satisfies JustSaved })
  }

  return (
    <FormDialog
      call={peopleCalls.change}
      editor={editor}
      title={t('editOf', { name: person.data?.name ?? '' })}
      initial={loadedFrom(person, valuesOf)}
      hidden={{ id, kind, version: person.data?.version }}
      {...rules}
      done={t('saved')}
      draft={`${kind}.${id}`}
      onDone={() => void showPermitResult()}
      width={WIDTH}
    >
      <PersonFields kind={kind} person={person.data} openPerson={openPerson} />
    </FormDialog>
  )
}
