/** Uploads a version: its facts, the MD5 from the supplier, and the tar file. */
import { InboxOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Form, Modal, Progress, Radio, Segmented, Upload } from 'antd'
import Input from 'antd/es/input/Input'
import TextArea from 'antd/es/input/TextArea'
import { useId, useState, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { DEVICE_PACKAGE_MAX, type FieldIssue, type InputOf } from '@gatehouse/contract'
import { updateType } from '@gatehouse/contract/enums/devices'
import { UPGRADE_KINDS } from '@gatehouse/contract/upgrades/package'
import { fileSizeIssue } from '@gatehouse/contract/files'
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import { TAR_BLOCK, tarHeaderOf } from '@gatehouse/contract/upgrades/tar'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { toast } from '../../kit/feedback.tsx'
import { readAfter } from '../../api/query.ts'
import { sentenceOfIssue, Refusal, sentenceOf } from '../../api/refusal.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { fetchWithProgress } from '../../api/fetchWithProgress.ts'
import { request } from '../../api/request.ts'
import { check } from '../../api/schema.ts'
import { useSizeWords } from './upgradeWords.ts'
import styles from './upgrades.module.css'

const MEBIBYTE = 1_048_576

export default function UploadDialog({ editor }: { editor: Editor<never> }) {
  const { t } = useTranslation('upgrades')
  const id = useId()
  const optionsOf = useEnumOptions()
  const [form] = Form.useForm<VersionValues & { file?: unknown }>()
  const [file, setFile] = useState<File>()
  const [failure, setFailure] = useState<string>()
  const upload = useVersionUpload()
  const kind = Form.useWatch('kind', form)
  const sending = upload.sent !== null

  async function submit(): Promise<void> {
    setFailure(undefined)
    const { file: _, ...values } = form.getFieldsValue(true) as VersionValues & { file?: unknown }
    const { issues, words } = await upload.send({ ...values, apkName: values.kind === 'device' ? (values.apkName ?? '') : '' }, file)
    form.setFields(issues.map((issue) => ({ name: issue.path as never, errors: [sentenceOfIssue(issue)] })))
    if (issues[0]) form.scrollToField(issues[0].path, { focus: true })
    if (words) setFailure(words)
    if (issues.length > 0 || words !== undefined) return
    toast('success', t('uploaded'))
    editor.close()
  }

  return (
    <Modal
      open={editor.open}
      title={t('upload')}
      width={640}
      centered
      destroyOnHidden
      mask={{ closable: false }}
      styles={{ body: { maxHeight: 'calc(100vh - 190px)', overflow: 'hidden auto', margin: '0 -24px', padding: '0 24px' } }}
      okText={t('uploadNow')}
      cancelText={sending ? t('uploadCancel') : t('common:cancel')}
      okButtonProps={{ htmlType: 'submit', form: id }}
      confirmLoading={sending}
      onCancel={() => (sending ? upload.cancel() : editor.close())}
    >
      {failure && <Alert className={styles.failure ?? ''} type="error" showIcon role="alert" title={failure} />}
      {/* Named, so that the field `content` does not get the id of the page's content. */}
      <Form
        id={id}
        name="version"
        form={form}
        layout="vertical"
        initialValues={{ kind: 'client', updateType: updateType.prompt }}
        disabled={sending}
        onFinish={() => void submit()}
      >
        <Form.Item name="kind" label={t('kind')}>
          <Segmented aria-label={t('kind')} options={UPGRADE_KINDS.map((value) => ({ value, label: t(`tab.${value}`) }))} />
        </Form.Item>
        <Form.Item name="versionNumber" label={t('versionNumber')} required extra={t('versionHint')}>
          <Input inputMode="numeric" maxLength={18} autoComplete="off" />
        </Form.Item>
        {kind === 'device' && (
          <Form.Item name="apkName" label={t('apkName')}>
            <Input maxLength={64} autoComplete="off" />
          </Form.Item>
        )}
        <Form.Item
          name="file"
          label={t('file')}
          required
          valuePropName="chosen"
          extra={t('fileHint', { limit: DEVICE_PACKAGE_MAX / MEBIBYTE })}
        >
          <FileField
            file={file}
            choose={(chosen) => {
              setFile(chosen)
              form.setFields([{ name: 'file', errors: [] }])
            }}
          />
        </Form.Item>
        <Form.Item name="md5" label={t('md5')} required extra={t('md5Hint')}>
          <Input maxLength={32} autoComplete="off" spellCheck={false} />
        </Form.Item>
        <Form.Item name="updateType" label={t('type')} extra={t('typeHint')}>
          <Radio.Group options={optionsOf(updateType)} />
        </Form.Item>
        <Form.Item name="content" label={t('content')}>
          <TextArea rows={3} maxLength={2000} showCount />
        </Form.Item>
      </Form>
      {sending && file && (
        <Progress
          percent={Math.min(100, Math.floor((100 * (upload.sent ?? 0)) / file.size))}
          strokeColor="var(--accent)"
          aria-label={t('uploading')}
        />
      )}
      {sending && file && <p role="status">{(upload.sent ?? 0) < file.size ? t('uploading') : t('uploadChecked')}</p>}
    </Modal>
  )
}

interface FileFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  file: File | undefined
  choose: (file: File) => void
}

