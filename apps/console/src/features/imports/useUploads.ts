/** The uploads to one import: files are checked and sent, and the import is read again while they arrive. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { addressOf } from '@gatehouse/contract'
import { fetchWithProgress } from '../../api/fetchWithProgress.ts'
import { queriesOf, readAfter } from '../../api/query.ts'
import { Refusal, sentenceOf, sentenceOfIssue } from '../../api/refusal.ts'
import { request } from '../../api/request.ts'
import { useRefresh } from '../../kit/useRefresh.ts'
import { fileIssueOf, isLitter, kindOf, type FileIssue } from './fileKinds.ts'
import { NotAccepted, uploadQueue, type Upload, type UploadQueue } from './uploadQueue.ts'

/** Milliseconds between two readings of the import while files arrive. */
const PACE_MS = 1500
const TOO_MANY_REQUESTS = 429

export interface Uploads {
  queue: UploadQueue
  uploads: readonly Upload[]
  /** Take files of any kind; files that cannot be imported are listed with the reason. */
  take: (files: readonly File[]) => Promise<void>
}

/** Return the order of sending. Spreadsheets go first, so that photographs find their rows at once. */
const orderOf = ({ name }: File): number => ({ sheet: 0, zip: 1, picture: 2 })[kindOf(name) ?? 'picture']

export const reasonOf = (error: unknown): string => {
  const [issue] = error instanceof Refusal && error.family === 'http' ? error.fields : []
  return issue ? sentenceOfIssue(issue) : sentenceOf(error)
}

/** Send one file, a spreadsheet or pictures. @throws NotAccepted */
async function send(id: string, file: File, signal: AbortSignal, sent: (bytes: number) => void): Promise<void> {
  const call = kindOf(file.name) === 'sheet' ? importCalls.addRows : importCalls.addPhotos
  try {
    await request(call, { params: { id }, file }, { errors: 'inline', signal, send: fetchWithProgress(sent) })
  } catch (error) {
    const status = error instanceof Refusal ? error.status : 0
    throw new NotAccepted(reasonOf(error), status === 0 || status >= 500 || status === TOO_MANY_REQUESTS)
  }
}

export function useUploads(id: string): Uploads {
  const { t } = useTranslation('imports')
  const cache = useQueryClient()
  const refresh = useRefresh(PACE_MS)
  const [queue] = useState(() => uploadQueue((file, signal, sent) => send(id, file, signal, sent), orderOf))
  const uploads = useSyncExternalStore(queue.subscribe, queue.uploads)
  const done = uploads.filter(({ state }) => state === 'done').length
  const busy = uploads.some(({ state }) => state === 'waiting' || state === 'sending')

  useEffect(() => () => queue.cancelAll(), [queue])
  const readAgain = useEffectEvent((): void => {
    if (!busy) return void readAfter(cache, importCalls.addRows)
    refresh(queriesOf(importCalls.read))
    refresh(queriesOf(rowsOf(id)))
  })
  useEffect(() => {
    if (done > 0) readAgain()
  }, [done, busy])

  const wordsOf = (issue: FileIssue): string => {
    if (issue.why === 'tooLarge') return t(`refusedFile.tooLarge.${issue.kind}`, { limit: issue.limitMb })
    if (issue.why === 'tooMany') return t('refusedFile.tooMany', { n: issue.count, limit: issue.limit })
    return t(`refusedFile.${issue.why}`)
  }
  async function take(files: readonly File[]): Promise<void> {
    const judged = files
      .filter(({ name }) => !isLitter(name))
      .map(async (file) => {
        const issue = await fileIssueOf(file)
        return issue ? { file, refused: wordsOf(issue) } : { file }
      })
    queue.add(await Promise.all(judged))
  }
  return { queue, uploads, take }
}

/** Return the call for the rows of one import, whose id is in the path, so that the query is that of the list. */
export const rowsOf = (id: string): typeof importCalls.rows => ({ ...importCalls.rows, url: addressOf(importCalls.rows, { id }) })
