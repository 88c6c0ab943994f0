/** /deviceList: every terminal, gate and camera of the park. */
import { FolderAddOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { deviceCalls, type DeviceGroupNode } from '@gatehouse/contract/devices/calls'
import { deviceOnlineStatus, deviceType } from '@gatehouse/contract/enums/devices'
import { useEnumLabel, useEnumOptions } from '../../kit/EnumTag.tsx'
import { FilterBar } from '../../kit/FilterBar.tsx'
import { ListTable } from '../../kit/ListTable.tsx'
import { ListTools } from '../../kit/ListTools.tsx'
import { useRead } from '../../kit/query.ts'
import { RowMenu } from '../../kit/RowMenu.tsx'
import { Screen } from '../../kit/Screen.tsx'
import { TreeFilter } from '../../kit/TreeFilter.tsx'
import { useEditor } from '../../kit/useEditor.ts'
import { useList } from '../../kit/useList.ts'
import { path } from '../../paths.ts'
import { useDeviceColumns } from './deviceColumns.tsx'
import { typesOffered } from './deviceValues.ts'
import { useDeviceActions } from './useDeviceActions.tsx'
import { useDeviceStatus } from './useDeviceStatus.ts'
import styles from './devices.module.css'

const GroupDialog = lazy(() => import('./GroupDialog.tsx'))

/** A group of the tree by its id. */
const groupIn = (groups: readonly DeviceGroupNode[], id: string): DeviceGroupNode | undefined =>
  groups.find((group) => group.id === id) ?? groups.map(({ children }) => groupIn(children, id)).find(Boolean)

export default function DeviceListPage() {
  const { t } = useTranslation('devices')
  const navigate = useNavigate()
  const list = useList(deviceCalls.list, { name: 'devices' })
  const groups = useRead(deviceCalls.groupTree, {})
  const summary = useRead(deviceCalls.summary, {})
  const columns = useDeviceColumns()
  const optionsOf = useEnumOptions()
  const label = useEnumLabel()
  const { groupId } = list.query
  const group = groupIn(groups.data ?? [], groupId ?? '')
  const groupEditor = useEditor<never>()
  const actions = useDeviceActions({ groupId })
  useDeviceStatus()

  const add = <Button type="primary" icon={<PlusOutlined />} onClick={actions.add}>{t('add')}</Button>
  return (
    <Screen
      title={t('devices')}
      note={!list.pending && t('total', { count: list.total })}
      actions={add}
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
          <Button type="text" size="small" className={styles.addGroup ?? ''} icon={<FolderAddOutlined />} onClick={groupEditor.add}>{t('addGroup')}</Button>
        </>
      }
    >
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('name') },
          { field: 'onlineStatus', label: t('state'), options: optionsOf(deviceOnlineStatus) },
          { field: 'type', label: t('type'), options: typesOffered(false).map((value) => ({ value, label: label(deviceType, value) })) },
          { field: 'code', label: t('code') },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('noneYet'), action: add }}
        onOpen={({ id }) => void navigate(path('deviceDetails', { deviceId: id }))}
        actions={(device) => (
          <RowMenu
            name={device.name}
            actions={[
              { key: 'edit', label: t('edit'), run: () => actions.edit(device) },
              { key: 'renew', label: t('renew'), run: () => actions.renewSecret(device) },
              { key: 'delete', label: t('delete'), danger: true, run: () => actions.remove(device) },
            ]}
          />
        )}
      />
      {actions.dialogs}
      <Suspense fallback={null}>{groupEditor.round > 0 && <GroupDialog key={groupEditor.round} editor={groupEditor} parent={group} />}</Suspense>
    </Screen>
  )
}
