/** Gets one photograph accepted: sent, checked, and where several people are on it, chosen from. */
import { useEffect, useState } from 'react'
import { code } from '@gatehouse/contract'
import { faceCalls, type CachedFace, type faceBox } from '@gatehouse/contract/faces/calls'
import type { OutputOf } from '@gatehouse/contract'
import { Refusal } from '../api/refusal.ts'
import { request } from '../api/request.ts'
import { useUploads } from '../api/uploads.ts'

export type FaceBox = OutputOf<typeof faceBox>
export type Intake =
  | { step: 'idle' }
  | { step: 'checking'; file: Blob; preview: string }
  | { step: 'refused'; file: Blob; preview: string; refusal: Refusal; heic: boolean }
  | { step: 'choose'; file: Blob; preview: string; boxes: FaceBox[] }

/** Faces of a refusal with 200218; empty for any other. */
function boxesOf(refusal: Refusal): FaceBox[] {
  const faces = refusal.code === code.multipleFaces ? refusal.data['faces'] : []
  return Array.isArray(faces) ? faces.map((face: { box: FaceBox }) => face.box) : []
}

/** Brands of HEIC and HEIF, as newer phones write pictures: `ftyp` and one of these from the fifth byte on. */
const HEIC = /^ftyp(hei[cfmsx]|hev[cmsx]|mif1|msf1)/
const isHeic = async (file: Blob): Promise<boolean> => HEIC.test(await file.slice(4, 12).text())

/** @param personId whose photograph it is to be; a person still to be registered has none */
export function usePhotoIntake(accepted: (photo: CachedFace) => void, personId?: string) {
  const [intake, setIntake] = useState<Intake>({ step: 'idle' })
  const note = useUploads()
  const preview = intake.step === 'idle' ? undefined : intake.preview
  useEffect(
    () => () => {
      if (preview) URL.revokeObjectURL(preview)
    },
    [preview],
  )

  /** @param faceIndex which of several faces is meant */
  async function send(file: Blob, faceIndex: number | undefined): Promise<boolean> {
    const picture = { file, preview: URL.createObjectURL(file) }
    setIntake({ step: 'checking', ...picture })
    try {
      const photo = await request(faceCalls.cache, { body: { faceIndex, personId }, file }, { errors: 'inline' })
      setIntake({ step: 'idle' })
      accepted(photo)
      return true
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const boxes = boxesOf(error)
      setIntake(
        boxes.length > 0
          ? { step: 'choose', ...picture, boxes }
          : { step: 'refused', ...picture, refusal: error, heic: error.code === code.imageUnreadable && (await isHeic(file)) },
      )
      return false
    }
  }
  return { intake, take: (file: Blob, faceIndex?: number): void => note(send(file, faceIndex)), reset: () => setIntake({ step: 'idle' }) }
}
