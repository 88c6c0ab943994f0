/** Changes the persons whom this park shares with a linked park. */
import { useTranslation } from 'react-i18next'
import { relationCalls, type ParkRelation } from '@gatehouse/contract/relations/calls'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ready } from '../../kit/form/loaded.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { SharedPeople } from './SharedPeople.tsx'

export default function PeopleDialog({ editor, relation }: { editor: Editor<ParkRelation>; relation: ParkRelation }) {
  const { t } = useTranslation('relations')
  const { id, version, persons, personIds, personGroupIds } = relation
  return (
    <FormDialog
      call={relationCalls.change}
      editor={editor}
      title={t('editOf', { park: relation.parkName })}
      initial={ready({ personIds, personGroupIds })}
      hidden={{ id, version }}
      done={t('saved')}
      draft={`relation.${id}`}
    >
      <SharedPeople chosen={persons} />
    </FormDialog>
  )
}
