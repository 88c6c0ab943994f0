/** The area that takes files: dropped, chosen, or a whole folder. */
import { FolderOpenOutlined, InboxOutlined, UploadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ACCEPT } from './fileKinds.ts'
import { TemplateButton } from './TemplateButton.tsx'
import styles from './imports.module.css'

interface DropAreaProps {
  /** Nothing has been uploaded yet: the area shows what to do. */
  large: boolean
  /** The user may not upload anything. */
  hidden: boolean
  /** Take no files, while the import runs. */
  disabled: boolean
  take: (files: readonly File[]) => void
  children: ReactNode
}

/** Files can be dropped anywhere on the content. */
export function DropArea({ large, hidden, disabled, take, children }: DropAreaProps) {
  const { t } = useTranslation('imports')
  const [over, setOver] = useState(false)
  if (hidden) return children
  const holdsFiles = ({ dataTransfer }: DragEvent): boolean => !disabled && dataTransfer.types.includes('Files')
  return (
    <div
      role="presentation"
      className={styles.ground}
      onDragOver={(event) => {
        if (!holdsFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        if (!holdsFiles(event)) return
        event.preventDefault()
        setOver(false)
        void droppedFiles(event.dataTransfer).then(take)
      }}
    >
      <section className={styles.drop} aria-label={t('drop.title')} data-over={over || undefined} data-large={large || undefined}>
        <InboxOutlined />
        <div>
          <b>{over ? t('drop.now') : large ? t('drop.first') : t('drop.more')}</b>
          {large && (
            <ol>
              <li>{t('drop.sheet')}</li>
              <li>{t('drop.photos')}</li>
              <li>{t('drop.all')}</li>
            </ol>
          )}
          {!large && <p>{t('drop.adds')}</p>}
        </div>
        <div className={styles.choose}>
          {large && <TemplateButton />}
          <Choose label={t('drop.folder')} icon={<FolderOpenOutlined />} folder disabled={disabled} take={take} />
          <Choose label={t('drop.files')} icon={<UploadOutlined />} disabled={disabled} take={take} primary={large} />
        </div>
      </section>
      {children}
    </div>
  )
}

interface ChooseProps {
  label: string
  icon: ReactNode
  folder?: boolean
  primary?: boolean
  disabled: boolean
  take: (files: readonly File[]) => void
}

function Choose({ label, icon, folder = false, primary = false, disabled, take }: ChooseProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon={icon} disabled={disabled} onClick={() => input.current?.click()} {...(primary && { type: 'primary' as const })}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={label}
        {...(folder ? { webkitdirectory: '' } : { accept: ACCEPT })}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          target.value = ''
          if (files.length > 0) take(files)
        }}
      />
    </>
  )
}

/**
 * Return the files of a drop, with those of folders at every level.
 * Must be called while the event is handled: afterwards the browser has cleared the data of the drop.
 */
function droppedFiles({ items, files }: DataTransfer): Promise<File[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  if (entries.length === 0) return Promise.resolve([...files])
  return Promise.all(entries.map(filesOf)).then((found) => found.flat())
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  // A file that cannot be read, such as a broken link, does not stop the others.
  if (entry.isFile)
    return new Promise((resolve) =>
      (entry as FileSystemFileEntry).file(
        (file) => resolve([file]),
        () => resolve([]),
      ),
    )
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: File[] = []
  // A folder is read in portions; an empty portion is its end.
  for (let portion = await portionOf(reader); portion.length > 0; portion = await portionOf(reader)) {
    for (const child of portion) found.push(...(await filesOf(child)))
  }
  return found
}

const portionOf = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((resolve) => reader.readEntries(resolve, () => resolve([])))
