/** Sends captures one after the other; one that is refused is named and stops nothing. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { faceLivenessCalls, type LivenessCapture } from '@gatehouse/contract/faces/liveness'
import { Refusal, sentenceOf } from '../../../api/refusal.ts'
import { request } from '../../../api/request.ts'

type Label = LivenessCapture['label']
interface Failure {
  name: string
  reason: string
}

export function useCaptureUpload() {
  const cache = useQueryClient()
  const [running, setRunning] = useState<{ label: Label; done: number; total: number }>()
  const [failures, setFailures] = useState<Failure[]>([])

  async function upload(label: Label, files: File[]): Promise<void> {
    setFailures([])
    for (const [done, file] of files.entries()) {
      setRunning({ label, done, total: files.length })
      try {
        await request(faceLivenessCalls.add, { body: { label }, file }, { errors: 'inline' })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        setFailures((before) => [...before, { name: file.name, reason: sentenceOf(error) }])
      }
    }
    setRunning(undefined)
    await cache.invalidateQueries()
  }
  return { upload, running, failures, dismiss: () => setFailures([]) }
}
