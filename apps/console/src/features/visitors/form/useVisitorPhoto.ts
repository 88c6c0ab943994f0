/** Submits a photo of a visitor: it is checked, and where several people are on it, the right one is chosen. */
import { useEffect, useState } from 'react'
import { code, type OutputOf } from '@gatehouse/contract'
import type { faceBox } from '@gatehouse/contract/faces/calls'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { Refusal } from '../../../api/refusal.ts'
import { request } from '../../../api/request.ts'
import { useUploads } from '../../../api/uploads.ts'

type FaceBox = OutputOf<typeof faceBox>
type Intake =
  | { step: 'idle' }
  | { step: 'checking'; file: Blob; preview: string }
  | { step: 'refused'; file: Blob; preview: string; refusal: Refusal }
  | { step: 'choose'; file: Blob; preview: string; boxes: FaceBox[] }

interface VisitorPhoto {
  intake: Intake
  /** @param faceIndex index of the right one of several faces */
  take: (file: Blob, faceIndex?: number) => void
  reset: () => void
}

/** Return the faces of a refusal with 200218; empty for any other. */
function boxesOf(refusal: Refusal): FaceBox[] {
  const faces = refusal.code === code.multipleFaces ? refusal.data['faces'] : []
  return Array.isArray(faces) ? faces.map((face: { box: FaceBox }) => face.box) : []
}

/** @param accepted called with the address of the picture, as bodies take it */
export function useVisitorPhoto(accepted: (address: string) => void): VisitorPhoto {
  const [intake, setIntake] = useState<Intake>({ step: 'idle' })
  const note = useUploads()
  const preview = intake.step === 'idle' ? undefined : intake.preview
  useEffect(
    () => () => {
      if (preview) URL.revokeObjectURL(preview)
    },
    [preview],
  )

  async function send(file: Blob, faceIndex: number | undefined): Promise<boolean> {
    const picture = { file, preview: URL.createObjectURL(file) }
    setIntake({ step: 'checking', ...picture })
    try {
      const { url } = await request(visitorCalls.photo, { body: { faceIndex }, file }, { errors: 'inline' })
      setIntake({ step: 'idle' })
      accepted(url)
      return true
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const boxes = boxesOf(error)
      setIntake(boxes.length > 0 ? { step: 'choose', ...picture, boxes } : { step: 'refused', ...picture, refusal: error })
      return false
    }
  }

  return { intake, take: (file, faceIndex) => note(send(file, faceIndex)), reset: () => setIntake({ step: 'idle' }) }
}
