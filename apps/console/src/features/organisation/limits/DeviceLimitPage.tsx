/** /deviceLimit: the number of devices each institution may have, and has. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { isTypeBuilt } from '@gatehouse/contract/built'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { organisationType } from '@gatehouse/contract/enums/organisation'
import { deviceLimitCalls, type DeviceLimit } from '@gatehouse/contract/organisation/limits'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { useEnumLabel, useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { modal } from '../../../kit/feedback.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { RowMenu } from '../../../kit/list/RowMenu.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { path } from '../../../paths.ts'
import styles from '../organisation.module.css'

const addressOf = (id?: string): string => path('deviceLimitDetail') + (id === undefined ? '' : `?id=${id}`)

export default function DeviceLimitPage() {
  const { t } = useTranslation('organisation')
  const navigate = useNavigate()
  const labelOf = useEnumLabel()
  const optionsOf = useEnumOptions()
  const list = useList(deviceLimitCalls.list, { name: 'deviceLimits' })
  const remove = useWrite(deviceLimitCalls.remove, { done: t('limits.removed') })
  const typeOf = ({ deviceType: type }: DeviceLimit): string => (type === null ? t('limits.everyType') : labelOf(deviceType, type))
  const columns = columnsOf<DeviceLimit>([
    {
      field: 'organisationName',
      title: t('limits.organisation'),
      width: 220,
      visibility: 'always',
      render: (row) => (
        <Link to={addressOf(row.id)} title={row.organisationName} tabIndex={-1}>
          {row.organisationName}
        </Link>
      ),
    },
    { field: 'organisationType', title: t('type'), width: 110, render: (row) => labelOf(organisationType, row.organisationType) },
    { field: 'deviceType', title: t('limits.deviceType'), width: 180, render: typeOf },
    { field: 'used', title: t('limits.usage'), width: 200, render: (row) => <Usage limit={row} /> },
  ])
  const add = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate(addressOf())}>
      {t('limits.add')}
    </Button>
  )
  const confirmRemove = (row: DeviceLimit): void =>
    void modal.confirm({
      title: t('limits.removeTitle', { name: row.organisationName }),
      content: t('limits.removeWords', { type: typeOf(row) }),
      okText: t('limits.remove'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => remove.run({ query: { id: row.id } }),
    })

  return (
    <Screen title={t('limits.title')} note={!list.pending && t('limits.total', { count: list.total })} actions={add}>
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('limits.organisation') },
          {
            field: 'deviceType',
            label: t('limits.deviceType'),
            options: optionsOf(deviceType).filter(({ value }) => isTypeBuilt(Number(value))),
          },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('limits.none'), action: add }}
        onOpen={({ id }) => void navigate(addressOf(id))}
        actions={(row) => (
          <RowMenu
            name={row.organisationName}
            actions={[
              { key: 'edit', label: t('edit'), run: () => void navigate(addressOf(row.id)) },
              { key: 'remove', label: t('limits.remove'), danger: true, run: () => confirmRemove(row) },
            ]}
          />
        )}
      />
    </Screen>
  )
}

/** Used and allowed devices as a bar and in numbers; an exhausted limit in red and in words. */
function Usage({ limit: { used, limit } }: { limit: DeviceLimit }) {
  const { t } = useTranslation('organisation')
  const full = used >= limit
  return (
    <span className={styles.usage} data-full={full || undefined}>
      <span>{t(full ? 'limits.usedUp' : 'limits.used', { used, limit })}</span>
      <i aria-hidden="true">
        <i style={{ width: `${limit === 0 ? 100 : Math.min(100, (used / limit) * 100)}%` }} />
      </i>
    </span>
  )
}
