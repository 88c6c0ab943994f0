/** /ipSettings: the address of the installation, domains with a look of their own, and the third-party monitor. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { domainShowType } from '@gatehouse/contract/enums/organisation'
import { lookCalls, type Domain } from '@gatehouse/contract/system/look'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { EnumTag } from '../../../kit/detail/EnumTag.tsx'
import { modal } from '../../../kit/feedback.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { RowMenu } from '../../../kit/list/RowMenu.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useMayOpen } from '../../../api/session.ts'
import { useEditor } from '../../../kit/form/useEditor.ts'
import { useList } from '../../../kit/list/useList.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { AddressPart, Part, TenderPart, ThirdPart } from './domainParts.tsx'
import styles from '../system.module.css'

const DomainDialog = lazy(() => import('./DomainDialog.tsx'))

export default function DomainPage() {
  const { t } = useTranslation('shell')
  const mayChange = useMayOpen({ permission: 'system.domainName', condition: 'installation' })
  return (
    <Screen title={t('title.ipSettings')}>
      <div>
        {mayChange && <AddressPart />}
        <DomainPart mayChange={mayChange} />
        {mayChange && <ThirdPart />}
        {mayChange && <TenderPart />}
      </div>
    </Screen>
  )
}

function DomainPart({ mayChange }: { mayChange: boolean }) {
  const { t } = useTranslation('system')
  const list = useList(lookCalls.domains, { name: 'domains' })
  const editor = useEditor<Domain>()
  const remove = useWrite(lookCalls.removeDomain, { done: t('domains.removed') })
  const columns = columnsOf<Domain>([
    {
      field: 'address',
      title: t('domains.domain'),
      width: 240,
      visibility: 'always',
      render: ({ address }) => (
        <a href={address} target="_blank" rel="noreferrer" title={address}>
          {address}
        </a>
      ),
    },
    { field: 'name', title: t('domains.name'), width: 150 },
    {
      field: 'showType',
      title: t('domains.showType'),
      width: 100,
      render: ({ showType }) => <EnumTag of={domainShowType} value={showType} />,
    },
    {
      field: 'logo',
      title: t('domains.logo'),
      width: 130,
      render: ({ logo, name, address }) =>
        logo && <img src={logo} alt={t('common:picture.present', { name: name || address })} className={styles.logoCell} />,
    },
    { field: 'organisationName', title: t('domains.organisation'), width: 140 },
    { field: 'remark', title: t('domains.remark'), width: 160, visibility: 'hidden' },
  ])
  const add = mayChange && (
    <Button type="primary" icon={<PlusOutlined />} onClick={editor.add}>
      {t('domains.add')}
    </Button>
  )
  const ask = ({ id, address }: Domain): void =>
    modal.confirm({
      title: t('domains.removeTitle', { name: address }),
      content: t('domains.removeWords'),
      okText: t('domains.remove'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => remove.run({ params: { id } }),
    })
  return (
    <Part title={t('domains.title')} words={t('domains.words')} wide>
      <FilterBar
        list={list}
        filters={[
          { field: 'address', label: t('domains.domain') },
          { field: 'name', label: t('domains.name') },
        ]}
      >
        <ListTools list={list} columns={columns} />
        {add}
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('domains.none'), action: add }}
        {...(mayChange && {
          onOpen: editor.edit,
          actions: (domain: Domain) => (
            <RowMenu
              name={domain.address}
              actions={[
                { key: 'edit', label: t('domains.edit'), run: () => editor.edit(domain) },
                { key: 'remove', label: t('domains.remove'), danger: true, run: () => ask(domain) },
              ]}
            />
          ),
        })}
      />
      <Suspense fallback={null}>{editor.openingCount > 0 && <DomainDialog key={editor.openingCount} editor={editor} />}</Suspense>
    </Part>
  )
}
