/** Conflicts of visitor machines that nobody has seen to, each with what happened and why the visit did not allow it. */
import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { machineConflictCalls, type MachineConflict } from '@gatehouse/contract/visitors/machine-conflicts'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { RowMenu } from '../../../kit/list/RowMenu.tsx'
import { useLocalList } from '../../../kit/list/useLocalList.ts'
import styles from './desk.module.css'

const WIDTH = 860

interface MachineConflictsDialogProps {
  open: boolean
  close: () => void
  mayChange: boolean
  /** Opens a visit beside the list. */
  show: (visitId: string) => void
}

export default function MachineConflictsDialog({ open, close, mayChange, show }: MachineConflictsDialogProps) {
  const { t } = useTranslation('visitors')
  const showVisit = (visitId: string): void => {
    close()
    show(visitId)
  }
  return (
    <Modal open={open} centered width={WIDTH} title={t('conflicts.title')} destroyOnHidden onCancel={close} footer={null}>
      <p className={styles.conflictWords}>{t('conflicts.words')}</p>
      <Conflicts mayChange={mayChange} showVisit={showVisit} />
    </Modal>
  )
}

function Conflicts({ mayChange, showVisit }: { mayChange: boolean; showVisit: (visitId: string) => void }) {
  const { t } = useTranslation('visitors')
  const reasonOf = useReasons()
  const list = useLocalList(machineConflictCalls.list, { name: 'machineConflicts' })
  const settle = useWrite(machineConflictCalls.settle, { done: t('conflicts.settled'), onDone: () => list.setSelected([]) })
  const nameOf = ({ visitorName }: MachineConflict): string => visitorName || t('conflicts.unknown')
  const columns = columnsOf<MachineConflict>([
    { field: 'visitorName', title: t('visitor'), width: 128, visibility: 'always', render: nameOf },
    { field: 'kind', title: t('conflicts.what'), width: 100, render: ({ kind }) => t(`conflicts.kinds.${kind}`) },
    { field: 'deviceName', title: t('conflicts.machine'), width: 120 },
    { field: 'occurredAt', title: t('conflicts.when'), width: 112, render: ({ occurredAt }) => <RelativeTime at={occurredAt} /> },
    { field: 'reason', title: t('conflicts.why'), width: 250, render: reasonOf },
  ])
  return (
    <ListTable
      list={list}
      columns={columns}
      empty={{ title: t('conflicts.none') }}
      onOpen={({ visitId }) => visitId !== null && showVisit(visitId)}
      actions={(conflict) => (
        <RowMenu
          name={nameOf(conflict)}
          actions={[
            { key: 'visit', label: t('showVisit'), allowed: conflict.visitId !== null, run: () => showVisit(conflict.visitId!) },
            { key: 'settle', label: t('conflicts.settle'), allowed: mayChange, run: () => settle.run({ body: { ids: [conflict.id] } }) },
          ]}
        />
      )}
      {...(mayChange && {
        bulk: (ids: string[]) => (
          <Button loading={settle.pending} onClick={() => settle.run({ body: { ids } })}>
            {t('conflicts.settle')}
          </Button>
        ),
      })}
    />
  )
}

/** Return a function that says why a visit did not allow what happened. */
function useReasons(): (conflict: MachineConflict) => string {
  const { t } = useTranslation('visitors')
  const label = useEnumLabel()
  return ({ reason, kind, status }) => {
    if (reason === 'card') return t(`conflicts.cards.${kind}`)
    return t(`conflicts.reasons.${reason}`, { status: status === null ? '' : label(visitorStatus, status) })
  }
}
