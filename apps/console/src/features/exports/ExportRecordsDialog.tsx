/** Which records, in which file; they are made in the background, and the list of exports has them. */
import { Alert, Modal, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { SERVER_EXPORT_RECORDS } from '@gatehouse/contract'
import { EXPORT_FORMATS, exportCalls, type ExportFormat } from '@gatehouse/contract/exports/calls'
import { sentenceOf, sentenceOfIssue, type Refusal } from '../../kit/refusal.ts'
import type { Editor } from '../../kit/useEditor.ts'
import { useWrite } from '../../kit/useWrite.ts'
import { path } from '../../paths.ts'
import type { ExportedList } from './ExportRecords.tsx'
import styles from './exports.module.css'

interface ExportRecordsDialogProps {
  editor: Pick<Editor<never>, 'open' | 'close'>
  list: ExportedList
}

export default function ExportRecordsDialog({ editor, list: { query, filtered, total, totalExact } }: ExportRecordsDialogProps) {
  const { t, i18n } = useTranslation('exports')
  const { t: errors } = useTranslation('errors')
  const [format, setFormat] = useState<ExportFormat>('xlsx')
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [isAsked, setAsked] = useState(false)
  const start = useWrite(exportCalls.accessRecord, { errors: 'inline', onDone: () => setAsked(true) })

  // Beyond what the list counts only the server knows.
  const hindrance = total === 0 ? 'EXPORT_EMPTY' : totalExact && total > SERVER_EXPORT_RECORDS ? 'EXPORT_TOO_MANY' : null
  const number = (value: number): string => value.toLocaleString(i18n.language)
  const which = totalExact
    ? t(filtered ? 'allFiltered' : 'all', { count: total, n: number(total) })
    : t(filtered ? 'moreFiltered' : 'more', { n: number(total - 1) })
  const begin = (): void => {
    setRefusal(null)
    start.send({ body: { ...query, format } }).catch((error: unknown) => setRefusal(error as Refusal))
  }

  return (
    <Modal
      open={editor.open}
      title={t('dialogTitle')}
      width={480}
      centered
      destroyOnHidden
      mask={{ closable: isAsked }}
      okText={t('start')}
      cancelText={t('close')}
      okButtonProps={{ disabled: hindrance !== null, ...(isAsked && { style: { display: 'none' } }) }}
      confirmLoading={start.pending}
      onOk={begin}
      onCancel={editor.close}
    >
      {isAsked ? (
        <div className={styles.form}>
          <Alert
            type="success"
            showIcon
            role="status"
            title={t('asked')}
            description={
              <Link to={path('exportRecord')} onClick={editor.close}>
                {t('toList')}
              </Link>
            }
          />
        </div>
      ) : (
        <div className={styles.form}>
          <p>{which}</p>
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
      )}
    </Modal>
  )
}

/** A refused export names its reason in the field that is none. */
const wordsOf = (refusal: Refusal): string => {
  const [issue] = refusal.fields
  return issue ? sentenceOfIssue(issue) : sentenceOf(refusal)
}
