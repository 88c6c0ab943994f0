/** The record behind a step of a way, in the drawer of its list. */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { recordCalls, type AccessRecord } from '@gatehouse/contract/records/calls'
import { captureCalls, type CaptureRecord } from '@gatehouse/contract/surveillance/captures'
import { request } from '../../../api/request.ts'
import { useMayCall } from '../../../api/session.ts'
import { toast } from '../../../kit/feedback.tsx'
import type { TrackStep } from './way.ts'

async function findCapture({ id, time, until }: TrackStep): Promise<CaptureRecord | undefined> {
  const { content } = await request(captureCalls.find, {
    // The window of a single moment would be none.
    body: { list: 'captured', captureIds: [id], startTime: time, endTime: until + 1 },
  })
  return content[0]
}

/** A capture or a record that is shown, or was shown last. */
interface OpenStep {
  capture?: CaptureRecord
  record?: AccessRecord
  open: boolean
}

/** Return what opens a step, and what is open. */
export function useStep() {
  const { t } = useTranslation('surveillance')
  const [shown, setShown] = useState<OpenStep>({ open: false })
  const [loading, setLoading] = useState<string>()
  const mayOpenCapture = useMayCall(captureCalls.find)
  const mayOpenRecord = useMayCall(recordCalls.read)
  const mayOpen = ({ kind }: TrackStep): boolean => (kind === 'capture' ? mayOpenCapture : mayOpenRecord)

  async function open(step: TrackStep): Promise<void> {
    setLoading(step.id)
    try {
      if (step.kind === 'passage') {
        const record = await request(recordCalls.read, { params: { id: step.id } })
        return setShown({ record, open: true })
      }
      const capture = await findCapture(step)
      if (capture === undefined) return toast('error', t('track.gone'))
      setShown({ capture, open: true })
    } catch {
      // The refusal has been shown.
    } finally {
      setLoading(undefined)
    }
  }
  return {
    shown,
    loading,
    mayOpen,
    open: (step: TrackStep) => void open(step),
    close: () => setShown((last) => ({ ...last, open: false })),
  }
}
