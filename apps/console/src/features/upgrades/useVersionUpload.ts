/** Hands in a version: judged here first, then sent with how much of it is on its way. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { FieldIssue, InputOf } from '@gatehouse/contract'
import { fileSizeIssue } from '@gatehouse/contract/files'
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import { TAR_BLOCK, tarHeaderOf } from '@gatehouse/contract/upgrades/tar'
import { fetchWithProgress } from '../../api/fetchWithProgress.ts'
import { Refusal, sentenceOf } from '../../api/refusal.ts'
import { request } from '../../api/request.ts'
import { check } from '../../api/schema.ts'

export type VersionValues = Partial<InputOf<(typeof upgradeCalls)['saveVersion']['body']>>

export interface VersionUpload {
  /** Bytes sent; null while nothing is under way. */
  sent: number | null
  /** Answers what is wrong with which field; empty once it is stored. `words` where no field is to blame. */
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

export function useVersionUpload(): VersionUpload {
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
        void cache.invalidateQueries()
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
