/** Uploads: their progress, the files being sent, and the files that failed with the reason. */
import { CloseOutlined, RedoOutlined } from '@ant-design/icons'
import { Button, Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { sumOf, type Upload } from './uploadQueue.ts'
import type { Uploads } from './useUploads.ts'
import styles from './imports.module.css'

/** Failed files listed; the rest is counted. */
const SHOWN = 50
const percentOf = (sent: number, bytes: number): number => (bytes > 0 ? Math.floor((sent / bytes) * 100) : 0)

export function UploadList({ uploads: { queue, uploads } }: { uploads: Uploads }) {
  const { t, i18n } = useTranslation('imports')
  const number = (value: number): string => value.toLocaleString(i18n.language)
  if (uploads.length === 0) return null
  const sum = sumOf(uploads)
  const sending = uploads.filter(({ state }) => state === 'sending')
  const failed = uploads.filter(({ state }) => state === 'failed')
  const cancelled = uploads.filter(({ state }) => state === 'cancelled')
  const again = [...failed.filter((one) => one.canRetry), ...cancelled].map(({ id }) => id)
  const under = sum.left > 0
  return (
    <section className={styles.uploads} aria-label={t('upload.title')}>
      <header>
        {/* Announced once all files are done, not with each. */}
        <p role="status" aria-busy={under}>
          <b>{under ? t('upload.sending') : t('upload.over')}</b>
          <span>{t('upload.done', { done: number(sum.done), files: number(sum.files - sum.cancelled) })}</span>
          {sum.failed > 0 && <span data-bad>{t('upload.failed', { count: sum.failed, n: number(sum.failed) })}</span>}
          {sum.cancelled > 0 && <span>{t('upload.cancelled', { count: sum.cancelled, n: number(sum.cancelled) })}</span>}
        </p>
        {again.length > 0 && (
          <Button size="small" icon={<RedoOutlined />} onClick={() => queue.retry(again)}>
            {t('upload.againAll', { count: again.length, n: number(again.length) })}
          </Button>
        )}
        {under ? (
          <Button size="small" onClick={queue.cancelAll}>
            {t('upload.cancelAll')}
          </Button>
        ) : (
          <Button size="small" type="text" onClick={queue.clear}>
            {t('upload.close')}
          </Button>
        )}
      </header>
      {under && <Progress percent={percentOf(sum.sent, sum.bytes)} strokeColor="var(--accent)" aria-label={t('upload.title')} />}
      {(sending.length > 0 || failed.length > 0) && (
        <ul>
          {sending.map((one) => (
            <Sending key={one.id} of={one} cancel={() => queue.cancel(one.id)} />
          ))}
          {failed.slice(0, SHOWN).map((one) => (
            <li key={one.id} data-bad>
              <b title={one.file.name}>{one.file.name}</b>
              <span>{one.reason}</span>
              {one.canRetry && (
                <Button
                  size="small"
                  type="text"
                  icon={<RedoOutlined />}
                  aria-label={t('upload.againOne', { name: one.file.name })}
                  title={t('upload.again')}
                  onClick={() => queue.retry([one.id])}
                />
              )}
            </li>
          ))}
          {failed.length > SHOWN && <li>{t('upload.moreFailed', { n: number(failed.length - SHOWN) })}</li>}
        </ul>
      )}
    </section>
  )
}

function Sending({ of: { file, sent }, cancel }: { of: Upload; cancel: () => void }) {
  const { t } = useTranslation('imports')
  const percent = percentOf(sent, file.size)
  return (
    <li>
      <b title={file.name}>{file.name}</b>
      <span>{percent < 100 ? `${percent}%` : t('upload.checked')}</span>
      <Button
        size="small"
        type="text"
        icon={<CloseOutlined />}
        aria-label={t('upload.cancelOne', { name: file.name })}
        title={t('upload.cancel')}
        onClick={cancel}
      />
    </li>
  )
}
