/** Adds an access group, or changes its name and doors. */
import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { accessGroupCalls, type AccessGroup } from '@gatehouse/contract/strategies/access-groups'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ready } from '../../kit/form/loaded.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { hinderedBy } from '../approvals/index.ts'
import { EffectLine } from '../questions/index.ts'
import { DoorFields } from './DoorFields.tsx'

const WIDTH = 560

export default function AccessGroupDialog({ editor }: { editor: Editor<AccessGroup> }) {
  const { t } = useTranslation('strategies')
  const fields = (
    <>
      <Form.Item name="name" label={t('name')} required>
        <Input maxLength={32} autoComplete="off" />
      </Form.Item>
      <DoorFields />
    </>
  )
  if (editor.target === undefined)
    return (
      <FormDialog
        call={accessGroupCalls.create}
        editor={editor}
        title={t('accessGroup.add')}
        initial={ready({ deviceIds: [], deviceGroupIds: [] })}
        done={t('saved')}
        draft="accessGroup.add"
        width={WIDTH}
      >
        {fields}
      </FormDialog>
    )
  const { id, name, deviceIds, deviceGroupIds, version } = editor.target
  return (
    <FormDialog
      call={accessGroupCalls.change}
      editor={editor}
      title={t('editOf', { name })}
      initial={ready({ name, deviceIds, deviceGroupIds })}
      hidden={{ id, version }}
      done={t('saved')}
      draft={`accessGroup.${id}`}
      hindered={hinderedBy('accessGroup')}
      width={WIDTH}
    >
      {fields}
      <EffectLine of="accessGroup" hidden={{ id }} />
    </FormDialog>
  )
}
