/** /deviceList: every terminal, gate and camera of the park. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { DEVICE_ATTENTION, deviceCalls, type Device } from '@gatehouse/contract/devices/calls'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { deviceAuthorisationStatus, deviceOnlineStatus, deviceType } from '@gatehouse/contract/enums/devices'
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
import { BatchDoors } from '../doors/index.ts'
import { DeviceTools, useMaintenance } from '../maintenance/index.ts'
import { useDeviceColumns } from './deviceColumns.tsx'
import { typesOffered } from './deviceValues.ts'
import { groupIn } from './groupTree.ts'
import { GroupTools } from './GroupTools.tsx'
import { useDeviceActions } from './useDeviceActions.tsx'
import { useDeviceStatus } from './useDeviceStatus.ts'

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
      <Suspense fallback={null}>{signIn.round > 0 && <SignInDialog key={signIn.round} editor={signIn} />}</Suspense>
    </Screen>
  )
}
