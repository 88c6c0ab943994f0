/** /deviceConfigTemplates: sets of settings to be copied to many devices. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { isTypeBuilt } from '@gatehouse/contract/built'
import { configurationCalls, type SettingTemplate } from '@gatehouse/contract/configuration/calls'
import { deviceModel, deviceType } from '@gatehouse/contract/enums/devices'
import { columnsOf } from '../../kit/list/columns.tsx'
import { useEnumLabel, useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { modal } from '../../kit/feedback.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { RowMenu } from '../../kit/list/RowMenu.tsx'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { path } from '../../paths.ts'
import { ConfigScreen } from './ConfigScreen.tsx'
import { CopyDialog, type CopySource } from './CopyDialog.tsx'
import { Differing } from './Differing.tsx'
import { settingsOf } from './settingValues.ts'

const addressOf = (id = ''): string => `${path('deviceConfigDetail')}?template=${id}`

export default function TemplateListPage() {
  const { t } = useTranslation('configuration')
  const navigate = useNavigate()
  const label = useEnumLabel()
  const optionsOf = useEnumOptions()
  const list = useList(configurationCalls.templates, { name: 'deviceSettingTemplates' })
  const copying = useEditor<CopySource>()
  const remove = useWrite(configurationCalls.deleteTemplates, { done: t('template.deleted') })
  const columns = columnsOf<SettingTemplate>([
    {
      field: 'name',
      title: t('template.name'),
      width: 180,
      visibility: 'always',
      render: ({ id, name }) => (
        <Link to={addressOf(id)} title={name} tabIndex={-1}>
          {name}
        </Link>
      ),
    },
    {
      field: 'settings',
      title: t('template.sets'),
      width: 330,
      visibility: 'always',
      render: ({ secretsSet, ...template }) => (
        <Differing settings={settingsOf(template)} secretsSet={secretsSet} none={t('template.nothing')} />
      ),
    },
    { field: 'deviceType', title: t('type'), width: 166, render: (row) => label(deviceType, row.deviceType) },
    { field: 'model', title: t('model'), width: 132, render: ({ model }) => label(deviceModel, model) },
    { field: 'updatedAt', title: t('changedAt'), width: 128, render: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
  ])
  const add = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate(addressOf())}>
      {t('template.add')}
    </Button>
  )
  const confirmRemoval = ({ id, name }: SettingTemplate): void =>
    void modal.confirm({
      title: t('template.deleteTitle', { name }),
      content: t('template.deleteWords'),
      okText: t('template.delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => remove.run({ query: { ids: [id] } }),
    })
  return (
    <ConfigScreen tab="deviceConfigTemplates" note={!list.pending && t('template.total', { count: list.total })} actions={add}>
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('template.name') },
          { field: 'type', label: t('type'), options: optionsOf(deviceType).filter(({ value }) => isTypeBuilt(Number(value))) },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('template.none'), action: add }}
        onOpen={({ id }) => void navigate(addressOf(id))}
        actions={(row) => (
          <RowMenu
            name={row.name}
            actions={[
              {
                key: 'copy',
                label: t('copy.action'),
                run: () => copying.edit({ from: 'template', id: row.id, name: row.name, type: row.deviceType }),
              },
              { key: 'edit', label: t('edit'), run: () => void navigate(addressOf(row.id)) },
              { key: 'delete', label: t('template.delete'), danger: true, run: () => confirmRemoval(row) },
            ]}
          />
        )}
      />
      {copying.openingCount > 0 && copying.target && <CopyDialog key={copying.openingCount} editor={copying} source={copying.target} />}
    </ConfigScreen>
  )
}
