/** Columns of the devices of an upgrade. */
import { Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { jobState } from '@gatehouse/contract/enums/common'
import { type UpgradeDevice, upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import { UPGRADE_FAILURES } from '@gatehouse/contract/upgrades/states'
import { addressOf, id as idSchema } from '@gatehouse/contract'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useMay } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { useList, type List, type ListQuery } from '../../kit/list/useList.ts'
import styles from './upgrades.module.css'

const isKnown = (reason: string): boolean => (UPGRADE_FAILURES as readonly string[]).includes(reason)

export function useTaskDeviceColumns(): TableColumn<UpgradeDevice>[] {
  const { t } = useTranslation('upgrades')
  const maySee = useMay('device.list')
  const stepOf = ({ step, online }: UpgradeDevice): string => t(step === 'waiting' && !online ? 'step.offline' : `step.${step}`)
  const reasonOf = (reason: string): string => (isKnown(reason) ? t(`reason.${reason}`) : t('reason.other', { reason }))
  return columnsOf<UpgradeDevice>([
    {
      field: 'name',
      title: t('device'),
      width: 160,
      visibility: 'always',
      render: ({ name, code, deviceId, state }) => (
        <span className={styles.two}>
          {maySee && deviceId !== null && state !== jobState.notRegistered ? (
            <Link to={path('deviceDetails', { deviceId })} title={name} tabIndex={-1}>
              {name}
            </Link>
          ) : (
            <span title={name}>{name}</span>
          )}
          <small title={code}>{code}</small>
        </span>
      ),
    },
    { field: 'state', title: t('state'), width: 104, visibility: 'always', render: ({ state }) => <EnumTag of={jobState} value={state} /> },
    {
      field: 'step',
      title: t('now'),
      width: 260,
      visibility: 'always',
      render: (row) => {
        if (row.state === jobState.failed) return <span className={styles.reason}>{reasonOf(row.reason ?? 'fault')}</span>
        return row.state === jobState.inProgress ? <span className={styles.wrapped}>{stepOf(row)}</span> : null
      },
    },
    {
      field: 'progress',
      title: t('progress'),
      width: 110,
      render: ({ progress, state, name }) =>
        state === jobState.inProgress ? (
          <Progress percent={progress} size="small" strokeColor="var(--accent)" aria-label={t('progressOf', { version: name })} />
        ) : null,
    },
    { field: 'versionBefore', title: t('versionBefore'), width: 100 },
    { field: 'attempt', title: t('attempt'), width: 90, visibility: 'hidden' },
    { field: 'startedAt', title: t('startedAt'), width: 108, render: ({ startedAt }) => <RelativeTime at={startedAt} /> },
    { field: 'endedAt', title: t('endedAt'), width: 108, render: ({ endedAt }) => <RelativeTime at={endedAt} /> },
  ])
}

const { taskDevices } = upgradeCalls

const devicesOf = (id: string) => ({
  ...taskDevices,
  url: addressOf(taskDevices, { id }),
  query: taskDevices.query.extend({ id: idSchema.optional() }),
})
type TaskDevicesCall = ReturnType<typeof devicesOf>

/**
 * Return the devices of one task as a list, and the call it reads. The task is kept in the address beside the query and is no filter.
 */
export function useTaskDevices(id: string): { list: List<UpgradeDevice, ListQuery<TaskDevicesCall>>; call: TaskDevicesCall } {
  const call = devicesOf(id)
  const list = useList(call, { name: 'upgradeDevices' })
  const { name, state } = list.query
  return { list: { ...list, filtered: Boolean(name ?? state), clear: () => list.setQuery({ name: undefined, state: undefined }) }, call }
}
