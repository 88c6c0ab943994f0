/** /faceReport: error rates measured on the park's own photographs, report by report. */
import { DeleteOutlined, StopOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { faceReportCalls, type MeasuredRate } from '@gatehouse/contract/faces/report'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { modal } from '../../../kit/feedback.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { useList, type RowOf } from '../../../kit/list/useList.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { path } from '../../../paths.ts'
import { FacesScreen } from '../FacesScreen.tsx'
import { useRateWords } from '../rates.ts'
import { isUnderWay, useWorkWatch } from '../useWorkWatch.ts'
import { WorkTag } from '../WorkTag.tsx'
import styles from '../faces.module.css'

type Row = RowOf<typeof faceReportCalls.list>

export default function ReportListPage() {
  const { t } = useTranslation('faces')
  const navigate = useNavigate()
  const { offset } = useZoneOffset()
  const list = useList(faceReportCalls.list, { name: 'faceReports' })
  const busy = list.rows.some(({ work }) => isUnderWay(work))
  useWorkWatch(busy, faceReportCalls.list)
  const columns = useReportColumns()
  const start = useWrite(faceReportCalls.start, { onDone: ({ id }) => void navigate(path('faceReportDetail', { id })) })
  const cancel = useWrite(faceReportCalls.cancel, { done: t('report.cancelled') })
  const remove = useWrite(faceReportCalls.delete, { done: t('report.deleted') })
  const askRemove = ({ id, createdAt }: Row): void =>
    modal.confirm({
      title: t('report.deleteTitle', { time: formatInstant(createdAt, offset) }),
      content: t('report.deleteWords'),
      okText: t('report.delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => remove.run({ params: { id } }),
    })
  const measure = (
    <Button type="primary" disabled={busy} loading={start.pending} onClick={() => start.run({ body: {} })}>
      {t('report.measure')}
    </Button>
  )
  return (
    <FacesScreen tab="faceReport" actions={measure}>
      <div className={styles.above}>
        <p className={styles.words}>{t('report.words')}</p>
        <ListTools list={list} columns={columns} />
      </div>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('report.none') }}
        onOpen={({ id }) => void navigate(path('faceReportDetail', { id }))}
        actions={(row) =>
          isUnderWay(row.work) ? (
            <Button
              type="text"
              aria-label={t('report.cancel')}
              title={t('report.cancel')}
              icon={<StopOutlined />}
              onClick={() => cancel.run({ params: { id: row.id }, body: {} })}
            />
          ) : (
            <Button
              type="text"
              aria-label={t('report.deleteOf', { time: formatInstant(row.createdAt, offset) })}
              title={t('report.delete')}
              icon={<DeleteOutlined />}
              onClick={() => askRemove(row)}
            />
          )
        }
      />
    </FacesScreen>
  )
}

function useReportColumns() {
  const { t } = useTranslation('faces')
  const { number, rarely, often, between } = useRateWords()
  const measured = (rate: MeasuredRate | null, say: 'rarely' | 'often') =>
    rate && (
      <span className={styles.two}>
        <span>{say === 'rarely' ? rarely(rate.rate) : often(rate.rate)}</span>
        <small>{between(rate, say)}</small>
      </span>
    )
  return columnsOf<Row>([
    {
      field: 'createdAt',
      title: t('report.time'),
      width: 110,
      visibility: 'always',
      render: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    { field: 'work', title: t('report.state'), width: 150, visibility: 'always', render: ({ work }) => <WorkTag work={work} /> },
    {
      field: 'falseMatch',
      title: t('error.stranger'),
      width: 190,
      visibility: 'always',
      render: ({ falseMatch }) => measured(falseMatch, 'rarely'),
    },
    {
      field: 'falseNonMatch',
      title: t('error.own'),
      width: 190,
      visibility: 'always',
      render: ({ falseNonMatch }) => measured(falseNonMatch, 'often'),
    },
    {
      field: 'persons',
      title: t('report.gallery'),
      width: 130,
      render: ({ persons, photos, demoPhotos }) => (
        <span className={styles.two}>
          <span>{t('report.persons', { count: persons, n: number(persons) })}</span>
          <small>{t('report.photos', { count: photos, n: number(photos) })}</small>
          {demoPhotos > 0 && <small>{t('report.ofDemo', { count: demoPhotos, n: number(demoPhotos) })}</small>}
        </span>
      ),
    },
    { field: 'modelId', title: t('engine.model'), width: 140, visibility: 'hidden' },
  ])
}
