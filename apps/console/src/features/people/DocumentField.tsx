/** One picture beside the face photographs, such as that of an ID. Its value is the address a person call takes: empty for none. */
import { CloseOutlined, LoadingOutlined, PlusOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { PICTURE_FILES, usePicture } from '../../kit/media/usePicture.ts'
import styles from './people.module.css'

interface PictureFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null
  onChange?: (address: string) => void
  /** What the picture is, for those who hear the page. */
  name: string
}

/** Asks for a file. The input is made for the moment: one per picture would stand in the way of the photographs' own. */
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