function FileField({ id, file, choose }: FileFieldProps) {
  const { t } = useTranslation('upgrades')
  const sizeWords = useSizeWords()
  return (
    <Upload.Dragger
      className={styles.drop ?? ''}
      {...(id !== undefined && { id })}
      accept=".tar"
      maxCount={1}
      showUploadList={false}
      beforeUpload={(chosen) => {
        choose(chosen)
        return false
      }}
    >
      <p className={styles.chosen}>
        <InboxOutlined />
        {file ? (
          <b>
            {file.name} · {sizeWords(file.size)}
          </b>
        ) : (
          t('chooseFile')
        )}
      </p>
      {file && <p className={styles.other}>{t('chooseOther')}</p>}
    </Upload.Dragger>
  )
}

type VersionValues = Partial<InputOf<(typeof upgradeCalls)['saveVersion']['body']>>

interface VersionUpload {
  /** Bytes sent; null while nothing is being sent. */
  sent: number | null
  /** Send a version. Return the issues of its fields, empty once it is stored; `words`: the reason where no field has an issue. */
  send(values: VersionValues, file: File | undefined): Promise<{ issues: FieldIssue[]; words?: string }>
  cancel(): void
}

async function issuesOf(values: VersionValues, file: File | undefined): Promise<FieldIssue[]> {
  const checked = check(upgradeCalls.saveVersion.body, values)
  const issues = 'issues' in checked ? checked.issues : []
  if (file === undefined) return [...issues, { path: 'file', rule: 'required' }]
  const tooLarge = fileSizeIssue('devicePackage', file.size)
  if (tooLarge !== null) return [...issues, tooLarge]
  const first = tarHeaderOf(new Uint8Array(await file.slice(0, TAR_BLOCK).arrayBuffer()))
  return first === null || first === 'end' ? [...issues, { path: 'file', rule: 'tar' }] : issues
}

/** Upload a version: check it here first, then send it and count the bytes. */
function useVersionUpload(): VersionUpload {
  const cache = useQueryClient()
  const [sent, setSent] = useState<number | null>(null)
  const under = useRef<AbortController | null>(null)
  useEffect(() => () => under.current?.abort(), [])

  return {
    sent,
    cancel: () => under.current?.abort(),
    async send(values, file) {
      const issues = await issuesOf(values, file)
      if (issues.length > 0) return { issues }
      const abortion = (under.current = new AbortController())
      setSent(0)
      try {
        await request(
          upgradeCalls.saveVersion,
          { body: values as InputOf<(typeof upgradeCalls)['saveVersion']['body']>, ...(file && { file }) },
          { errors: 'inline', signal: abortion.signal, send: fetchWithProgress(setSent) },
        )
        void readAfter(cache, upgradeCalls.saveVersion)
        return { issues: [] }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        if (error.cancelled) return { issues: [], words: '' }
        return error.fields.length > 0 ? { issues: error.fields } : { issues: [], words: sentenceOf(error) }
      } finally {
        under.current = null
        setSent(null)
      }
    },
  }
}
