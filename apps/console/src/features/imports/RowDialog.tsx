/** Corrects a row: each reason stands at its field, and a photograph that was refused can be replaced. */
import { PictureOutlined, PlusOutlined } from '@ant-design/icons'
import { Alert, Button, Form, Modal, Select } from 'antd'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { importCalls, type ImportRow } from '@gatehouse/contract/imports/calls'
import type { PersonKind } from '@gatehouse/contract/people/calls'
import { toast } from '../../kit/feedback.tsx'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { Refusal } from '../../api/refusal.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { FieldInput } from './FieldInput.tsx'
import { useFieldWords } from './importWords.ts'
import { reasonOf } from './useUploads.ts'
import styles from './imports.module.css'

interface RowDialogProps {
  editor: Editor<ImportRow>
  row: ImportRow
  importId: string
  kind: PersonKind
  /** Another refused row, to go on with. */
  next: ImportRow | undefined
}

/** Fields shown in any case; of the others those that were refused, and those asked for. */
const ALWAYS = ['name', 'workNumber', 'groupName', 'phone'] as const
const PHOTO = 'photo'
const PICTURES = 'image/jpeg,image/png,image/webp'

/** Values are named by fields such as `custom.<id>`: a form would take the dot for a step inside. */
const nameOf = (field: string): string => field.replaceAll('.', ':')

export default function RowDialog({ editor, row: given, importId, kind, next }: RowDialogProps) {
  const { t } = useTranslation('imports')
  const { labelOf, fields } = useFieldWords()
  const formId = useId()
  const [form] = Form.useForm<Record<string, string>>()
  const [row, setRow] = useState(given)
  const [added, setAdded] = useState<string[]>([])
  const [failure, setFailure] = useState<string>()
  const inside = useRef<HTMLDivElement>(null)
  // What is done is changed with the person; a photograph without a row has no fields.
  const fixed = row.finished || row.line === null
  const goOn = useRef(false)
  const change = useWrite(importCalls.changeRow, { errors: 'inline' })
  const addGroup = useWrite(importCalls.addGroup, { errors: 'inline' })
  const group = Form.useWatch<string | undefined>('groupName', form)
  const start: Record<string, string> = {
    groupName: given.groupName,
    ...given.values,
    name: given.name,
    workNumber: given.workNumber,
    phone: given.phone,
  }
  const issueOf = (field: string) => row.issues.find((issue) => issue.field === field)
  const shown = [
    ...new Set([...ALWAYS, ...row.issues.map(({ field }) => field).filter((field) => field !== PHOTO && fields.includes(field)), ...added]),
  ]
  const elsewhere = row.issues.filter(({ field }) => field !== PHOTO && !shown.includes(field))

  async function save(typed: Record<string, string | undefined>): Promise<void> {
    setFailure(undefined)
    const changed = shown.filter((field) => (typed[nameOf(field)] ?? '').trim() !== (start[field] ?? ''))
    const values = Object.fromEntries(changed.map((field) => [field, (typed[nameOf(field)] ?? '').trim()]))
    try {
      const now = await change.send({ params: { id: importId }, body: { rowId: row.id, values } })
      setRow(now)
      if (now.outcome === 'refused') {
        const [first] = now.issues
        if (first && first.field !== PHOTO) form.getFieldInstance(nameOf(first.field))?.focus()
        return
      }
      toast('success', t('corrected'))
      if (goOn.current && next) editor.edit(next)
      else editor.close()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setFailure(reasonOf(error))
    }
  }

  /** The group that the row names is added: all rows that name it are right then. */
  async function takeGroup(): Promise<void> {
    setFailure(undefined)
    try {
      const now = await addGroup.send({ params: { id: importId }, body: { rowId: row.id } })
      setRow(now)
      toast('success', t('groupAdded', { name: now.groupName }))
      if (now.outcome !== 'refused') editor.close()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setFailure(reasonOf(error))
    }
  }

  return (
    <Modal
      open={editor.open}
      title={
        row.line === null
          ? t('rowOf', { name: row.name || row.workNumber })
          : t('rowAt', { line: row.line, name: row.name || row.workNumber })
      }
      width={640}
      centered
      destroyOnHidden
      mask={{ closable: false }}
      styles={{ body: { maxHeight: 'calc(100vh - 190px)', overflow: 'hidden auto', margin: '0 -24px', padding: '0 24px' } }}
      onCancel={editor.close}
      afterOpenChange={(open) =>
        open &&
        (
          inside.current?.querySelector<HTMLElement>('.ant-form-item-has-error input') ??
          inside.current?.querySelector<HTMLElement>('input[type="text"]')
        )?.focus()
      }
      footer={
        <>
          <Button onClick={editor.close}>{fixed ? t('upload.close') : t('common:cancel')}</Button>
          {next && !fixed && (
            <Button
              loading={change.pending}
              onClick={() => {
                goOn.current = true
                form.submit()
              }}
            >
              {t('saveNext')}
            </Button>
          )}
          {!fixed && (
            <Button
              type="primary"
              htmlType="submit"
              form={formId}
              loading={change.pending}
              onClick={() => {
                goOn.current = false
              }}
            >
              {t('common:save')}
            </Button>
          )}
        </>
      }
    >
      <div ref={inside} className={styles.row}>
        {failure && <Alert type="error" showIcon role="alert" title={failure} />}
        {elsewhere.length > 0 && (
          <Alert
            type="warning"
            showIcon
            title={elsewhere.map(({ field, words }) => (
              <p key={field}>
                {labelOf(field)}: {words}
              </p>
            ))}
          />
        )}
        {(row.photos.length > 0 || issueOf(PHOTO)) && (
          <RowPhoto row={row} importId={importId} reason={issueOf(PHOTO)?.words} done={editor.close} />
        )}
        {fixed && <p className={styles.words}>{t('photoOnly')}</p>}
        <Form
          form={form}
          id={formId}
          hidden={fixed}
          layout="vertical"
          initialValues={Object.fromEntries(Object.entries(start).map(([field, value]) => [nameOf(field), value]))}
          onFinish={(values: Record<string, string>) => void save(values)}
        >
          <div className={styles.fields}>
            {shown.map((field) => {
              const issue = issueOf(field)
              return (
                <Form.Item
                  key={field}
                  name={nameOf(field)}
                  label={labelOf(field)}
                  {...(issue && { help: issue.words, validateStatus: 'error' as const })}
                  {...(issue?.rule === 'unknownGroup' &&
                    group === row.groupName && {
                      extra: (
                        <Button
                          type="link"
                          size="small"
                          icon={<PlusOutlined />}
                          loading={addGroup.pending}
                          onClick={() => void takeGroup()}
                        >
                          {t('addGroup', { name: row.groupName })}
                        </Button>
                      ),
                    })}
                >
                  <FieldInput field={field} kind={kind} wrong={issue !== undefined} />
                </Form.Item>
              )
            })}
          </div>
        </Form>
        {!fixed && (
          <Select
            className={styles.another ?? ''}
            aria-label={t('anotherField')}
            placeholder={t('anotherField')}
            value={null}
            options={fields.filter((field) => !shown.includes(field)).map((field) => ({ value: field, label: labelOf(field) }))}
            onChange={(field: string) => setAdded((before) => [...before, field])}
          />
        )}
      </div>
    </Modal>
  )
}

