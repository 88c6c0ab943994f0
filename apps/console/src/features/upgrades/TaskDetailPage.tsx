/** One upgrade: its version, its progress, and each device with its state and the reason of a failure. */
import { CheckOutlined, CloseOutlined, RedoOutlined, StopOutlined } from '@ant-design/icons'
import { Alert, Button, Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { jobState } from '@gatehouse/contract/enums/common'
import { updateType } from '@gatehouse/contract/enums/devices'
import { upgradeCalls, type UpgradeDevice, type UpgradeTask } from '@gatehouse/contract/upgrades/calls'
import { DetailPage, Facts } from '../../kit/detail/DetailPage.tsx'
import { EnumTag, useEnumLabel, useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { modal } from '../../kit/feedback.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useRead } from '../../api/query.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { RowMenu, type RowAction } from '../../kit/list/RowMenu.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMayOpen } from '../../api/session.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { shownName } from '../../kit/shownName.ts'
import { useWorkWatch } from '../faces/index.ts'
import { useCountWords } from './upgradeWords.ts'
import { useTaskDeviceColumns, useTaskDevices } from './taskDeviceColumns.tsx'
import styles from './upgrades.module.css'

export default function TaskDetailPage() {
  const [search] = useSearchParams()
  const id = search.get('id') ?? ''
  const found = useRead(upgradeCalls.task, { query: { id } })
  useWorkWatch(found.data?.status === 'inProgress', upgradeCalls.task)
  return <DetailPage query={found}>{(task) => <Shown key={task.id} task={task} />}</DetailPage>
}

function Shown({ task }: { task: UpgradeTask }) {
  const { t } = useTranslation('upgrades')
  const label = useEnumLabel()
  const words = useCountWords()
  const { id, kind, versionNumber, content, type, md5, file, signed, progress, status, devices, counts, createdAt } = task
  const { approval, askedBy, approvedBy, own } = task
  const decision = t(`approval.${approval}`)
  return (
    <Screen
      title={t('detailTitle', { version: versionNumber })}
      note={<EnumTag of={jobState} value={status} />}
      actions={<Actions task={task} />}
    >
      {approval === 'pending' && (
        <Alert
          className={styles.waits ?? ''}
          type="warning"
          showIcon
          role="status"
          title={own ? t('waitsOwn') : t('waitsOther', { name: shownName(askedBy) })}
        />
      )}
      {status !== jobState.failed && (
        <Progress
          className={styles.progress ?? ''}
          percent={progress}
          strokeColor="var(--accent)"
          aria-label={t('progressOf', { version: versionNumber })}
        />
      )}
      <p className={styles.counts} role="status">
        {words(devices, counts)}
      </p>
      <div className={styles.facts}>
        <Facts
          facts={[
            [t('kind'), t(`tab.${kind}`)],
            [t('type'), label(updateType, type)],
            [t('file'), file],
            [t('md5'), md5],
            [t('signature'), t(signed ? 'signed' : 'unsigned')],
            [t('askedBy'), shownName(askedBy)],
            [t('approvalLabel'), approvedBy === '' ? decision : t('decidedBy', { decision, name: shownName(approvedBy) })],
            [t('startedAt'), <RelativeTime key="at" at={createdAt} />],
            [t('content'), content],
          ]}
        />
      </div>
      <Devices taskId={id} busy={status === 'inProgress'} />
    </Screen>
  )
}

function Devices({ taskId, busy }: { taskId: string; busy: boolean }) {
  const { t } = useTranslation('upgrades')
  const optionsOf = useEnumOptions()
  const columns = useTaskDeviceColumns()
  const { list, call } = useTaskDevices(taskId)
  const retry = useWrite(upgradeCalls.retry, { done: t('retried') })
  const cancel = useWrite(upgradeCalls.cancel, { done: t('cancelled') })
  const mayUpgrade = useMayOpen({ permission: 'device.upgrade', condition: 'installation' })
  useWorkWatch(busy, call)
  const params = { id: taskId }

  const actionsOf = ({ id, can }: UpgradeDevice): RowAction[] => [
    { key: 'retry', label: t('retry'), allowed: can.retry, run: () => retry.run({ params, body: { rowId: id } }) },
    { key: 'cancel', label: t('cancel'), danger: true, allowed: can.cancel, run: () => cancel.run({ params, body: { rowId: id } }) },
  ]
  return (
    <>
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('device') },
          { field: 'state', label: t('state'), options: optionsOf(jobState) },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('noDevices') }}
        {...(mayUpgrade && {
          actions: (row: UpgradeDevice) => <RowMenu name={row.name} actions={actionsOf(row)} />,
        })}
      />
    </>
  )
}

function Actions({ task }: { task: UpgradeTask }) {
  const { id, counts, can } = task
  const { t } = useTranslation('upgrades')
  const retry = useWrite(upgradeCalls.retry, { done: t('retried') })
  const cancel = useWrite(upgradeCalls.cancel, { done: t('cancelled') })
  const mayUpgrade = useMayOpen({ permission: 'device.upgrade', condition: 'installation' })
  if (!mayUpgrade) return null
  if (can.decline) return <Decision task={task} />
  const [open, failed] = [counts.inProgress ?? 0, counts.failed ?? 0]
  const ask = (): void =>
    void modal.confirm({
      title: t('cancelTitle', { count: open }),
      content: t('cancelWords'),
      okText: t('cancel'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => cancel.run({ params: { id }, body: {} }),
    })
  return (
    <>
      {can.cancel && (
        <Button icon={<StopOutlined />} loading={cancel.pending} onClick={ask}>
          {t('cancelAll')}
        </Button>
      )}
      {can.retry && (
        <Button type="primary" icon={<RedoOutlined />} loading={retry.pending} onClick={() => retry.run({ params: { id }, body: {} })}>
          {t('retryAll', { count: failed })}
        </Button>
      )}
    </>
  )
}

/** The decision of a second person on a forced upgrade; the user who asked for it can only withdraw it. */
function Decision({ task: { id, can, counts, versionNumber } }: { task: UpgradeTask }) {
  const { t } = useTranslation('upgrades')
  const approve = useWrite(upgradeCalls.approve, { done: t('approved') })
  const decline = useWrite(upgradeCalls.decline, { done: t('declined') })
  const ask = (decision: 'approve' | 'decline'): void =>
    void modal.confirm({
      title: t(`${decision}Title`),
      content: t(`${decision}Words`, { count: counts.inProgress ?? 0, version: versionNumber }),
      okText: t(decision),
      okButtonProps: { danger: decision === 'decline' },
      cancelText: t('common:cancel'),
      onOk: () => (decision === 'approve' ? approve : decline).run({ params: { id } }),
    })
  return (
    <>
      <Button icon={<CloseOutlined />} loading={decline.pending} onClick={() => ask('decline')}>
        {t('decline')}
      </Button>
      {can.approve && (
        <Button type="primary" icon={<CheckOutlined />} loading={approve.pending} onClick={() => ask('approve')}>
          {t('approve')}
        </Button>
      )}
    </>
  )
}
