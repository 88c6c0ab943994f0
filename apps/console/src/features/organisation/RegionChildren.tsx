/** What stands directly below an organisation. */
import { Table } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { PAGE_SIZE_DEFAULT } from '@gatehouse/contract'
import { organisationType, parkType } from '@gatehouse/contract/enums/organisation'
import type { OrganisationNode } from '@gatehouse/contract/organisation/calls'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { RowMenu } from '../../kit/list/RowMenu.tsx'
import { path } from '../../paths.ts'
import { countBelow } from './tree.ts'
import styles from './organisation.module.css'

interface RegionChildrenProps {
  node: OrganisationNode | undefined
  choose: (id: string) => void
  add: ReactNode
  edit: (child: OrganisationNode) => void
  remove: (child: OrganisationNode) => void
}

export function RegionChildren({ node, choose, add, edit, remove }: RegionChildrenProps) {
  const { t } = useTranslation('organisation')
  const labelOf = useEnumLabel()
  const children = node?.children ?? []
  if (children.length === 0)
    return (
      <div className={styles.empty}>
        <p>{t('noChildren')}</p>
        {add}
      </div>
    )
  return (
    <Table<OrganisationNode>
      size="small"
      rowKey="id"
      dataSource={[...children]}
      // What stands further below is opened, not folded out.
      expandable={{ childrenColumnName: 'none' }}
      scroll={{ x: 640 }}
      pagination={{ pageSize: PAGE_SIZE_DEFAULT, hideOnSinglePage: true, showSizeChanger: false }}
      columns={[
        { key: 'name', title: t('name'), render: (_, child) => <Link to={path('regionDetail', { id: child.id })}>{child.name}</Link> },
        { key: 'type', title: t('type'), width: 130, render: (_, { type }) => labelOf(organisationType, type) },
        {
          key: 'parkType',
          title: t('parkType'),
          width: 130,
          render: (_, child) => (child.parkType === null ? '—' : labelOf(parkType, child.parkType)),
        },
        { key: 'areaCode', title: t('areaCode'), width: 110, dataIndex: 'areaCode' },
        { key: 'below', title: t('below'), width: 110, align: 'right', render: (_, child) => countBelow(child) },
        {
          key: 'actions',
          width: 48,
          align: 'right',
          title: <span className="unseen">{t('common:list.actions')}</span>,
          render: (_, child) => (
            <RowMenu
              name={child.name}
              actions={[
                { key: 'show', label: t('show'), run: () => choose(child.id) },
                { key: 'edit', label: t('edit'), run: () => edit(child) },
                { key: 'delete', label: t('delete'), danger: true, run: () => remove(child) },
              ]}
            />
          ),
        },
      ]}
    />
  )
}
