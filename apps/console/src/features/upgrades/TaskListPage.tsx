/** Upgrade tasks of the park with their progress, newest first. */
import { PlusOutlined } from '@ant-design/icons'
import { Button, Progress } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, Link } from 'react-router'
import { jobState } from '@gatehouse/contract/enums/common'
import { upgradeCalls, type UpgradeTask } from '@gatehouse/contract/upgrades/calls'
import { UPGRADE_APPROVALS } from '@gatehouse/contract/upgrades/states'
import { updateType } from '@gatehouse/contract/enums/devices'
import { useEnumLabel, EnumTag } from '../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useMayOpen } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { shownName } from '../../kit/shownName.ts'
import { useRead } from '../../api/query.ts'
import { path } from '../../paths.ts'
import { screens } from '../../screens.ts'
import { useWorkWatch } from '../faces/index.ts'
import { taskAddress, useCountWords } from './upgradeWords.ts'
import { UpgradesScreen } from './UpgradesScreen.tsx'
import styles from './upgrades.module.css'

const TaskDialog = lazy(() => import('./TaskDialog.tsx'))
const STATES = [jobState.inProgress, jobState.success, jobState.failed]

/** @param kind of a page that shows this kind only */
export default function TaskListPage({ kind }: { kind?: 'algorithm' }) {
  const { t } = useTranslation('upgrades')
  const navigate = useNavigate()
  const list = useList(upgradeCalls.tasks, { name: 'upgrades', ...(kind && { fixed: { kind } }) })
  const columns = useTaskColumns()
  const label = useEnumLabel()
  const editor = useEditor<never>()
  const mayUpgrade = useMayOpen({ permission: 'device.upgrade', condition: 'installation' })
  useWorkWatch(
    list.rows.some(({ status }) => status === 'inProgress'),
    upgradeCalls.tasks,
  )
  const shown = kind ?? list.query.kind
  const add = mayUpgrade && (
    <Button type="primary" icon={<PlusOutlined />} onClick={editor.add}>
      {t('new')}
    </Button>
  )
  return (
    <UpgradesScreen tab={shown ?? 'all'} note={!list.pending && t('total', { count: list.total })} actions={add}>
      {kind === undefined && <RunningVersions />}
      <FilterBar
        list={list}
        filters={[
          { field: 'versionNumber', label: t('versionNumber') },
          { field: 'status', label: t('state'), options: STATES.map((value) => ({ value, label: label(jobState, value) })) },
          {
            field: 'approval',
            label: t('approvalLabel'),
            options: UPGRADE_APPROVALS.map((value) => ({ value, label: t(`approval.${value}`) })),
          },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('noneYet'), action: add }}
        onOpen={(task) => void navigate(taskAddress(task))}
      />
      <Suspense fallback={null}>
        {editor.openingCount > 0 && <TaskDialog key={editor.openingCount} editor={editor} kind={shown} />}
      </Suspense>
    </UpgradesScreen>
  )
}

/** Return the columns of the list of upgrade tasks. */
function useTaskColumns(): TableColumn<UpgradeTask>[] {
  const { t } = useTranslation('upgrades')
  const label = useEnumLabel()
  const words = useCountWords()
  return columnsOf<UpgradeTask>([
    {
      field: 'versionNumber',
      title: t('versionNumber'),
      width: 140,
      visibility: 'always',
      render: (task) => (
        <span className={styles.two}>
          <Link to={taskAddress(task)} tabIndex={-1}>
            {task.versionNumber}
          </Link>
          <small>{t(`tab.${task.kind}`)}</small>
        </span>
      ),
    },
    {
      field: 'status',
      title: t('state'),
      width: 120,
      visibility: 'always',
      render: ({ status }) => <EnumTag of={jobState} value={status} />,
    },
    {
      field: 'progress',
      title: t('progress'),
      width: 150,
      // A full bar means success; a failure is shown by the state.
      render: ({ progress, status, versionNumber }) =>
        status === jobState.failed ? null : (
          <Progress percent={progress} size="small" strokeColor="var(--accent)" aria-label={t('progressOf', { version: versionNumber })} />
        ),
    },
    { field: 'counts', title: t('devices'), width: 330, render: ({ devices, counts }) => words(devices, counts) },
    { field: 'type', title: t('type'), width: 110, render: ({ type }) => label(updateType, type) },
    {
      field: 'approval',
      title: t('approvalLabel'),
      width: 150,
      render: ({ approval }) => (approval === 'none' ? null : <span className={styles.wrapped}>{t(`approval.${approval}`)}</span>),
    },
    { field: 'askedBy', title: t('askedBy'), width: 120, visibility: 'hidden', render: ({ askedBy }) => shownName(askedBy) },
    { field: 'content', title: t('content'), width: 220, visibility: 'hidden' },
    { field: 'createdAt', title: t('startedAt'), width: 120, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ])
}

/** The number of devices by running version, each a link to these devices. */
function RunningVersions() {
  const { t } = useTranslation('upgrades')
  const { data: running } = useRead(upgradeCalls.running, {})
  const mayList = useMayOpen(screens.deviceList)
  // The line is drawn before its content is known, so that nothing moves.
  return (
    <section className={styles.running} aria-label={t('running')} data-pending={running === undefined || undefined}>
      <h2>{t('running')}</h2>
      {running?.length === 0 && <span>{t('runningNone')}</span>}
      <ul>
        {running?.map(({ versionNumber, devices, online }) => {
          const count = t('runningDevices', { count: devices, online })
          return (
            <li key={versionNumber}>
              <b>{versionNumber || t('runningUnknown')}</b>{' '}
              {mayList && versionNumber !== '' ? (
                <Link to={`${path('deviceList')}?${new URLSearchParams({ firmwareVersion: versionNumber })}`}>{count}</Link>
              ) : (
                count
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
