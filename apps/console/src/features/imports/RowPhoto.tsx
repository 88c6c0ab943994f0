/** The photographs of a row, why they are refused, and another one in their place. */
import { PictureOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { importCalls, type ImportRow } from '@gatehouse/contract/imports/calls'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import styles from './rows.module.css'

const PICTURES = 'image/jpeg,image/png,image/webp'

interface RowPhotoProps {
  row: ImportRow
  importId: string
  /** Why the photograph was refused, in words. */
  reason: string | undefined
  done: () => void
}

export function RowPhoto({ row, importId, reason, done }: RowPhotoProps) {
  const { t } = useTranslation('imports')
  const input = useRef<HTMLInputElement>(null)
  const add = useWrite(importCalls.addPhotos, { done: t('photoReplaced'), onDone: done })
  // A photograph of the same name replaces the old one.
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
