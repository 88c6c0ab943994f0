/** /associatedPark: linked parks and applications. A QR code of another park leads here with its code. */
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
  const [scannedPark, setScannedPark] = useState<OtherPark>()
  useBrought('code', (link) => {
    setScannedPark({ code: link.get('code')!, expires: Number(link.get('expires')), sign: link.get('sign') ?? '' })
    applying.add()
  })
  const ownCode = useRead(areaCalls.verificationCode, { query: {} })
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
          {ownCode.data && (
            <Popover
              trigger="click"
              placement="bottomRight"
              content={<CopyField name={t('ownCode')} value={ownCode.data.verificationCode} />}
            >
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
        {applying.openingCount > 0 && <ApplyDialog key={`apply ${applying.openingCount}`} editor={applying} scannedPark={scannedPark} />}
        {choosing.openingCount > 0 && choosing.target && (
          <PeopleDialog key={`people ${choosing.openingCount}`} editor={choosing} relation={choosing.target} />
        )}
      </Suspense>
    </Screen>
  )
}

/** Return the columns of the list of linked parks. */
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

const DECISIONS = {
  agree: { status: 'agreed', danger: false },
  refuse: { status: 'refused', danger: true },
  dismiss: { status: 'dismissed', danger: true },
} as const

/** Return the action that decides on a relation after a question. */
function useDecision(decision: keyof typeof DECISIONS): (relation: ParkRelation) => RowAction {
  const { t } = useTranslation('relations')
  const { status, danger } = DECISIONS[decision]
  const change = useWrite(relationCalls.change, { done: t(status) })
  return ({ id, parkName: park, personCount: count, version, can }) => ({
    key: decision,
    label: t(decision),
    danger,
    allowed: can[decision],
    run: () =>
      modal.confirm({
        title: t(`${decision}Title`, { park }),
        content: t(`${decision}Words`, { count }),
        okText: t(decision),
        okButtonProps: { danger },
        cancelText: t('common:cancel'),
        onOk: () => change.run({ body: { id, status, version } }),
      }),
  })
}

/** Return the actions on a linked park or an application, from this park's side. */
function useRelationActions(choosePeople: (relation: ParkRelation) => void): (relation: ParkRelation) => RowAction[] {
  const { t } = useTranslation('relations')
  const agree = useDecision('agree')
  const refuse = useDecision('refuse')
  const dismiss = useDecision('dismiss')
  const removal = useWrite(relationCalls.delete, { done: t('removed') })
  return (relation) => [
    { key: 'edit', label: t('edit'), allowed: relation.can.change, run: () => choosePeople(relation) },
    agree(relation),
    refuse(relation),
    dismiss(relation),
    {
      key: 'remove',
      label: t(relation.status === 'applied' ? 'takeBack' : 'remove'),
      danger: true,
      allowed: relation.can.delete,
      run: () => removal.run({ params: { id: relation.id } }),
    },
  ]
}