/** The photographs of a row, why they are refused, and another one in their place. */
function RowPhoto({ row, importId, reason, done }: { row: ImportRow; importId: string; reason: string | undefined; done: () => void }) {
  const { t } = useTranslation('imports')
  const input = useRef<HTMLInputElement>(null)
  const add = useWrite(importCalls.addPhotos, { done: t('photoReplaced'), onDone: done })
  // Under its old name it takes the old one's place.
  const name = row.photos[0]?.filename ?? `${row.workNumber}.jpg`
  return (
    <section className={styles.photo}>
      {row.photos.map(({ id, filename, thumbnail }) => (
        <span key={id} title={filename}>
          <Portrait name={filename} url={thumbnail} size={96} alone />
        </span>
      ))}
      <div>
        {reason && <p role="alert">{reason}</p>}
        {row.workNumber !== '' && (
          <>
            <Button icon={<PictureOutlined />} loading={add.pending} onClick={() => input.current?.click()}>
              {t('anotherPhoto')}
            </Button>
            <input
              ref={input}
              type="file"
              hidden
              accept={PICTURES}
              aria-label={t('anotherPhoto')}
              onChange={({ target }) => {
                const [file] = target.files ?? []
                target.value = ''
                if (file) add.run({ params: { id: importId }, file: new File([file], name, { type: file.type }) })
              }}
            />
          </>
        )}
      </div>
    </section>
  )
}
