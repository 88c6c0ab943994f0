/** The dialog that exports records to a file, made in the background and downloaded automatically. The list of exports has it, too. */
import { DownloadOutlined } from '@ant-design/icons'
import { Alert, Button, Modal, Progress, Radio } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { SERVER_EXPORT_RECORDS } from '@gatehouse/contract'
import { exportStatus } from '@gatehouse/contract/enums/common'
import { EXPORT_FORMATS, exportCalls, type ExportFormat, type ExportTask } from '@gatehouse/contract/exports/calls'
import type { AnyCall, PartsOf } from '../../api/http.ts'
import { useRead } from '../../api/query.ts'
import type { Period } from '../../kit/list/range.ts'
import { RangeField } from '../../kit/list/RangeField.tsx'
import { sentenceOf, sentenceOfIssue, type Refusal } from '../../api/refusal.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { path } from '../../paths.ts'
import { feedback } from '../../kit/feedback.tsx'
import { useWorkWatch } from '../faces/index.ts'
import type { ExportedList, ExportSource } from './exportedList.ts'
import { useDownload } from './useDownload.ts'
import styles from './exports.module.css'

interface Counted {
  total: number
  totalExact?: boolean
}
interface ExportRecordsDialogProps {
  editor: Pick<Editor<never>, 'open' | 'close'>
  list: ExportedList
  source: ExportSource
}

export default function ExportRecordsDialog({
  editor,
  list: { query, filtered, total, totalExact },
  source: { start: call, list, title, days },
}: ExportRecordsDialogProps) {
  const { t } = useTranslation('exports')
  const { t: errors } = useTranslation('errors')
  const [format, setFormat] = useState<ExportFormat>('xlsx')
  const [period, setPeriod] = useState<Period>()
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [id, setId] = useState<string>()
  const start = useWrite<AnyCall>(call, { errors: 'inline', onDone: (created) => setId((created as { id: string }).id) })
  const made = useExport(id, editor.open)

  const filters: Period = { ...query, ...period }
  // The list has counted records of its own period only.
  const recount = useRead<AnyCall>(list, { body: { ...filters, size: 1 } } as PartsOf<AnyCall>, { enabled: period !== undefined })
  const counted = period === undefined ? { total, totalExact } : (recount.data as Counted | undefined)
  // Where the count of the list is not exact, only the server can find out whether there are too many records.
  const hindrance =
    counted?.total === 0 ? 'EXPORT_EMPTY' : counted?.totalExact && counted.total > SERVER_EXPORT_RECORDS ? 'EXPORT_TOO_MANY' : null
  const begin = (): void => {
    setRefusal(null)
    start.send({ body: { ...filters, format } } as PartsOf<AnyCall>).catch((error: unknown) => setRefusal(error as Refusal))
  }

  return (
    <Modal
      open={editor.open}
      title={title}
      width={480}
      centered
      destroyOnHidden
      mask={{ closable: id !== undefined }}
      okText={t('start')}
      cancelText={t('close')}
      okButtonProps={{ disabled: hindrance !== null, ...(id !== undefined && { style: { display: 'none' } }) }}
      confirmLoading={start.pending}
      onOk={begin}
      onCancel={editor.close}
    >
      {id === undefined ? (
        <div className={styles.form}>
          <RangeField
            unset={days}
            value={filters}
            onChange={({ startTime, endTime }) => {
              setRefusal(null)
              setPeriod({ startTime, endTime })
            }}
          />
          <p role="status">{counted ? <Which filtered={filtered} {...counted} /> : t('counting')}</p>
          <fieldset disabled={start.pending}>
            <legend>{t('format')}</legend>
            <Radio.Group
              className={styles.choices ?? ''}
              value={format}
              onChange={({ target }) => setFormat(target.value as ExportFormat)}
              options={EXPORT_FORMATS.map((value) => ({ value, label: t(`formatOf.${value}`) }))}
            />
          </fieldset>
          <p className={styles.words}>{t('dialogWords')}</p>
          {hindrance && <Alert type="warning" showIcon title={errors(`client.${hindrance}`)} />}
          {refusal && <Alert type="error" showIcon title={wordsOf(refusal)} />}
        </div>
      ) : (
        <div className={styles.form}>
          <Making title={title} {...made} />
          <Link to={path('exportRecord')} onClick={editor.close}>
            {t('toList')}
          </Link>
        </div>
      )}
    </Modal>
  )
}

