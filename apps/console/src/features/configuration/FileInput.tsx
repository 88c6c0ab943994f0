/** A voice prompt or a screen saver: uploaded when chosen, then played or shown. Its value is the id of the file. */
import { LoadingOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SETTING_FILE_BYTES, configurationCalls, type SettingFileKind } from '@gatehouse/contract/configuration/calls'
import { useRead } from '../../api/query.ts'
import { Refusal, sentenceOf, sentenceOfIssue } from '../../api/refusal.ts'
import { request } from '../../api/request.ts'
import { useUploads } from '../../api/uploads.ts'
import styles from './configuration.module.css'

const MEBIBYTE = 1_048_576
const ACCEPTED: Record<SettingFileKind, string> = { voice: '.mp3,audio/mpeg', screenSaver: '.png,image/png' }

interface FileInputProps {
  id?: string | undefined
  kind: SettingFileKind
  name: string
  value: string | null
  onChange: (id: string | null) => void
}

export function FileInput({ id, kind, name, value, onChange }: FileInputProps) {
  const { t } = useTranslation('configuration')
  const hint = useId()
  const input = useRef<HTMLInputElement>(null)
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState('')
  const note = useUploads()
  const megabytes = SETTING_FILE_BYTES[kind] / MEBIBYTE

  async function send(file: File): Promise<boolean> {
    setSending(true)
    setFailure('')
    try {
      onChange((await request(configurationCalls.upload, { body: { kind }, file }, { errors: 'inline' })).id)
      return true
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const [issue] = error.fields
      setFailure(issue ? sentenceOfIssue(issue) : sentenceOf(error))
      return false
    } finally {
      setSending(false)
    }
  }

  function take(file: File): void {
    if (file.size > SETTING_FILE_BYTES[kind])
      setFailure(t('common:picture.tooLarge', { size: (file.size / MEBIBYTE).toFixed(1), megabytes }))
    else note(send(file))
  }

  return (
    <div className={styles.file} role="group" aria-label={name}>
      {value !== null && <Preview key={value} id={value} kind={kind} name={name} />}
      <div className={styles.fileActions}>
        <Button disabled={sending} aria-describedby={hint} onClick={() => input.current?.click()}>
          {sending ? <LoadingOutlined /> : null}
          {t(value === null ? 'file.choose' : 'file.replace')}
        </Button>
        {value !== null && (
          <Button type="text" disabled={sending} onClick={() => onChange(null)}>
            {t('file.remove')}
          </Button>
        )}
        <input
          {...(id && { id })}
          ref={input}
          type="file"
          hidden
          aria-label={name}
          accept={ACCEPTED[kind]}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            target.value = ''
            if (file) take(file)
          }}
        />
      </div>
      <p id={hint} className={styles.hint}>
        {t(`file.${kind}`, { megabytes })}
      </p>
      {failure && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
    </div>
  )
}

function Preview({ id, kind, name }: { id: string; kind: SettingFileKind; name: string }) {
  const { t } = useTranslation('configuration')
  const file = useRead(configurationCalls.file, { params: { id } })
  const [address, setAddress] = useState('')
  const blob = file.data?.blob
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  if (file.isError)
    return (
      <p role="alert" className={styles.failure}>
        {sentenceOf(file.error)}
      </p>
    )
  if (kind === 'screenSaver')
    return <span className={styles.picture}>{address ? <img src={address} alt={t('file.present', { name })} /> : null}</span>
  return (
    <audio className={styles.sound} controls src={address || undefined} aria-label={t('file.present', { name })}>
      <track kind="captions" />
    </audio>
  )
}
