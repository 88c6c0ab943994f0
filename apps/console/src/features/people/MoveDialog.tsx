/** Moves persons to another group. */
import { Form } from 'antd'
import { useTranslation } from 'react-i18next'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ready } from '../../kit/form/loaded.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { EffectLine } from '../questions/index.ts'
import { GroupField } from './GroupField.tsx'
import { personKinds, type RegisterKind } from './personKinds.ts'

/** @param editor its target is the ids of the persons */
export default function MoveDialog({ editor, kind, onDone }: { editor: Editor<string[]>; kind: RegisterKind; onDone: () => void }) {
  const { t } = useTranslation('people')
  const ids = editor.target ?? []
  return (
    <FormDialog
      call={peopleCalls.move}
      editor={editor}
      title={t('moveTitle', { count: ids.length })}
      initial={ready({})}
      hidden={{ ids }}
      done={t('moved')}
      onDone={onDone}
      draft={`${kind}.move`}
      width={480}
    >
      <Form.Item name="groupId" label={t('toGroup')} required>
        <GroupField type={personKinds[kind].groupType} />
      </Form.Item>
      <EffectLine of="personMove" hidden={{ ids }} />
    </FormDialog>
  )
}
