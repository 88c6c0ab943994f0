/** /associatedPark: parks this one is linked with, or that have asked. A QR code of another park leads here with its code. */
import { KeyOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parkSyncApplicationStatus } from '@gatehouse/contract/enums/access'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { relationCalls, type ParkRelation } from '@gatehouse/contract/relations/calls'
import { CopyField } from '../../kit/form/CopyField.tsx'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useRead } from '../../api/query.ts'
import { RowMenu } from '../../kit/list/RowMenu.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useBrought } from '../../kit/useBrought.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import type { OtherPark } from './ApplyDialog.tsx'
import { useRelationActions } from './useRelationActions.tsx'
import { useRelationColumns } from './relationColumns.tsx'

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