/** The number of records. */
function Which({ filtered, total, totalExact = true }: { filtered: boolean; total: number; totalExact?: boolean | undefined }) {
  const { t, i18n } = useTranslation('exports')
  const number = (value: number): string => value.toLocaleString(i18n.language)
  return totalExact
    ? t(filtered ? 'allFiltered' : 'all', { count: total, n: number(total) })
    : t(filtered ? 'moreFiltered' : 'more', { n: number(total - 1) })
}

/** The progress of the file, and its outcome. */
function Making({ title, task, download, downloading }: ReturnType<typeof useExport> & { title: string }) {
  const { t } = useTranslation('exports')
  if (task?.status === exportStatus.exported)
    return (
      <Alert
        type="success"
        showIcon
        role="status"
        title={t('ready')}
        description={
          <div className={styles.ready}>
            <span>{task.fileName}</span>
            <Button icon={<DownloadOutlined />} loading={downloading} onClick={download}>
              {t('downloadIt')}
            </Button>
          </div>
        }
      />
    )
  if (task?.status === exportStatus.failed) return <Alert type="error" showIcon title={t(`reason.${task.reason ?? 'fault'}`)} />
  const { done, total } = task ?? { done: 0, total: 0 }
  return (
    <>
      <Alert type="info" showIcon role="status" title={t('asked')} description={t('comes')} />
      <Progress
        showInfo={false}
        percent={total === 0 ? 0 : Math.floor((done / total) * 100)}
        strokeColor="var(--accent)"
        aria-label={t('progressOf', { name: task?.fileName ?? title })}
      />
    </>
  )
}

/** Return the reason for a refused export, which is an issue without a field. */
const wordsOf = (refusal: Refusal): string => {
  const [issue] = refusal.fields
  return issue ? sentenceOfIssue(issue) : sentenceOf(refusal)
}

/** Seconds for which a finished file is offered in a notice. */
const OFFERED = 30

interface Export {
  task: ExportTask | undefined
  download: () => void
  downloading: boolean
}

/**
 * Follow one export from its start to its file.
 * @param id undefined before the start
 * @param watched whether its progress is on screen: then the file is downloaded automatically, otherwise offered in a notice
 */
function useExport(id: string | undefined, watched: boolean): Export {
  const { t } = useTranslation('exports')
  const { download, pending } = useDownload()
  const { data: task, isError } = useRead(exportCalls.progress, { query: { id: id ?? '' } }, { enabled: id !== undefined })
  const isReady = task?.status === exportStatus.exported
  const isOver = isReady || task?.status === exportStatus.failed
  useWorkWatch(id !== undefined && !isOver && !isError, exportCalls.progress)
  const give = useEffectEvent((ready: string): void => {
    if (watched) return download(ready)
    void feedback().then(({ notification }) =>
      notification.success({
        key: ready,
        title: t('ready'),
        description: task?.fileName,
        duration: OFFERED,
        actions: (
          <Button
            type="primary"
            size="small"
            onClick={() => {
              notification.destroy(ready)
              download(ready)
            }}
          >
            {t('downloadIt')}
          </Button>
        ),
      }),
    )
  })
  // Only once for each file, however often its task is read again.
  const ready = isReady ? id : undefined
  useEffect(() => {
    if (ready !== undefined) give(ready)
  }, [ready])
  return { task, download: () => id !== undefined && download(id), downloading: pending }
}
