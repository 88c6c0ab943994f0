/** One organisation: its facts, its modules, the organisations below it, and its actions. */
import { DownOutlined, PlusOutlined, QrcodeOutlined, CheckOutlined, MinusOutlined } from '@ant-design/icons'
import { Button, Dropdown, Table } from 'antd'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { organisationType, parkType } from '@gatehouse/contract/enums/organisation'
import { areaCalls, type OrganisationDetail, FIXED_MODULES, SWITCHABLE_MODULES } from '@gatehouse/contract/organisation/areas'
import type { OrganisationNode } from '@gatehouse/contract/organisation/calls'
import { isBuilt } from '@gatehouse/contract/built'
import { PAGE_SIZE_DEFAULT } from '@gatehouse/contract'
import { DetailPage, Facts, Section } from '../../kit/detail/DetailPage.tsx'
import { StatusTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { useRead } from '../../api/query.ts'
import { DateOnly } from '../../kit/detail/RelativeTime.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useEditor } from '../../kit/form/useEditor.ts'
import { RowMenu } from '../../kit/list/RowMenu.tsx'
import { path } from '../../paths.ts'
import type { EditedOrganisation } from './editedOrganisation.ts'
import { nodeOf, countBelow } from './tree.ts'
import styles from './organisation.module.css'

const RegionDialog = lazy(() => import('./RegionDialog.tsx'))
const ParkCodeDialog = lazy(() => import('./ParkCodeDialog.tsx'))
const DeleteDialog = lazy(() => import('./DeleteDialog.tsx'))

interface RegionProps {
  id: string
  tree: OrganisationNode
  /** Show another organisation. */
  choose: (id: string) => void
  /** Called once this one has been deleted; absent: the one above is shown. */
  onDeleted?: () => void
  aside?: ReactNode
}

export function Region({ id, tree, choose, onDeleted, aside }: RegionProps) {
  const { t } = useTranslation('organisation')
  const region = useRead(areaCalls.read, { params: { id } })
  if (region.data === undefined)
    return (
      <Screen title={nodeOf(tree, id)?.name ?? t('title')} aside={aside}>
        <DetailPage query={region}>{() => null}</DetailPage>
      </Screen>
    )
  return <Shown region={region.data} tree={tree} choose={choose} onDeleted={onDeleted} aside={aside} />
}

function Shown({
  region,
  tree,
  choose,
  onDeleted,
  aside,
}: {
  region: OrganisationDetail
  tree: OrganisationNode
  choose: (id: string) => void
  onDeleted: (() => void) | undefined
  aside: ReactNode
}) {
  const { t } = useTranslation('organisation')
  const labelOf = useEnumLabel()
  const editor = useEditor<EditedOrganisation>()
  const [code, setCode] = useState(false)
  const [deleting, setDeleting] = useState<{ id: string; name: string } | null>(null)
  const isPark = region.type === organisationType.park
  const isTop = region.id === tree.id
  const self = { id: region.id, type: region.type, isTop: isTop && region.type === organisationType.partner }
  const edit = (): void => editor.edit({ id: region.id, parent: self })
  const add = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => editor.edit({ parent: self })}>
      {t('addBelow')}
    </Button>
  )
  const menuItems = [
    { key: 'edit', label: t('edit'), onClick: edit },
    ...(region.movable
      ? [{ key: 'delete', label: t('delete'), danger: true, onClick: () => setDeleting({ id: region.id, name: region.name }) }]
      : []),
  ]

  return (
    <Screen
      title={region.name}
      note={<StatusTag status="info">{labelOf(organisationType, region.type)}</StatusTag>}
      aside={aside}
      actions={
        <>
          {isPark && (
            <Button icon={<QrcodeOutlined />} onClick={() => setCode(true)}>
              {t('code.open')}
            </Button>
          )}
          {isPark && region.movable && (
            <Button danger type="text" onClick={() => setDeleting({ id: region.id, name: region.name })}>
              {t('delete')}
            </Button>
          )}
          {isPark ? (
            <Button type="primary" onClick={edit}>
              {t('edit')}
            </Button>
          ) : (
            <>
              <Dropdown trigger={['click']} menu={{ items: menuItems }}>
                <Button>
                  {t('more')} <DownOutlined />
                </Button>
              </Dropdown>
              {add}
            </>
          )}
        </>
      }
    >
      <div className={styles.facts}>
        <Facts
          facts={[
            [t('areaCode'), region.areaCode],
            ...(isPark ? ([[t('parkType'), labelOf(parkType, region.parkType ?? 1)]] as [string, ReactNode][]) : []),
            [t('parent'), region.parentName],
            [t('zone'), region.zone],
            ...(isPark ? [] : ([[t('parks'), region.parks]] as [string, ReactNode][])),
            [t('devices'), region.devices],
            [t('users'), region.users],
            [t('createdAt'), <DateOnly at={region.createdAt} />],
          ]}
        />
      </div>
      <Section title={t('modules.title')}>
        <ModuleTags on={region.modules} />
      </Section>
      {!isPark && (
        <Section title={t('children')}>
          <RegionChildren
            node={nodeOf(tree, region.id)}
            choose={choose}
            add={add}
            edit={(child) => editor.edit({ id: child.id, parent: self })}
            remove={setDeleting}
          />
        </Section>
      )}
      <Suspense fallback={null}>
        {editor.openingCount > 0 && <RegionDialog key={editor.openingCount} editor={editor} onAdded={choose} />}
        {code && <ParkCodeDialog park={region} close={() => setCode(false)} />}
        {deleting && (
          <DeleteDialog
            region={deleting}
            close={() => setDeleting(null)}
            onDeleted={() => {
              if (deleting.id !== region.id) return
              if (onDeleted) onDeleted()
              else choose(region.parentId ?? tree.id)
            }}
          />
        )}
      </Suspense>
    </Screen>
  )
}

/** The built function modules of an organisation, in full colour where on and faint where off, each with a text. */
function ModuleTags({ on }: { on: readonly string[] }) {
  const { t } = useTranslation(['permissions', 'organisation'])
  const isOn = (module: string): boolean => on.includes(module) || (FIXED_MODULES as readonly string[]).includes(module)
  return (
    <ul className={styles.modules}>
      {[...SWITCHABLE_MODULES, ...FIXED_MODULES].filter(isBuilt).map((module) => (
        <li key={module} data-on={isOn(module) || undefined}>
          {isOn(module) ? <CheckOutlined /> : <MinusOutlined />}
          {t(`module.${module}`)}
          {!isOn(module) && <span className="unseen">{t('organisation:modules.off')}</span>}
        </li>
      ))}
    </ul>
  )
}

interface RegionChildrenProps {
  node: OrganisationNode | undefined
  choose: (id: string) => void
  add: ReactNode
  edit: (child: OrganisationNode) => void
  remove: (child: OrganisationNode) => void
}

/** The organisations directly below another. */
function RegionChildren({ node, choose, add, edit, remove }: RegionChildrenProps) {
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
      // Organisations further below are opened, not expanded.
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
