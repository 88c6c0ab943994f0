/** One picture of a form, such as a logo or a background. Its value is the address that a body takes: empty for none. */
import { LoadingOutlined, PictureOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { UploadUse } from '@gatehouse/contract/system/upload'
import { PICTURE_FILES, usePicture } from './usePicture.ts'
import styles from './picture.module.css'

interface PictureFieldProps {
  /** Given by `<Form.Item>`. */
  value?: string
  onChange?: (address: string) => void
  use: UploadUse
  /** Name of the picture, for screen readers. */
  name: string
}

export function PictureField({ value = '', onChange, use, name }: PictureFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { sending, failure, megabytes, take } = usePicture(use, onChange)
  return (
    <div className={styles.picture} role="group" aria-label={name}>
      <div className={styles.frame} data-use={use}>
        {sending ? (
          <span role="status">
            <LoadingOutlined /> {t('picture.sending')}
          </span>
        ) : value ? (
          <img src={value} alt={t('picture.present', { name })} />
        ) : (
          <span>
            <PictureOutlined /> {t('picture.none')}
          </span>
        )}
      </div>
      <div>
        <div className={styles.actions}>
          <Button disabled={sending} onClick={() => input.current?.click()} aria-describedby={id}>
            {value ? t('picture.replace') : t('picture.choose')}
          </Button>
          {value && (
            <Button type="text" disabled={sending} onClick={() => onChange?.('')}>
              {t('picture.remove')}
            </Button>
          )}
          <input
            ref={input}
            type="file"
            hidden
            aria-label={name}
            accept={PICTURE_FILES}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              target.value = ''
              if (file) take(file)
            }}
          />
        </div>
        <p id={id} className={styles.hint}>
          {t('picture.formats', { megabytes })}
        </p>
        {failure && (
          <p role="alert" className={styles.failure}>
            {failure}
          </p>
        )}
      </div>
    </div>
  )
}
