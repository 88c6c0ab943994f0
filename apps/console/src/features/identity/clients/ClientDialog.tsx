/** Adds an API user or changes one, over the list. */
import { useTranslation } from 'react-i18next'
import { clientCalls, type ApiClient } from '@gatehouse/contract/identity/clients'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { loadedFrom } from '../../../kit/form/loaded.ts'
import { useRead, useReadOnce } from '../../../api/query.ts'
import type { Editor } from '../../../kit/form/useEditor.ts'
import { ClientFields } from './ClientFields.tsx'
import type { Secret } from './ClientSecret.tsx'
import { clientValuesOf, newClient } from './clientValues.ts'

interface ClientDialogProps {
  editor: Editor<ApiClient>
  /** Told the secret of a new one. */
  onSecret: (secret: Secret) => void
}
const WIDTH = 960

export default function ClientDialog({ editor, onSecret }: ClientDialogProps) {
  return editor.target ? <ChangeClient editor={editor} id={editor.target.id} /> : <AddClient editor={editor} onSecret={onSecret} />
}

function AddClient({ editor, onSecret }: ClientDialogProps) {
  const { t } = useTranslation('identity')
  const tree = useRead(organisationCalls.tree, {})
  return (
    <FormDialog
      call={clientCalls.create}
      editor={editor}
      title={t('client.add')}
      width={WIDTH}
      initial={loadedFrom(tree, ({ id }) => newClient(id))}
      done={t('client.added')}
      draft="client.add"
      onDone={onSecret}
    >
      <ClientFields />
    </FormDialog>
  )
}

function ChangeClient({ editor, id }: { editor: Editor<ApiClient>; id: string }) {
  const { t } = useTranslation('identity')
  const client = useReadOnce(clientCalls.read, { query: { id } })
  return (
    <FormDialog
      call={clientCalls.change}
      editor={editor}
      title={t('editOf', { name: client.data?.name ?? '' })}
      width={WIDTH}
      initial={loadedFrom(client, clientValuesOf)}
      hidden={{ id, version: client.data?.version }}
      done={t('saved')}
      draft={`client.${id}`}
    >
      <ClientFields />
    </FormDialog>
  )
}
