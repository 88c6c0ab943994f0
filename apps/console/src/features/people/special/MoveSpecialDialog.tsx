/** Moves persons of the watch list to another group of it. */
import { Form } from 'antd'
import { useTranslation } from 'react-i18next'
import { personGroupType } from '@gatehouse/contract/enums/people'
import { specialCalls } from '@gatehouse/contract/people/special'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import type { Editor } from '../../../kit/form/useEditor.ts'
import { EffectLine } from '../../questions/index.ts'
import { GroupField } from '../GroupField.tsx'

/** @param editor its target is the ids of the persons */
export default function MoveSpecialDialog({ editor, onDone }: { editor: Editor<string[]>; onDone: () => void }) {
  const { t } = useTranslation('people')
  const ids = editor.target ?? []
  return (
    <FormDialog
      call={specialCalls.move}
      editor={editor}
      title={t('moveTitle', { count: ids.length })}
      initial={ready({})}
      hidden={{ ids }}
      done={t('moved')}
      onDone={onDone}
      draft="special.move"
      width={480}
    >
      <Form.Item name="groupId" label={t('toGroup')} required>
        <GroupField type={personGroupType.blacklist} />
      </Form.Item>
      <EffectLine of="personMove" hidden={{ ids }} />
    </FormDialog>
  )
}
