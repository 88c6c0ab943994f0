/** /associatedPark: parks this one is linked with, or that have asked. A QR code of another park leads here with its code. */
import { KeyOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parkSyncApplicationStatus } from '@gatehouse/contract/enums/access'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { relationCalls, type ParkRelation } from '@gatehouse/contract/relations/calls'
import { CopyField } from '../../kit/form/CopyField.tsx'
import { useEnumOptions, EnumTag } from '../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useRead } from '../../api/query.ts'
import { RowMenu, type RowAction } from '../../kit/list/RowMenu.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useBrought } from '../../kit/useBrought.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { modal } from '../../kit/feedback.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import type { OtherPark } from './ApplyDialog.tsx'

const ApplyDialog = lazy(() => import('./ApplyDialog.tsx'))
const PeopleDialog = lazy(() => import('./PeopleDialog.tsx'))

export default function AssociatedParkPage() {
  const { t } = useTranslation('relations')
  const list = useList(relationCalls.list, { name: 'relations' })
  const columns = useRelationColumns()
  const optionsOf = useEnumOptions()
  const applying = useEditor<ParkRelation>()
  const choosing = useEditor<ParkRelation>()
  const actionsOf = useRelationActions(choosing.edit)
  const [brought, setBrought] = useState<OtherPark>()
  useBrought('code', (link) => {
    setBrought({ code: link.get('code')!, expires: Number(link.get('expires')), sign: link.get('sign') ?? '' })
    applying.add()
  })
  const own = useRead(areaCalls.verificationCode, { query: {} })
  const add = (
    <Button type="primary" icon={<PlusOutlined />} onClick={applying.add}>
      {t('apply')}
    </Button>
  )
  return (
    <Screen
      title={t('title')}
      note={!list.pending && t('total', { count: list.total })}
      actions={
        <>
          {own.data && (
            <Popover trigger="click" placement="bottomRight" content={<CopyField name={t('ownCode')} value={own.data.verificationCode} />}>
              <Button icon={<KeyOutlined />}>{t('ownCode')}</Button>
            </Popover>
          )}
          {add}
        </>
      }
    >
      <FilterBar
        list={list}
        filters={[
          {
            field: 'direction',
            label: t('direction'),
            options: [
              { value: 'sent', label: t('sent') },
              { value: 'received', label: t('received') },
            ],
          },
          { field: 'status', label: t('status'), options: optionsOf(parkSyncApplicationStatus) },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('empty'), action: add }}
        actions={(relation) => <RowMenu name={relation.parkName} actions={actionsOf(relation)} />}
      />
      <Suspense fallback={null}>
        {applying.round > 0 && <ApplyDialog key={`apply ${applying.round}`} editor={applying} brought={brought} />}
        {choosing.round > 0 && choosing.target && (
          <PeopleDialog key={`people ${choosing.round}`} editor={choosing} relation={choosing.target} />
        )}
      </Suspense>
    </Screen>
  )
}

/** Columns of the list of linked parks. */
function useRelationColumns(): TableColumn<ParkRelation>[] {
  const { t } = useTranslation('relations')
  return columnsOf<ParkRelation>([
    { field: 'parkName', title: t('park'), width: 170, visibility: 'always' },
    { field: 'direction', title: t('direction'), width: 120, render: ({ direction }) => t(direction) },
    { field: 'status', title: t('status'), width: 110, render: ({ status }) => <EnumTag of={parkSyncApplicationStatus} value={status} /> },
    { field: 'personCount', title: t('people'), width: 100, render: ({ personCount }) => t('peopleCount', { count: personCount }) },
    { field: 'remark', title: t('remark'), width: 150 },
    { field: 'createdAt', title: t('createdAt'), width: 130, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    {
      field: 'decidedAt',
      title: t('decidedAt'),
      width: 130,
      render: ({ decidedAt }) => decidedAt !== null && <RelativeTime at={decidedAt} />,
    },
  ])
}

/** What can be done with a link or an application, from this park's side. */
function useRelationActions(choosePeople: (relation: ParkRelation) => void): (relation: ParkRelation) => RowAction[] {
  const { t } = useTranslation('relations')
  const agree = useWrite(relationCalls.change, { done: t('agreed') })
  const refuse = useWrite(relationCalls.change, { done: t('refused') })
  const dismiss = useWrite(relationCalls.change, { done: t('dismissed') })
  const remove = useWrite(relationCalls.delete, { done: t('removed') })

  const ask = (title: string, content: string, okText: string, danger: boolean, onOk: () => void): void =>
    modal.confirm({ title, content, okText, okButtonProps: { danger }, cancelText: t('common:cancel'), onOk })

  return (relation) => {
    const { id, parkName: park, status, direction, personCount: count, version } = relation
    const isOwn = direction === 'sent'
    const edit: RowAction = { key: 'edit', label: t('edit'), run: () => choosePeople(relation) }
    const removal = (label: string): RowAction => ({ key: 'remove', label, danger: true, run: () => remove.run({ params: { id } }) })
    switch (status) {
      case 'applied':
        return isOwn
          ? [edit, removal(t('takeBack'))]
          : [
              {
                key: 'agree',
                label: t('agree'),
                run: () =>
                  ask(t('agreeTitle', { park }), t('agreeWords', { count }), t('agree'), false, () =>
                    agree.run({ body: { id, status: 'agreed', version } }),
                  ),
              },
              {
                key: 'refuse',
                label: t('refuse'),
                danger: true,
                run: () =>
                  ask(t('refuseTitle', { park }), t('refuseWords'), t('refuse'), true, () =>
                    refuse.run({ body: { id, status: 'refused', version } }),
                  ),
              },
            ]
      case 'agreed':
        return [
          ...(isOwn ? [edit] : []),
          {
            key: 'dismiss',
            label: t('dismiss'),
            danger: true,
            run: () =>
              ask(t('dismissTitle', { park }), t('dismissWords'), t('dismiss'), true, () =>
                dismiss.run({ body: { id, status: 'dismissed', version } }),
              ),
          },
        ]
      default:
        return [removal(t('remove'))]
    }
  }
}
