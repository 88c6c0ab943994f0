/** One export at a time: fetched as a file, asked how far it is while it comes, broken off when nobody wants it any more. */
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf } from '@gatehouse/contract'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { toast } from '../../../kit/feedback.tsx'
import { Refusal } from '../../../api/refusal.ts'
import { request } from '../../../api/request.ts'
import { saveFile } from '../../../api/saveFile.ts'

/** Milliseconds between two questions how far it is. */
const PAUSE = 400

type Wish = InputOf<(typeof peopleCalls)['export']['query']>
type Progress = { written: number; total: number }

/** @param done called once the file is saved */
export function useExport(done: () => void) {
  const { t } = useTranslation('people')
  const [running, setRunning] = useState<Progress | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])

  function watch(id: string, { signal }: AbortController): void {
    const ask = async (): Promise<void> => {
      const progress = await request(peopleCalls.exportProgress, { query: { id } }, { errors: 'silent', signal }).catch(() => null)
      if (signal.aborted) return
      // Null before its first row and after its last one.
      if (progress) setRunning(progress)
      setTimeout(() => void ask(), PAUSE)
    }
    void ask()
  }

  async function run(wish: Wish): Promise<void> {
    const controller = new AbortController()
    const watching = new AbortController()
    abort.current = controller
    controller.signal.addEventListener('abort', () => watching.abort(), { once: true })
    setRefusal(null)
    setRunning({ written: 0, total: 0 })
    const progress = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`
    watch(progress, watching)
    try {
      const file = await request(peopleCalls.export, { query: { ...wish, progress } }, { errors: 'inline', signal: controller.signal })
      saveFile(file)
      toast('success', t('export.done', { name: file.name }))
      done()
    } catch (error) {
      // A stream that is broken off on its way is no refusal of anybody's.
      if (!controller.signal.aborted)
        setRefusal(
          error instanceof Refusal ? error : new Refusal({ family: 'client', code: 'UNREACHABLE', status: 0, message: '', data: {} }),
        )
    } finally {
      watching.abort()
      setRunning(null)
    }
  }

  return { running, refusal, start: (wish: Wish) => void run(wish), stop: () => abort.current?.abort() }
}
