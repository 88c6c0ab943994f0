/** Adds an account or changes one, over the list. */
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { userCalls, type User } from '@gatehouse/contract/identity/users'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { loadedFrom } from '../../../kit/form/loaded.ts'
import { useReadOnce } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import type { Editor } from '../../../kit/form/useEditor.ts'
import type { Handed } from './PasswordOnce.tsx'
import { UserFields } from './UserFields.tsx'
import { useTaken } from './useTaken.ts'
import { handingIssues, newUser, userBody, userValuesOf, type UserValues } from './userValues.ts'

interface UserDialogProps {
  editor: Editor<User>
  /** Node a new account is offered first; the park one is in unless told. */
  organisationId?: string | undefined
  /** Told the password that was made, where one was. */
  onHanded: (handed: Handed) => void
}

export default function UserDialog({ editor, organisationId, onHanded }: UserDialogProps) {
  return editor.target ? (
    <ChangeUser editor={editor} id={editor.target.id} />
  ) : (
    <AddUser editor={editor} organisationId={organisationId} onHanded={onHanded} />
  )
}

function AddUser({ editor, organisationId, onHanded }: UserDialogProps) {
  const { t } = useTranslation('identity')
  const park = useSession((session) => session.park)
  const taken = useTaken()
  const account = useRef('')
  return (
    <FormDialog
      call={userCalls.create}
      editor={editor}
      title={t('user.add')}
      width={720}
      initial={park ? { status: 'ready', values: newUser(organisationId ?? park.id) } : { status: 'loading' }}
      also={(values) => [...handingIssues(values as UserValues), ...taken.issues(values)]}
      prepare={(body) => {
        account.current = String(body['account'])
        return userBody(body)
      }}
      done={t('user.added')}
      draft="user.add"
      onDone={(answer) => onHanded({ account: account.current, ...answer })}
    >
      <UserFields creating taken={taken} />
    </FormDialog>
  )
}

function ChangeUser({ editor, id }: { editor: Editor<User>; id: string }) {
  const { t } = useTranslation('identity')
  const user = useReadOnce(userCalls.read, { params: { id } })
  const taken = useTaken(id)
  return (
    <FormDialog
      call={userCalls.change}
      editor={editor}
      title={t('editOf', { name: user.data?.account ?? '' })}
      width={720}
      initial={loadedFrom(user, userValuesOf)}
      hidden={{ id, version: user.data?.version }}
      also={taken.issues}
      done={t('saved')}
      draft={`user.${id}`}
    >
      <UserFields creating={false} taken={taken} held={user.data?.roleDetails} />
    </FormDialog>
  )
}
