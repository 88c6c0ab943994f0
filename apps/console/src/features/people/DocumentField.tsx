/** One picture besides the face photographs, such as that of an ID. Its value is the address that calls take; empty for none. */
import { CloseOutlined, LoadingOutlined, PlusOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { PICTURE_FILES, usePicture } from '../../kit/media/usePicture.ts'
import styles from './people.module.css'

interface PictureFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null
  onChange?: (address: string) => void
  /** Name of the picture, for screen readers. */
  name: string
}

/** Open a file dialog. Its input exists only meanwhile: a permanent one would get in the way of the input for photographs. */
function chooseFile(take: (file: File) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = PICTURE_FILES
  input.addEventListener('change', () => {
    const [file] = input.files ?? []
    if (file) take(file)
  })
  input.click()
}

export function DocumentField({ id, value, onChange, name }: PictureFieldProps) {
  const { t } = useTranslation('people')
  const { sending, failure, take } = usePicture('face', onChange)
  return (
    <div className={styles.picture}>
      <button
        id={id}
        type="button"
        disabled={sending}
        aria-label={t(value ? 'picture.replace' : 'picture.choose', { name })}
        onClick={() => chooseFile(take)}
      >
        {sending ? (
          <LoadingOutlined />
        ) : value ? (
          <img src={value} alt="" />
        ) : (
          <>
            <PlusOutlined />
            <span>{t('picture.add')}</span>
          </>
        )}
      </button>
      {value && !sending && (
        <button
          type="button"
          aria-label={t('picture.remove', { name })}
          title={t('picture.remove', { name })}
          onClick={() => onChange?.('')}
        >
          <CloseOutlined />
        </button>
      )}
      {failure && <p role="alert">{failure}</p>}
    </div>
  )
}
