/** The dialog that moves devices to another group, or out of all groups. */
import { Form, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ready } from '../../kit/form/loaded.ts'
import { useRead } from '../../api/query.ts'
import { choicesOf } from '../../kit/form/treeChoices.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { EffectLine } from '../questions/index.ts'

/** @param editor its target is the ids of the devices */
export default function MoveDialog({ editor, onDone }: { editor: Editor<string[]>; onDone?: (() => void) | undefined }) {
  const { t } = useTranslation('devices')
  const groups = useRead(deviceCalls.groupTree, {})
  const ids = editor.target ?? []
  return (
    <FormDialog
      call={deviceCalls.move}
      editor={editor}
      title={t('moveTitle', { count: ids.length })}
      initial={ready({ groupId: null })}
      hidden={{ ids }}
      done={t('moved')}
      {...(onDone && { onDone })}
      draft="device.move"
      width={480}
    >
      <Form.Item name="groupId" label={t('toGroup')} extra={t('toGroupHint')} normalize={(id: string | undefined) => id ?? null}>
        <TreeSelect
          treeData={choicesOf(groups.data ?? [])}
          loading={groups.isPending}
          treeDefaultExpandAll
          allowClear
          showSearch={{ treeNodeFilterProp: 'title' }}
          placeholder={t('noGroup')}
        />
      </Form.Item>
      <EffectLine of="deviceMove" hidden={{ ids }} />
    </FormDialog>
  )
}
