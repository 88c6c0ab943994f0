/** /deviceList: every terminal, gate and camera of the park. */
import { FolderAddOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { DEVICE_ATTENTION, deviceCalls } from '@gatehouse/contract/devices/calls'
import type { Device } from '@gatehouse/contract/devices/device'
import type { DeviceGroupNode } from '@gatehouse/contract/devices/groups'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { deviceAuthorisationStatus, deviceOnlineStatus, deviceType } from '@gatehouse/contract/enums/devices'
import { DEVICE_GROUP_DEPTH_UI } from '@gatehouse/contract'
import { useEnumLabel, useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useRead } from '../../api/query.ts'
import { RowMenu } from '../../kit/list/RowMenu.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMayCall } from '../../api/session.ts'
import { TreeFilter } from '../../kit/list/TreeFilter.tsx'
import { useBrought } from '../../kit/useBrought.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { path } from '../../paths.ts'
import { modal, toast } from '../../kit/feedback.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { BatchDoors } from '../doors/index.ts'
import { DeviceTools, useMaintenance } from '../maintenance/index.ts'
import { DeletionEffect } from '../questions/index.ts'
import { useDeviceColumns } from './deviceColumns.tsx'
import { groupIn, typesOffered } from './deviceValues.ts'
import { useDeviceActions } from './useDeviceActions.tsx'
import { useDeviceStatus } from './useDeviceStatus.ts'
import type { GroupTask } from './GroupDialogs.tsx'
import styles from './devices.module.css'

const SignInDialog = lazy(() => import('./SignInDialog.tsx'))

const { authorised, unauthorised } = deviceAuthorisationStatus

export default function DeviceListPage() {
  const { t } = useTranslation('devices')
  const navigate = useNavigate()
  const list = useList(deviceCalls.list, { name: 'devices' })
  const groups = useRead(deviceCalls.groupTree, {})
  const summary = useRead(deviceCalls.summary, {})
  const optionsOf = useEnumOptions()
  const label = useEnumLabel()
  const { groupId } = list.query
  const group = groupIn(groups.data ?? [], groupId)
  const actions = useDeviceActions({ group, onMoved: () => list.setSelected([]) })
  const { release, renewSecret } = actions
  const columns = useDeviceColumns(release)
  const maintenance = useMaintenance()
  const signIn = useEditor<never>()
  const [mayEdit, mayControl] = [useMayCall(deviceCalls.change), useMayCall(doorCalls.controlMany)]
  useDeviceStatus()

  const menuOf = (device: Device) => [
    ...(mayEdit
      ? [
          { key: 'edit', label: t('edit'), run: () => actions.edit(device) },
          { key: 'move', label: t('move'), run: () => actions.move([device.id]) },
        ]
      : []),
    ...maintenance.actionsOf(device),
    ...(!device.released && release ? [{ key: 'release', label: t('release.release'), run: () => release(device) }] : []),
    ...(renewSecret
      ? [
          {
            key: 'renew',
            label: device.authorisationStatus === unauthorised ? t('authorise') : t('renew'),
            run: () => renewSecret(device),
          },
        ]
      : []),
    ...(mayEdit && device.authorisationStatus === authorised
      ? [{ key: 'revoke', label: t('revoke'), danger: true, run: () => actions.revoke(device) }]
      : []),
    ...(mayEdit ? [{ key: 'delete', label: t('delete'), danger: true, run: () => actions.remove(device) }] : []),
  ]
  useBrought('new', () => {
    if (mayEdit) actions.add()
  })
  const add = mayEdit && (
    <Button type="primary" icon={<PlusOutlined />} onClick={actions.add}>
      {t('add')}
    </Button>
  )
  return (
    <Screen
      title={t('devices')}
      note={!list.pending && t('total', { count: list.total })}
      actions={
        <>
          <DeviceTools also={[{ key: 'signIn', label: t('signIn.title'), onClick: signIn.add }]} />
          {mayEdit && <Button onClick={actions.addMany}>{t('addMany')}</Button>}
          {add}
        </>
      }
      aside={
        <>
          <TreeFilter
            title={t('groups')}
            all={t('allDevices')}
            tree={groups}
            countOf={({ deviceCount }) => deviceCount}
            total={summary.data?.total}
            value={groupId}
            onChange={(chosen) => list.setQuery({ groupId: chosen })}
          />
          {mayEdit && <GroupTools tree={groups.data ?? []} group={group} choose={(chosen) => list.setQuery({ groupId: chosen })} />}
        </>
      }
    >
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('name') },
          { field: 'onlineStatus', label: t('state'), options: optionsOf(deviceOnlineStatus) },
          {
            field: 'attention',
            label: t('attention'),
            options: DEVICE_ATTENTION.map((value) => ({ value, label: t(`attentionOf.${value}`) })),
          },
          { field: 'type', label: t('type'), options: typesOffered(false).map((value) => ({ value, label: label(deviceType, value) })) },
          { field: 'code', label: t('code') },
          { field: 'firmwareVersion', label: t('firmware') },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('noneYet'), action: add }}
        onOpen={({ id }) => void navigate(path('deviceDetails', { deviceId: id }))}
        actions={(device) => <RowMenu name={device.name} actions={menuOf(device)} />}
        {...((mayEdit || mayControl) && {
          bulk: (ids: string[]) => (
            <>
              <BatchDoors ids={ids} />
              {mayEdit && <Button onClick={() => actions.move(ids)}>{t('move')}</Button>}
            </>
          ),
        })}
      />
      {actions.dialogs}
      {maintenance.dialogs}
      <Suspense fallback={null}>{signIn.openingCount > 0 && <SignInDialog key={signIn.openingCount} editor={signIn} />}</Suspense>
    </Screen>
  )
}

const GroupDialogs = lazy(() => import('./GroupDialogs.tsx'))

interface GroupToolsProps {
  tree: DeviceGroupNode[]
  /** The chosen group; undefined: all devices. */
  group: DeviceGroupNode | undefined
  choose: (id: string | undefined) => void
}

/** The tools below the tree of device groups: add one; rename, move or delete the chosen one. */
function GroupTools({ tree, group, choose }: GroupToolsProps) {
  const { t } = useTranslation('devices')
  const editor = useEditor<GroupTask>()
  const removal = useWrite(deviceCalls.deleteGroup, { done: t('groupDeleted'), onDone: () => choose(undefined) })
  const deepest = group !== undefined && group.level >= DEVICE_GROUP_DEPTH_UI

  function remove({ id, name, children, deviceCount }: DeviceGroupNode): void {
    // The server refuses it too; this message says what to do about it.
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
        {editor.openingCount > 0 && <GroupDialogs key={editor.openingCount} editor={editor} tree={tree} added={choose} />}
      </Suspense>
    </div>
  )
}
