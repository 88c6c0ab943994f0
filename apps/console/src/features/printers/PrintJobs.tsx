/** The latest print jobs of the park, with why one is not printed, and what can be done. */
import { Table } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { printerCalls, type PrintJob, type PrintJobState } from '@gatehouse/contract/printers/calls'
import { useRead } from '../../api/query.ts'
import { request } from '../../api/request.ts'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { Cell } from '../../kit/list/columns.tsx'
import { RowMenu, type RowAction } from '../../kit/list/RowMenu.tsx'
import { printDocument } from './printDocument.ts'
import styles from './printers.module.css'

const SHOWN = 20
/** Milliseconds between reads while a job is open. */
const READ_EVERY_MS = 2_000
const STATUS = { waiting: 'wait', printing: 'info', printed: 'ok', failed: 'bad', cancelled: 'off' } as const satisfies Record<
  PrintJobState,
  string
>

export function PrintJobs() {
  const { t } = useTranslation('printers')
  const jobs = useRead(printerCalls.jobs, { query: { size: SHOWN } })
  const retry = useWrite(printerCalls.retry, { done: t('job.retried') })
  const cancel = useWrite(printerCalls.cancel, { done: t('job.cancelled') })
  const { data, refetch } = jobs
  const isOpen = data?.content.some(({ state }) => state === 'waiting' || state === 'printing') === true
  useEffect(() => {
    if (!isOpen) return
    const timer = setInterval(() => void refetch(), READ_EVERY_MS)
    return () => clearInterval(timer)
  }, [isOpen, refetch])

  const nameOf = ({ visitId, visitName }: PrintJob): string => (visitId === null ? t('job.test') : visitName)
  const actionsOf = ({ id, can }: PrintJob): RowAction[] => [
    {
      key: 'open',
      label: t('job.open'),
      allowed: can.open,
      // A refusal has been shown already.
      run: () =>
        void request(printerCalls.file, { query: { id } }, { errors: 'toast' }).then(
          ({ blob }) => printDocument(blob),
          () => {},
        ),
    },
    { key: 'retry', label: t('job.retry'), allowed: can.retry, run: () => retry.run({ body: { id } }) },
    { key: 'cancel', label: t('job.cancel'), danger: true, allowed: can.cancel, run: () => cancel.run({ body: { id } }) },
  ]
  return (
    <section className={styles.jobs} aria-labelledby="print-jobs">
      <h2 id="print-jobs">{t('job.title')}</h2>
      <Table<PrintJob>
        rowKey="id"
        size="small"
        loading={jobs.isPending}
        dataSource={data?.content ?? []}
        pagination={false}
        scroll={{ x: 'max-content' }}
        locale={{ emptyText: t('job.none') }}
        columns={[
          { key: 'visitName', title: t('job.what'), render: (_, job) => <Cell>{nameOf(job)}</Cell> },
          { key: 'printerName', title: t('printer'), dataIndex: 'printerName' },
          { key: 'media', title: t('mediaLabel'), render: (_, { media }) => t(`media.${media}`) },
          {
            key: 'state',
            title: t('job.stateLabel'),
            render: (_, { state, reason }) => (
              <>
                <StatusTag status={STATUS[state]}>{t(`job.state.${state}`)}</StatusTag> {reason !== null && t(`reason.${reason}`)}
              </>
            ),
          },
          { key: 'createdAt', title: t('job.time'), render: (_, { createdAt }) => <RelativeTime at={createdAt} /> },
          { key: 'actions', title: t('common:list.actions'), render: (_, job) => <RowMenu name={nameOf(job)} actions={actionsOf(job)} /> },
        ]}
      />
    </section>
  )
}
