/** Many visitors invited from a spreadsheet: the template, the upload, how far it is, and the rows that were refused. */
import { DownloadOutlined, UploadOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Modal, Progress, Upload } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { VISIT_IMPORT_ROWS_MAX, visitorImportCalls, type VisitImport } from '@gatehouse/contract/visitors/imports'
import { readAfter, readOptions } from '../../../api/query.ts'
import { Refusal, sentenceOf } from '../../../api/refusal.ts'
import { request } from '../../../api/request.ts'
import { saveFile } from '../../../api/saveFile.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { ListError } from '../../../kit/list/ListStates.tsx'
import styles from './desk.module.css'

const WIDTH = 720
/** Milliseconds between readings of an import that runs. */
const PACE = 1000

interface ImportDialogProps {
  open: boolean
  close: () => void
}

export default function ImportDialog({ open, close }: ImportDialogProps) {
  const { t } = useTranslation('visitors')
  const [id, setId] = useState<string>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [reading, setReading] = useState(false)
  async function take(file: File): Promise<void> {
    setReading(true)
    setRefusal(undefined)
    setId(undefined)
    try {
      setId((await request(visitorImportCalls.create, { file }, { errors: 'inline' })).id)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setRefusal(error)
    } finally {
      setReading(false)
    }
  }
  return (
    <Modal open={open} centered width={WIDTH} title={t('imports.title')} onCancel={close} footer={null}>
      <p className={styles.importWords}>{t('imports.words', { count: VISIT_IMPORT_ROWS_MAX })}</p>
      <div className={styles.importTools}>
        <Button icon={<DownloadOutlined />} onClick={() => void request(visitorImportCalls.template, {}).then(saveFile, () => {})}>
          {t('imports.template')}
        </Button>
        <Upload
          accept=".xlsx,.csv"
          showUploadList={false}
          disabled={reading}
          beforeUpload={(file) => {
            void take(file)
            return false
          }}
        >
          <Button type="primary" icon={<UploadOutlined />} loading={reading}>
            {t(reading ? 'imports.reading' : 'imports.choose')}
          </Button>
        </Upload>
      </div>
      {refusal && <Alert type="error" showIcon title={sentenceOf(refusal)} />}
      {id !== undefined && <Progressing key={id} id={id} />}
    </Modal>
  )
}

/** How far an import is. */
function Progressing({ id }: { id: string }) {
  const { t } = useTranslation('visitors')
  const cache = useQueryClient()
  const found = useQuery({
    ...readOptions(visitorImportCalls.read, { query: { id } }),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? PACE : false),
  })
  const cancel = useWrite(visitorImportCalls.cancel)
  const { data, refetch } = found
  const isRunning = data?.state === 'running'
  useEffect(() => {
    // The list shows who was invited meanwhile.
    if (isRunning) return () => void readAfter(cache, visitorImportCalls.cancel)
    return undefined
  }, [isRunning, cache])
  if (data === undefined) return found.isError ? <ListError error={found.error} retry={() => void refetch()} /> : null
  const done = data.total - data.waiting
  return (
    <div className={styles.import}>
      <Progress
        percent={Math.floor((done / Math.max(data.total, 1)) * 100)}
        status={isRunning ? 'active' : 'normal'}
        aria-label={t('imports.title')}
      />
      <p role="status">
        {isRunning ? t('imports.running', { done, total: data.total }) : t(`imports.${data.state}`)}
        {' · '}
        {t('imports.invited', { count: data.invited })}
        {data.existing > 0 && ` · ${t('imports.existing', { count: data.existing })}`}
        {data.refused > 0 && ` · ${t('imports.refused', { count: data.refused })}`}
      </p>
      {isRunning && (
        <Button loading={cancel.pending} onClick={() => cancel.run({ body: { id } })}>
          {t('imports.cancel')}
        </Button>
      )}
      <RefusedRows rows={data.rows} />
    </div>
  )
}

function RefusedRows({ rows }: Pick<VisitImport, 'rows'>) {
  const { t } = useTranslation('visitors')
  if (rows.length === 0) return null
  return (
    <table className={styles.importRows}>
      <thead>
        <tr>
          <th scope="col">{t('imports.line')}</th>
          <th scope="col">{t('imports.name')}</th>
          <th scope="col">{t('imports.why')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ line, name, issues }) => (
          <tr key={line}>
            <td>{line}</td>
            <td>{name}</td>
            <td>
              {issues.map(({ field, column, words }) => (
                <div key={`${field} ${words}`}>{column === '' ? words : t('imports.issue', { column, words })}</div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
