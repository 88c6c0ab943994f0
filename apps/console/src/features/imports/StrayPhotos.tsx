/** Photographs that belong to no row, with the reason; each can be assigned to a person by work number. */
import { AutoComplete, Button, Pagination } from 'antd'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { importCalls, type ImportPhoto } from '@gatehouse/contract/imports/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { Bars } from '../../kit/detail/Bars.tsx'
import { ListEmpty, ListError } from '../../kit/list/ListStates.tsx'
import { useRead } from '../../api/query.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import styles from './imports.module.css'
import own from './strays.module.css'

/** Pictures of a page. */
const SIZE = 24
/** People offered at a time. */
const OFFERED = 6

interface StrayPhotosProps {
  importId: string
  kind: PersonKind
  disabled: boolean
}

/** The page is in the address: `?photos=2`. */
export function StrayPhotos({ importId, kind, disabled }: StrayPhotosProps) {
  const { t } = useTranslation('imports')
  const [search, setSearch] = useSearchParams()
  const page = Math.max(1, Math.floor(Number(search.get('photos'))) || 1)
  const photos = useRead(importCalls.strayPhotos, { params: { id: importId }, query: { page, size: SIZE } })
  if (photos.isPending) return <Bars count={6} />
  if (photos.isError) return <ListError error={photos.error} retry={() => void photos.refetch()} />
  const { content, total } = photos.data
  if (content.length === 0)
    return <ListEmpty filtered={page > 1} clear={() => setSearch({ photos: '1' }, { replace: true })} title={t('stray.none')} />
  return (
    <>
      <p className={styles.words}>{t('stray.words')}</p>
      <ul className={own.strays}>
        {content.map((photo) => (
          <Stray key={photo.id} photo={photo} importId={importId} kind={kind} disabled={disabled} />
        ))}
      </ul>
      <Pagination
        className={own.pages ?? ''}
        align="end"
        current={page}
        pageSize={SIZE}
        total={total}
        showSizeChanger={false}
        hideOnSinglePage
        onChange={(to) => setSearch({ photos: String(to) }, { replace: true })}
      />
    </>
  )
}

function Stray({ photo: { id, filename, thumbnail, reason, words }, importId, kind, disabled }: StrayPhotosProps & { photo: ImportPhoto }) {
  const { t } = useTranslation('imports')
  const [typed, setTyped] = useState('')
  const [failed, setFailed] = useState(false)
  const assign = useWrite(importCalls.assignPhoto, { done: t('stray.assigned') })
  const options = useOffered(typed, importId, kind)
  const number = typed.trim()
  const give = (): void => {
    if (number !== '') assign.run({ params: { id: importId }, body: { photoId: id, workNumber: number } })
  }
  return (
    <li>
      {failed || thumbnail === '' ? (
        <span className={own.noPicture} aria-hidden="true">
          ?
        </span>
      ) : (
        <img src={thumbnail} alt={filename} loading="lazy" decoding="async" onError={() => setFailed(true)} />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          give()
        }}
      >
        <b title={filename}>{filename}</b>
        <small>{words}</small>
        {reason !== 'unreadable' && (
          <span>
            {/* Enter on a complete number assigns the photo, even where the list of suggestions is open and would take the key. */}
            <AutoComplete
              onSelect={(chosen) => {
                if (chosen === number) give()
              }}
              aria-label={t('stray.belongs', { name: filename })}
              placeholder={t('stray.number')}
              value={typed}
              options={options}
              disabled={disabled}
              onChange={(value: string | undefined) => setTyped(value ?? '')}
            />
            <Button htmlType="submit" disabled={disabled || number === ''} loading={assign.pending}>
              {t('stray.assign')}
            </Button>
          </span>
        )}
      </form>
    </li>
  )
}

/** Return rows of the import and registered persons whose name or work number contains the typed text. */
function useOffered(typed: string, importId: string, kind: PersonKind): { value: string; label: string }[] {
  const text = useDeferredValue(typed.trim())
  const filter = /\d/.test(text) ? { workNumber: text } : { name: text }
  const enabled = text !== ''
  const rows = useRead(importCalls.rows, { params: { id: importId }, query: { ...filter, size: OFFERED } }, { enabled })
  const persons = useRead(peopleCalls.list, { query: { ...filter, kind, size: OFFERED } }, { enabled })
  if (!enabled) return []
  const found = new Map(
    [...(rows.data?.content ?? []), ...(persons.data?.content ?? [])]
      .filter(({ workNumber }) => workNumber !== '')
      .map(({ workNumber, name }) => [workNumber, name]),
  )
  return [...found].slice(0, OFFERED).map(([value, name]) => ({ value, label: `${value} · ${name}` }))
}
