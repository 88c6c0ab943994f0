/** /passRule: which access rules visitors get, by their host and their group. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { passRuleCalls, type PassRule } from '@gatehouse/contract/visitors/pass-rules'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { modal } from '../../../kit/feedback.tsx'
import { useEditor } from '../../../kit/form/useEditor.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { RowMenu, type RowAction } from '../../../kit/list/RowMenu.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { shownName } from '../../../kit/shownName.ts'

const PassRuleDialog = lazy(() => import('./PassRuleDialog.tsx'))

export default function PassRuleListPage() {
  const { t } = useTranslation('visitors')
  const list = useList(passRuleCalls.list, { name: 'passRules' })
  const columns = usePassRuleColumns()
  const editor = useEditor<PassRule>()
  const deletion = useWrite(passRuleCalls.delete, { done: t('rules.deleted') })
  const remove = ({ id, name }: PassRule): void =>
    modal.confirm({
      title: t('rules.deleteTitle', { name }),
      content: t('rules.deleteWords'),
      okText: t('delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => deletion.send({ params: { id } }).catch(() => {}),
    })
  const menuOf = (rule: PassRule): RowAction[] => [
    { key: 'edit', label: t('edit'), run: () => editor.edit(rule) },
    { key: 'delete', label: t('delete'), danger: true, run: () => remove(rule) },
  ]
  const add = (
    <Button type="primary" icon={<PlusOutlined />} onClick={editor.add}>
      {t('rules.add')}
    </Button>
  )
  return (
    <Screen title={t('shell:title.passRule')} note={!list.pending && t('rules.total', { count: list.total })} actions={add}>
      <FilterBar list={list} filters={[{ field: 'name', label: t('rules.name') }]}>
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('rules.empty'), action: add }}
        onOpen={editor.edit}
        actions={(rule) => <RowMenu name={rule.name} actions={menuOf(rule)} />}
      />
      <Suspense fallback={null}>{editor.openingCount > 0 && <PassRuleDialog key={editor.openingCount} editor={editor} />}</Suspense>
    </Screen>
  )
}

function usePassRuleColumns(): TableColumn<PassRule>[] {
  const { t } = useTranslation('visitors')
  const label = useEnumLabel()
  const names = (of: readonly { name: string }[]): string => of.map(({ name }) => shownName(name)).join(t('common:listSeparator'))
  return columnsOf<PassRule>([
    { field: 'name', title: t('rules.name'), width: 160, visibility: 'always' },
    {
      field: 'hostGroups',
      title: t('rules.hostGroups'),
      width: 170,
      render: ({ hostGroups }) => names(hostGroups) || t('rules.everyHost'),
    },
    {
      field: 'visitorGroups',
      title: t('rules.visitorGroups'),
      width: 150,
      render: ({ visitorGroups }) => names(visitorGroups) || t('rules.everyVisitor'),
    },
    { field: 'accessGroups', title: t('accessRules'), width: 190, render: ({ accessGroups }) => names(accessGroups) },
    {
      field: 'passMethods',
      title: t('passMethods'),
      width: 160,
      render: ({ passMethods }) => passMethods.map((method) => label(accessMethod, method)).join(t('common:listSeparator')),
    },
    {
      field: 'updatedAt',
      title: t('rules.updatedAt'),
      width: 110,
      visibility: 'hidden',
      render: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
    },
  ])
}
