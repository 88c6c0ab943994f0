/** Adds a device group below the one chosen in the tree, or at the top. */
import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { deviceCalls, type DeviceGroupNode } from '@gatehouse/contract/devices/calls'
import { FormDialog } from '../../kit/FormDialog.tsx'
import { ready } from '../../kit/loaded.ts'
import type { Editor } from '../../kit/useEditor.ts'

/** @param parent group it is added below; undefined for the top */
export default function GroupDialog({ editor, parent }: { editor: Editor<never>; parent: DeviceGroupNode | undefined }) {
  const { t } = useTranslation('devices')
  return (
    <FormDialog
      call={deviceCalls.createGroup}
      editor={editor}
      title={parent ? t('addGroupBelow', { name: parent.name }) : t('addGroup')}
      initial={ready({})}
      hidden={{ parentId: parent?.id }}
      done={t('groupAdded')}
      draft={`device.group.${parent?.id ?? ''}`}
      width={420}
    >
      <Form.Item name="name" label={t('groupName')} required><Input maxLength={32} autoComplete="off" /></Form.Item>
    </FormDialog>
  )
}
