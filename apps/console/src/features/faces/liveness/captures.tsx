/** Captures for trying the liveness check: their upload, and their list. */
import { LoadingOutlined, PictureOutlined, UserOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Progress } from 'antd'
import { useState, type DragEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CAPTURE_LABELS, faceLivenessCalls, type LivenessCapture } from '@gatehouse/contract/faces/liveness'
import { readAfter } from '../../../api/query.ts'
import { Refusal, sentenceOf } from '../../../api/refusal.ts'
import { request } from '../../../api/request.ts'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { useList, type RowOf } from '../../../kit/list/useList.ts'
import { useUndo } from '../../../kit/list/useUndo.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { livenessInWords } from '../rates.ts'
import styles from './liveness.module.css'

const ACCEPT = 'image/jpeg,image/png,image/webp,image/bmp'

/** The upload of captures of persons and of pictures held up, many at once. Each is scored, and its picture is not stored. */
export function CaptureUpload() {
  const { t } = useTranslation('faces')
  const { upload, running, failures, dismiss } = useCaptureUpload()
  return (
    <>
      <div className={styles.drops}>
        <DropZone
          label="genuine"
          icon={<UserOutlined />}
          busy={running?.label === 'genuine'}
          disabled={running !== undefined}
          take={(files) => void upload('genuine', files)}
        />
        <DropZone
          label="spoof"
          icon={<PictureOutlined />}
          busy={running?.label === 'spoof'}
          disabled={running !== undefined}
          take={(files) => void upload('spoof', files)}
        />
      </div>
      {running && (
        <Progress
          strokeColor="var(--accent)"
          aria-label={t('capture.uploading')}
          percent={Math.floor((running.done / running.total) * 100)}
          format={() => `${running.done} / ${running.total}`}
        />
      )}
      {failures.length > 0 && (
        <Alert
          type="warning"
          showIcon
          role="alert"
          closable={{ onClose: dismiss }}
          title={t('capture.notTaken', { count: failures.length })}
          description={
            <ul className={styles.failures}>
              {failures.map(({ name, reason }, at) => (
                <li key={at}>
                  <b>{name}</b> {reason}
                </li>
              ))}
            </ul>
          }
        />
      )}
    </>
  )
}

interface DropZoneProps {
  label: Label
  icon: ReactNode
  busy: boolean
  disabled: boolean
  take: (files: File[]) => void
}

function DropZone({ label, icon, busy, disabled, take }: DropZoneProps) {
  const { t } = useTranslation('faces')
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    if (!disabled && event.dataTransfer.files.length > 0) take([...event.dataTransfer.files])
  }
  return (
    <label className={styles.drop} data-over={over || undefined}>
      {busy ? <LoadingOutlined /> : icon}
      <b>{t(`capture.add.${label}`)}</b>
      <small>{t(`capture.hint.${label}`)}</small>
      {/* Covers the field, so that files can be dropped anywhere on it. */}
      <input
        type="file"
        multiple
        accept={ACCEPT}
        disabled={disabled}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(!disabled)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          target.value = ''
          if (files.length > 0) take(files)
        }}
      />
    </label>
  )
}

type Label = LivenessCapture['label']
interface Failure {
  name: string
  reason: string
}

/** Send captures one after the other. A refused one is listed and does not stop the others. */
function useCaptureUpload() {
  const cache = useQueryClient()
  const [running, setRunning] = useState<{ label: Label; done: number; total: number }>()
  const [failures, setFailures] = useState<Failure[]>([])

  async function upload(label: Label, files: File[]): Promise<void> {
    setFailures([])
    for (const [done, file] of files.entries()) {
      setRunning({ label, done, total: files.length })
      try {
        await request(faceLivenessCalls.add, { body: { label }, file }, { errors: 'inline' })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        setFailures((before) => [...before, { name: file.name, reason: sentenceOf(error) }])
      }
    }
    setRunning(undefined)
    await readAfter(cache, faceLivenessCalls.add)
  }
  return { upload, running, failures, dismiss: () => setFailures([]) }
}

type Row = RowOf<typeof faceLivenessCalls.captures>

/** Captures with a label, which can be removed where it is wrong. */
export function CaptureList() {
  const { t } = useTranslation('faces')
  const list = useList(faceLivenessCalls.captures, { name: 'livenessCaptures' })
  const undoable = useUndo()
  const remove = useWrite(faceLivenessCalls.remove, { done: t('capture.removed') })
  const removeAll = (ids: string[]): void => {
    list.setSelected([])
    undoable(t('capture.removing', { count: ids.length }), () => remove.run({ body: { ids } }))
  }
  const columns = columnsOf<Row>([
    {
      field: 'label',
      title: t('capture.label'),
      width: 140,
      visibility: 'always',
      render: ({ label }) => <StatusTag status={label === 'genuine' ? 'ok' : 'bad'}>{t(`trial.${label}`)}</StatusTag>,
    },
    { field: 'score', title: t('capture.score'), width: 120, visibility: 'always', render: ({ score }) => livenessInWords(score) },
    { field: 'source', title: t('capture.source'), width: 160, render: ({ source }) => t(`capture.sources.${source}`) },
    { field: 'createdAt', title: t('capture.time'), width: 140, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { field: 'modelId', title: t('engine.model'), width: 180, visibility: 'hidden' },
  ])
  return (
    <>
      <FilterBar
        list={list}
        filters={[
          { field: 'label', label: t('capture.label'), options: CAPTURE_LABELS.map((value) => ({ value, label: t(`trial.${value}`) })) },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('capture.none') }}
        bulk={(ids) => (
          <Button size="small" danger onClick={() => removeAll(ids)}>
            {t('capture.remove')}
          </Button>
        )}
      />
    </>
  )
}
