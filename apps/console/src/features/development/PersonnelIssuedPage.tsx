/** /personnelIssued: persons that each device should store, stores, and cannot recognise; by device, and by person. */
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { developmentCalls, type DeviceIssued } from '@gatehouse/contract/development/calls'
import { deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import { topics } from '@gatehouse/contract/realtime'
import { PAGE_SIZE_DEFAULT } from '@gatehouse/contract'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Connection } from '../../shared/Connection.tsx'
import { EnumTag, useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useLive } from '../../api/live.ts'
import { queriesOf } from '../../api/query.ts'
import { PersonField } from '../../shared/PersonField.tsx'
import { TabScreen } from '../../kit/detail/TabScreen.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useRefresh } from '../../kit/useRefresh.ts'
import { path } from '../../paths.ts'
import { useLocalList } from '../../kit/list/useLocalList.ts'
import { PairList } from './PairList.tsx'
import styles from './development.module.css'

const PersonsDrawer = lazy(() => import('./PersonsDrawer.tsx'))

/** Device status frames cause the list to be read again at most this often; milliseconds. */
const PACE = 2000

export default function PersonnelIssuedPage() {
  const { t } = useTranslation('development')
  const [search] = useSearchParams()
  const byPerson = search.get('by') === 'person'
  const address = path('personnelIssued')
  return (
    <TabScreen
      title={t('shell:title.personnelIssued')}
      label={t('issued.views')}
      tabs={[
        { address, label: t('issued.byDevice'), current: !byPerson },
        { address: `${address}?by=person`, label: t('issued.byPerson'), current: byPerson },
      ]}
    >
      {byPerson ? <ByPerson /> : <ByDevice />}
    </TabScreen>
  )
}

function ByDevice() {
  const { t } = useTranslation('development')
  const list = useList(developmentCalls.issued, { name: 'personnelIssued' })
  const optionsOf = useEnumOptions()
  const refresh = useRefresh(PACE)
  useLive(topics.deviceStatus, () => refresh(queriesOf(developmentCalls.issued)), [queriesOf(developmentCalls.issued)])
  const [{ open, shown }, setDrawer] = useState<{ open: boolean; shown?: Pick<DeviceIssued, 'id' | 'name'> }>({ open: false })
  const columns = columnsOf<DeviceIssued>([
    {
      field: 'name',
      title: t('device'),
      width: 180,
      visibility: 'always',
      render: ({ name, code }) => (
        <span className={styles.two}>
          <span title={name}>{name}</span>
          <small>{code}</small>
        </span>
      ),
    },
    { field: 'groupName', title: t('group'), width: 140 },
    {
      field: 'onlineStatus',
      title: t('online'),
      width: 100,
      render: ({ onlineStatus }) => <EnumTag of={deviceOnlineStatus} value={onlineStatus} />,
    },
    { field: 'personsDesired', title: t('issued.desired'), width: 110, render: ({ personsDesired }) => String(personsDesired) },
    { field: 'personsHeld', title: t('issued.held'), width: 110, render: ({ personsHeld }) => String(personsHeld) },
    {
      field: 'personsFailed',
      title: t('issued.failed'),
      width: 130,
      render: ({ personsFailed }) => <span className={personsFailed > 0 ? styles.wanting : ''}>{personsFailed}</span>,
    },
    { field: 'lastSeenAt', title: t('lastSeen'), width: 140, render: (row) => <Connection of={row} /> },
  ])
  return (
    <>
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('device') },
          { field: 'code', label: t('code') },
          { field: 'onlineStatus', label: t('online'), options: optionsOf(deviceOnlineStatus) },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('none') }}
        onOpen={({ id, name }) => setDrawer({ open: true, shown: { id, name } })}
      />
      <Suspense fallback={null}>
        {shown && <PersonsDrawer key={shown.id} open={open} device={shown} close={() => setDrawer({ open: false, shown })} />}
      </Suspense>
    </>
  )
}

function ByPerson() {
  const { t } = useTranslation('development')
  const [personId, setPersonId] = useState<string>()
  return (
    <>
      <div className={styles.choice}>
        <PersonField value={personId} except="" label={t('issued.person')} onChange={setPersonId} />
      </div>
      {personId === undefined ? (
        <p className={styles.note}>{t('issued.choose')}</p>
      ) : (
        <DevicesOfPerson key={personId} personId={personId} />
      )}
    </>
  )
}

/** The devices that should store one person. */
function DevicesOfPerson({ personId }: { personId: string }) {
  return (
    <PairList
      list={useLocalList(developmentCalls.devicesOfPerson, { name: 'issuedPairs', fixed: { personId }, size: PAGE_SIZE_DEFAULT })}
      each="device"
    />
  )
}
