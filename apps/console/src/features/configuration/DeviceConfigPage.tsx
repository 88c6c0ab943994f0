/** /deviceConfig: devices, and the settings in which each differs from the park's defaults. */
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { isTypeBuilt } from '@gatehouse/contract/built'
import { configurationCalls, type DeviceSettingRow } from '@gatehouse/contract/configuration/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { deviceModel, deviceType } from '@gatehouse/contract/enums/devices'
import { columnsOf } from '../../kit/list/columns.tsx'
import { useEnumLabel, useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useRead } from '../../api/query.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { RowMenu } from '../../kit/list/RowMenu.tsx'
import { useMay } from '../../api/session.ts'
import { choicesOf, flatChoices } from '../../kit/form/treeChoices.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { path } from '../../paths.ts'
import { ConfigScreen } from './ConfigScreen.tsx'
import { CopyDialog, type CopySource } from './CopyDialog.tsx'
import { Differing } from './Differing.tsx'
import styles from './configuration.module.css'

const addressOf = (id: string): string => `${path('deviceConfigDetail')}?id=${id}`

export default function DeviceConfigPage() {
  const { t } = useTranslation('configuration')
  const navigate = useNavigate()
  const label = useEnumLabel()
  const optionsOf = useEnumOptions()
  const list = useList(configurationCalls.list, { name: 'deviceSettings' })
  const groups = useRead(deviceCalls.groupTree, {})
  const copying = useEditor<CopySource | null>()
  const mayList = useMay('device.list')
  const columns = columnsOf<DeviceSettingRow>([
    {
      field: 'name',
      title: t('name'),
      width: 180,
      visibility: 'always',
      render: ({ id, name, code }) => (
        <span className={styles.twoLines}>
          <Link to={addressOf(id)} title={name} tabIndex={-1}>
            {name}
          </Link>
          <small title={code}>{code}</small>
        </span>
      ),
    },
    {
      field: 'differing',
      title: t('differing'),
      width: 300,
      visibility: 'always',
      render: ({ differing, secretsSet }) => <Differing settings={differing} secretsSet={secretsSet} none={t('asPark')} />,
    },
    { field: 'deviceType', title: t('type'), width: 166, render: (row) => label(deviceType, row.deviceType) },
    { field: 'groupName', title: t('group'), width: 128 },
    { field: 'changedAt', title: t('changedAt'), width: 128, render: ({ changedAt }) => <RelativeTime at={changedAt} /> },
    { field: 'model', title: t('model'), width: 132, visibility: 'hidden', render: ({ model }) => label(deviceModel, model) },
  ])
  return (
    <ConfigScreen tab="deviceConfig" note={!list.pending && t('total', { count: list.total })}>
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('name') },
          {
            field: 'own',
            label: t('own'),
            options: [
              { value: 1, label: t('withOwn') },
              { value: 0, label: t('asPark') },
            ],
          },
          { field: 'type', label: t('type'), options: optionsOf(deviceType).filter(({ value }) => isTypeBuilt(Number(value))) },
          { field: 'groupId', label: t('group'), options: flatChoices(choicesOf(groups.data ?? [])) },
          { field: 'code', label: t('code') },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('noDevices'), ...(mayList && { action: <Link to={path('deviceList')}>{t('toDevices')}</Link> }) }}
        onOpen={({ id }) => void navigate(addressOf(id))}
        bulk={() => <Button onClick={() => copying.edit(null)}>{t('copy.template')}</Button>}
        actions={({ id, name }) => (
          <RowMenu
            name={name}
            actions={[
              { key: 'edit', label: t('edit'), run: () => void navigate(addressOf(id)) },
              { key: 'copy', label: t('copy.action'), run: () => copying.edit({ from: 'device', id, name }) },
            ]}
          />
        )}
      />
      {copying.openingCount > 0 && copying.target !== undefined && (
        <CopyDialog
          key={copying.openingCount}
          editor={copying}
          source={copying.target}
          {...(copying.target === null && { deviceIds: list.selected })}
        />
      )}
    </ConfigScreen>
  )
}
