/** What visitors did at visitor machines against the state of their visits: a line above the list, and a dialog to see to it. */
import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { machineConflictCalls } from '@gatehouse/contract/visitors/machine-conflicts'
import { readOptions } from '../../../api/query.ts'
import styles from './desk.module.css'

const MachineConflictsDialog = lazy(() => import('./MachineConflictsDialog.tsx'))

/** Milliseconds between two readings of the number. */
const PACE = 5000

interface MachineConflictsProps {
  mayChange: boolean
  /** Opens a visit beside the list. */
  show: (visitId: string) => void
}

export function MachineConflicts({ mayChange, show }: MachineConflictsProps) {
  const { t } = useTranslation('visitors')
  const [{ open, used }, setDialog] = useState({ open: false, used: false })
  const { data } = useQuery({ ...readOptions(machineConflictCalls.list, { query: { page: 1, size: 1 } }), refetchInterval: PACE })
  const count = data?.total ?? 0
  return (
    <>
      {count > 0 && (
        <Alert
          type="warning"
          showIcon
          role="status"
          className={styles.conflicts ?? ''}
          title={t('conflicts.notice', { count })}
          action={
            <Button size="small" onClick={() => setDialog({ open: true, used: true })}>
              {t('conflicts.open')}
            </Button>
          }
        />
      )}
      <Suspense fallback={null}>
        {used && (
          <MachineConflictsDialog open={open} close={() => setDialog({ open: false, used: true })} mayChange={mayChange} show={show} />
        )}
      </Suspense>
    </>
  )
}
