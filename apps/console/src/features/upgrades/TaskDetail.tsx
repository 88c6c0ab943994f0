/** One upgrade: what it brings, how far it is, and each device with its state and, where it failed, why. */
import { RedoOutlined, StopOutlined } from '@ant-design/icons'
import { Button, Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { jobState } from '@gatehouse/contract/enums/common'
import { updateType } from '@gatehouse/contract/enums/devices'
import { upgradeCalls, type UpgradeDevice, type UpgradeTask } from '@gatehouse/contract/upgrades/calls'
import { DetailPage, Facts } from '../../kit/DetailPage.tsx'
import { EnumTag, useEnumLabel, useEnumOptions } from '../../kit/EnumTag.tsx'
import { modal } from '../../kit/feedback.tsx'
import { FilterBar } from '../../kit/FilterBar.tsx'
import { ListTable } from '../../kit/ListTable.tsx'
import { ListTools } from '../../kit/ListTools.tsx'
import { useRead } from '../../kit/query.ts'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { RowMenu, type RowAction } from '../../kit/RowMenu.tsx'
import { Screen } from '../../kit/Screen.tsx'
import { useMayOpen } from '../../kit/session.ts'
import { useWrite } from '../../kit/useWrite.ts'
import { useWorkWatch } from '../faces/index.ts'
import { useCountWords } from './countWords.ts'
import { useTaskDeviceColumns } from './taskDeviceColumns.tsx'
import { useTaskDevices } from './taskDevices.ts'
import styles from './upgrades.module.css'

export function TaskDetail() {
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
  const { id, kind, versionNumber, content, type, md5, file, progress, status, devices, counts, createdAt } = task
  return (
    <Screen
      title={t('detailTitle', { version: versionNumber })}
      note={<EnumTag of={jobState} value={status} />}
      actions={<Actions task={task} />}
    >
      <Progress
        className={styles.progress ?? ''}
        percent={progress}
        strokeColor="var(--accent)"
        aria-label={t('progressOf', { version: versionNumber })}
      />
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

  function actionsOf({ id, state, step }: UpgradeDevice): RowAction[] {
    if (state === jobState.failed) return [{ key: 'retry', label: t('retry'), run: () => retry.run({ params, body: { rowId: id } }) }]
    if (state === jobState.inProgress && step !== 'installing')
      return [{ key: 'cancel', label: t('cancel'), danger: true, run: () => cancel.run({ params, body: { rowId: id } }) }]
    return []
  }
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
          actions: (row: UpgradeDevice) => {
            const actions = actionsOf(row)
            return actions.length > 0 && <RowMenu name={row.name} actions={actions} />
          },
        })}
      />
    </>
  )
}

function Actions({ task: { id, counts, versionId } }: { task: UpgradeTask }) {
  const { t } = useTranslation('upgrades')
  const retry = useWrite(upgradeCalls.retry, { done: t('retried') })
  const cancel = useWrite(upgradeCalls.cancel, { done: t('cancelled') })
  const mayUpgrade = useMayOpen({ permission: 'device.upgrade', condition: 'installation' })
  if (!mayUpgrade) return null
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
      {open > 0 && (
        <Button icon={<StopOutlined />} loading={cancel.pending} onClick={ask}>
          {t('cancelAll')}
        </Button>
      )}
      {failed > 0 && versionId !== null && (
        <Button type="primary" icon={<RedoOutlined />} loading={retry.pending} onClick={() => retry.run({ params: { id }, body: {} })}>
          {t('retryAll', { count: failed })}
        </Button>
      )}
    </>
  )
}
