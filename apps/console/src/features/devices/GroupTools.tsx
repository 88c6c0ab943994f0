/** What is done with device groups, below their tree: add one, and with the chosen one rename, move, delete. */
import { FolderAddOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { DEVICE_GROUP_DEPTH_UI } from '@gatehouse/contract'
import { deviceCalls, type DeviceGroupNode } from '@gatehouse/contract/devices/calls'
import { modal, toast } from '../../kit/feedback.tsx'
import { RowMenu } from '../../kit/list/RowMenu.tsx'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { DeletionEffect } from '../questions/index.ts'
import type { GroupTask } from './GroupDialogs.tsx'
import styles from './devices.module.css'

const GroupDialogs = lazy(() => import('./GroupDialogs.tsx'))

interface GroupToolsProps {
  tree: DeviceGroupNode[]
  /** The chosen group; undefined: all devices. */
  group: DeviceGroupNode | undefined
  choose: (id: string | undefined) => void
}

export function GroupTools({ tree, group, choose }: GroupToolsProps) {
  const { t } = useTranslation('devices')
  const editor = useEditor<GroupTask>()
  const removal = useWrite(deviceCalls.deleteGroup, { done: t('groupDeleted'), onDone: () => choose(undefined) })
  const deepest = group !== undefined && group.level >= DEVICE_GROUP_DEPTH_UI

  function remove({ id, name, children, deviceCount }: DeviceGroupNode): void {
    // The server refuses it too; here it is said what to do about it.
    if (children.length > 0) return toast('error', t('groupHasGroups', { name }))
    if (deviceCount > 0) return toast('error', t('groupHasDevices', { name, count: deviceCount }))
    modal.confirm({
      title: t('deleteGroupTitle', { name }),
      content: (
        <>
          <p>{t('deleteGroupWords')}</p>
          <DeletionEffect of="deviceGroup" body={{ id }} />
        </>
      ),
      okText: t('delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => removal.run({ query: { id } }),
    })
  }

  return (
    <div className={styles.groupTools}>
      <Button
        type="text"
        size="small"
        icon={<FolderAddOutlined />}
        disabled={deepest}
        title={deepest ? t('deepest', { limit: DEVICE_GROUP_DEPTH_UI }) : undefined}
        onClick={() => editor.edit({ kind: 'add', below: group })}
      >
        {t('addGroup')}
      </Button>
      {group && (
        <RowMenu
          name={group.name}
          actions={[
            { key: 'edit', label: t('changeGroup'), run: () => editor.edit({ kind: 'edit', group }) },
            { key: 'move', label: t('moveThisGroup'), run: () => editor.edit({ kind: 'move', group }) },
            { key: 'delete', label: t('deleteGroup'), danger: true, run: () => remove(group) },
          ]}
        />
      )}
      <Suspense fallback={null}>
        {editor.round > 0 && <GroupDialogs key={editor.round} editor={editor} tree={tree} added={choose} />}
      </Suspense>
    </div>
  )
}
