/** Exports persons: the choice of persons and format, then the progress. */
import { Alert, Modal, Progress, Radio } from 'antd'
import { useState, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { SERVER_EXPORT_RECORDS, type InputOf } from '@gatehouse/contract'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { sentenceOf, sentenceOfIssue, Refusal } from '../../../api/refusal.ts'
import { toast } from '../../../kit/feedback.tsx'
import { request } from '../../../api/request.ts'
import { saveFile } from '../../../api/saveFile.ts'
import type { ExportedPersons } from './exportedPersons.ts'
import styles from './export.module.css'

interface ExportDialogProps {
  open: boolean
  close: () => void
  list: ExportedPersons
  kind: PersonKind
}
type ExportRange = 'chosen' | 'all'
type Format = 'xlsx' | 'csv'

export default function ExportDialog({ open, close, list, kind }: ExportDialogProps) {
  const { t } = useTranslation('people')
  const { t: errors } = useTranslation('errors')
  const { selected, total, filtered, query } = list
  const [range, setRange] = useState<ExportRange>(selected.length > 0 ? 'chosen' : 'all')
  const [format, setFormat] = useState<Format>('xlsx')
  const { running, refusal, start, stop } = useExport(close)

  const hindrance = range === 'chosen' ? null : hindranceOf(total)
  const begin = (): void => {
    const { page: _page, size: _size, ...filter } = query
    start({ ...filter, kind, format, ids: range === 'chosen' ? selected : undefined })
  }
  const leave = (): void => {
    stop()
    close()
  }

  return (
    <Modal
      open={open}
      title={t('export.title')}
      width={480}
      centered
      destroyOnHidden
      mask={{ closable: false }}
      okText={t('export.start')}
      cancelText={running ? t('export.stop') : t('export.close')}
      okButtonProps={{ disabled: hindrance !== null || running !== null }}
      onOk={begin}
      onCancel={running ? stop : leave}
    >
      <div className={styles.form}>
        <fieldset disabled={running !== null}>
          <legend>{t('export.who')}</legend>
          <Radio.Group
            className={styles.choices ?? ''}
            value={range}
            onChange={({ target }) => setRange(target.value as ExportRange)}
            options={[
              ...(selected.length > 0 ? [{ value: 'chosen', label: t('export.chosen', { count: selected.length }) }] : []),
              { value: 'all', label: t(filtered ? 'export.allFiltered' : 'export.all', { count: total }) },
            ]}
          />
        </fieldset>
        <fieldset disabled={running !== null}>
          <legend>{t('export.format')}</legend>
          <Radio.Group
            value={format}
            onChange={({ target }) => setFormat(target.value as Format)}
            options={(['xlsx', 'csv'] as const).map((value) => ({ value, label: t(`export.${value}`) }))}
          />
        </fieldset>
        <p className={styles.words}>{t('export.words')}</p>
        {hindrance && <Alert type="warning" showIcon title={errors(`client.${hindrance}`)} />}
        {refusal && <Alert type="error" showIcon title={wordsOf(refusal)} />}
        {running && <Running {...running} />}
      </div>
    </Modal>
  )
}

/** Return why all of a list cannot be exported, as an error of the server; null where it can. */
function hindranceOf(total: number): 'EXPORT_EMPTY' | 'EXPORT_TOO_MANY' | null {
  if (total === 0) return 'EXPORT_EMPTY'
  return total > SERVER_EXPORT_RECORDS ? 'EXPORT_TOO_MANY' : null
}

/** Return the reason of a refused export, which is an issue without a field. */
const wordsOf = (refusal: Refusal): string => {
  const [issue] = refusal.fields
  return issue ? sentenceOfIssue(issue) : sentenceOf(refusal)
}

function Running({ written, total }: { written: number; total: number }) {
  const { t, i18n } = useTranslation('people')
  const number = new Intl.NumberFormat(i18n.language)
  return (
    <div className={styles.running} role="status">
      <Progress percent={total === 0 ? 0 : Math.floor((100 * written) / total)} status="active" aria-label={t('export.title')} />
      <span>
        {total === 0 ? t('export.preparing') : t('export.running', { written: number.format(written), total: number.format(total) })}
      </span>
    </div>
  )
}

/** Milliseconds between two readings of the progress. */
const PAUSE = 400

type ExportQuery = InputOf<(typeof peopleCalls)['export']['query']>
type ExportProgress = { written: number; total: number }

/**
 * Run one export at a time: download its file, read the progress meanwhile, and abort on request.
 * @param done called once the file is saved
 */
function useExport(done: () => void) {
  const { t } = useTranslation('people')
  const [running, setRunning] = useState<ExportProgress | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])

  function watch(id: string, { signal }: AbortController): void {
    const ask = async (): Promise<void> => {
      const progress = await request(peopleCalls.exportProgress, { query: { id } }, { errors: 'silent', signal }).catch(() => null)
      if (signal.aborted) return
      // Null before the first row and after the last one.
      if (progress) setRunning(progress)
      setTimeout(() => void ask(), PAUSE)
    }
    void ask()
  }

  async function run(query: ExportQuery): Promise<void> {
    const controller = new AbortController()
    const watching = new AbortController()
    abort.current = controller
    controller.signal.addEventListener('abort', () => watching.abort(), { once: true })
    setRefusal(null)
    setRunning({ written: 0, total: 0 })
    const progress = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`
    watch(progress, watching)
    try {
      const file = await request(peopleCalls.export, { query: { ...query, progress } }, { errors: 'inline', signal: controller.signal })
      saveFile(file)
      toast('success', t('export.done', { name: file.name }))
      done()
    } catch (error) {
      // An aborted stream is no refusal.
      if (!controller.signal.aborted)
        setRefusal(
          error instanceof Refusal ? error : new Refusal({ family: 'client', code: 'UNREACHABLE', status: 0, message: '', data: {} }),
        )
    } finally {
      watching.abort()
      setRunning(null)
    }
  }

  return { running, refusal, start: (query: ExportQuery) => void run(query), stop: () => abort.current?.abort() }
}
