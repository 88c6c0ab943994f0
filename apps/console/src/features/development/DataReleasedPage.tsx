/** /dataReleased: for each device the state it should reach, when that was sent, and the state it has reached. */
import { useTranslation } from 'react-i18next'
import { developmentCalls, type DeviceRelease } from '@gatehouse/contract/development/calls'
import { deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import { topics } from '@gatehouse/contract/realtime'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Connection } from '../../shared/Connection.tsx'
import { EnumTag, StatusTag, useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useLive } from '../../api/live.ts'
import { queriesOf } from '../../api/query.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useRefresh } from '../../kit/useRefresh.ts'
import styles from './development.module.css'

const STATUS = { none: 'off', current: 'ok', behind: 'wait', differs: 'bad' } as const
/** Device status frames cause the list to be read again at most this often; milliseconds. */
const PACE = 2000

export default function DataReleasedPage() {
  const { t } = useTranslation('development')
  const list = useList(developmentCalls.released, { name: 'dataReleased' })
  const optionsOf = useEnumOptions()
  const refresh = useRefresh(PACE)
  useLive(topics.deviceStatus, () => refresh(queriesOf(developmentCalls.released)), [queriesOf(developmentCalls.released)])
  const columns = columnsOf<DeviceRelease>([
    {
      field: 'name',
      title: t('device'),
      width: 150,
      visibility: 'always',
      render: ({ name, code }) => (
        <span className={styles.two}>
          <span title={name}>{name}</span>
          <small>{code}</small>
        </span>
      ),
    },
    {
      field: 'onlineStatus',
      title: t('online'),
      width: 96,
      render: ({ onlineStatus }) => <EnumTag of={deviceOnlineStatus} value={onlineStatus} />,
    },
    {
      field: 'state',
      title: t('released.state'),
      width: 120,
      visibility: 'always',
      render: ({ state }) => <StatusTag status={STATUS[state]}>{t(`released.states.${state}`)}</StatusTag>,
    },
    { field: 'desiredAt', title: t('released.desiredAt'), width: 116, render: ({ desiredAt }) => <RelativeTime at={desiredAt} /> },
    { field: 'toldAt', title: t('released.toldAt'), width: 110, render: ({ toldAt }) => <RelativeTime at={toldAt} /> },
    { field: 'takenAt', title: t('released.takenAt'), width: 110, render: ({ takenAt }) => <RelativeTime at={takenAt} /> },
    {
      field: 'heldCursor',
      title: t('released.cursor'),
      width: 110,
      render: ({ heldCursor, desiredCursor }) => t('released.cursorOf', { held: heldCursor, desired: desiredCursor }),
    },
    {
      field: 'heldRevision',
      title: t('released.revision'),
      width: 90,
      render: ({ heldRevision, desiredRevision }) => (
        <span title={`${heldRevision} / ${desiredRevision}`}>
          {t(heldRevision === desiredRevision ? 'released.revisionSame' : 'released.revisionOther')}
        </span>
      ),
    },
    {
      field: 'digestEqual',
      title: t('released.digest'),
      width: 90,
      visibility: 'hidden',
      render: ({ digestEqual }) => t(digestEqual ? 'released.digestEqual' : 'released.digestOther'),
    },
    {
      field: 'exceptions',
      title: t('released.exceptions'),
      width: 96,
      render: ({ exceptions }) => <span className={exceptions > 0 ? styles.wanting : ''}>{exceptions}</span>,
    },
    {
      field: 'lastSeenAt',
      title: t('lastSeen'),
      width: 140,
      visibility: 'hidden',
      render: (row) => <Connection of={row} />,
    },
  ])
  return (
    <Screen title={t('shell:title.dataReleased')} note={!list.pending && t('total', { count: list.total })}>
      <p className={styles.note}>{t('released.note')}</p>
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
      <ListTable list={list} columns={columns} empty={{ title: t('none') }} />
    </Screen>
  )
}
