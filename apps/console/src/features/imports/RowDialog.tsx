/** The dialog that corrects a row: each reason is shown at its field, and a refused photograph can be replaced. */
import { Alert, Button, Form, Modal, Select } from 'antd'
import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportRow } from '@gatehouse/contract/imports/calls'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { toast } from '../../kit/feedback.tsx'
import type { Editor } from '../../kit/form/useEditor.ts'
import { useFieldWords } from './importWords.ts'
import { RowFields } from './RowFields.tsx'
import { RowPhoto } from './RowPhoto.tsx'
import { inputName, PHOTO, useRowCorrection, type TypedValues } from './useRowCorrection.ts'
import styles from './imports.module.css'
import own from './rows.module.css'

interface RowDialogProps {
  editor: Editor<ImportRow>
  row: ImportRow
  importId: string
  kind: PersonKind
  /** Another refused row, offered as the next one to correct. */
  next: ImportRow | undefined
}

export default function RowDialog({ editor, row: original, importId, kind, next }: RowDialogProps) {
  const { t } = useTranslation('imports')
  const { labelOf } = useFieldWords()
  const formId = useId()
  const [form] = Form.useForm<TypedValues>()
  const body = useRef<HTMLDivElement>(null)
  const correction = useRowCorrection(original, importId)
  const { row, isFixed, isSaving, issueOf } = correction
  const name = row.name || row.workNumber

  async function save(typed: TypedValues, leave: () => void): Promise<void> {
    const saved = await correction.save(typed)
    if (saved === undefined) return
    if (saved.outcome === 'refused') {
      const [first] = saved.issues
      if (first && first.field !== PHOTO) form.getFieldInstance(inputName(first.field))?.focus()
      return
    }
    toast('success', t('corrected'))
    leave()
  }

  async function addGroup(): Promise<void> {
    const saved = await correction.addGroup()
    if (saved === undefined) return
    toast('success', t('groupAdded', { name: saved.groupName }))
    if (saved.outcome !== 'refused') editor.close()
  }

  function focusFirst(): void {
    const input =
      body.current?.querySelector<HTMLElement>('.ant-form-item-has-error input') ??
      body.current?.querySelector<HTMLElement>('input[type="text"]')
    input?.focus()
  }

  return (
    <Modal
      open={editor.open}
      title={row.line === null ? t('rowOf', { name }) : t('rowAt', { line: row.line, name })}
      width={640}
      centered
      destroyOnHidden
      mask={{ closable: false }}
      styles={{ body: { maxHeight: 'calc(100vh - 190px)', overflow: 'hidden auto', margin: '0 -24px', padding: '0 24px' } }}
      onCancel={editor.close}
      afterOpenChange={(open) => open && focusFirst()}
      footer={
        <>
          <Button onClick={editor.close}>{isFixed ? t('upload.close') : t('common:cancel')}</Button>
          {next && !isFixed && (
            <Button loading={isSaving} onClick={() => void save(form.getFieldsValue(), () => editor.edit(next))}>
              {t('saveNext')}
            </Button>
          )}
          {!isFixed && (
            <Button type="primary" htmlType="submit" form={formId} loading={isSaving}>
              {t('common:save')}
            </Button>
          )}
        </>
      }
    >
      <div ref={body} className={own.row}>
        {correction.failure && <Alert type="error" showIcon role="alert" title={correction.failure} />}
        <OtherIssues issues={row.issues.filter(({ field }) => field !== PHOTO && !correction.shown.includes(field))} />
        {(row.photos.length > 0 || issueOf(PHOTO)) && (
          <RowPhoto row={row} importId={importId} reason={issueOf(PHOTO)?.words} done={editor.close} />
        )}
        {isFixed && <p className={styles.words}>{t('photoOnly')}</p>}
        <RowFields
          form={form}
          formId={formId}
          kind={kind}
          correction={correction}
          save={(typed) => void save(typed, editor.close)}
          addGroup={() => void addGroup()}
        />
        {!isFixed && (
          <Select
            className={own.another ?? ''}
            aria-label={t('anotherField')}
            placeholder={t('anotherField')}
            value={null}
            options={correction.addable.map((field) => ({ value: field, label: labelOf(field) }))}
            onChange={correction.addField}
          />
        )}
      </div>
    </Modal>
  )
}

/** Reasons that belong to no field of the form. */
function OtherIssues({ issues }: Pick<ImportRow, 'issues'>) {
  const { labelOf } = useFieldWords()
  if (issues.length === 0) return null
  return (
    <Alert
      type="warning"
      showIcon
      title={issues.map(({ field, words }) => (
        <p key={field}>
          {labelOf(field)}: {words}
        </p>
      ))}
    />
  )
}
