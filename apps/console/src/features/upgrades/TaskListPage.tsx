/** Upgrade tasks of the park, the newest first, with how far each is. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { jobState } from '@gatehouse/contract/enums/common'
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import { UPGRADE_APPROVALS } from '@gatehouse/contract/upgrades/states'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useMayOpen } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { useWorkWatch } from '../faces/index.ts'
import { taskAddress } from './addresses.ts'
import { RunningVersions } from './RunningVersions.tsx'
import { useTaskColumns } from './taskColumns.tsx'
import { UpgradesScreen } from './UpgradesScreen.tsx'

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
      <Suspense fallback={null}>{editor.round > 0 && <TaskDialog key={editor.round} editor={editor} kind={shown} />}</Suspense>
    </UpgradesScreen>
  )
}
