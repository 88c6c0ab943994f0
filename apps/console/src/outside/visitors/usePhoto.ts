/** The photo of a visitor: checked as soon as it is taken, so that the form keeps its address alone. */
import { useRef, useState } from 'react'
import { code } from '@gatehouse/contract'
import { appointmentCalls } from '@gatehouse/contract/visitors/appointments'
import { exchange } from '../../api/http.ts'
import { Refusal } from '../../api/refusal.ts'
import type { FaceBox } from '../enrolment/useHandIn.ts'

/** Where a photo is after it was checked. */
export interface CheckedPhoto {
  url: string
  thumbnail: string
}

function boxesOf({ code: number, data }: Refusal): FaceBox[] {
  const faces = number === code.multipleFaces ? data['faces'] : []
  return Array.isArray(faces) ? faces.map((face: { box: FaceBox }) => face.box) : []
}

export function usePhoto(token: string, keep: (photo: CheckedPhoto | null) => void) {
  const [photo, setPhoto] = useState<Blob>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [checking, setChecking] = useState(false)
  const latest = useRef<Blob>(undefined)

  async function check(taken: Blob, faceIndex?: number): Promise<void> {
    latest.current = taken
    setPhoto(taken)
    setRefusal(undefined)
    setChecking(true)
    keep(null)
    try {
      const checked = await exchange(appointmentCalls.photo, { linkToken: token, body: { faceIndex }, file: taken })
      if (latest.current === taken) keep(checked)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (latest.current === taken) setRefusal(error)
    } finally {
      if (latest.current === taken) setChecking(false)
    }
  }

  return {
    photo,
    refusal,
    checking,
    boxes: refusal ? boxesOf(refusal) : [],
    take: async (taking: Promise<Blob>) => check(await taking),
    choose: async (faceIndex: number) => photo && check(photo, faceIndex),
  }
}
