/** Submits a photograph: it is sent and checked, and where several people are on it, the right one is chosen. */
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { code, type OutputOf } from '@gatehouse/contract'
import { faceCalls, type CachedFace, type faceBox } from '@gatehouse/contract/faces/calls'
import { Refusal } from '../api/refusal.ts'
import { request } from '../api/request.ts'
import { useUploads } from '../api/uploads.ts'
import styles from '../kit/media/photo.module.css'

interface FaceChoiceProps {
  file: Blob
  /** In pixels of the upright picture. */
  boxes: FaceBox[]
  choose: (index: number) => void
  cancel: () => void
}

/** The choice of the right one of several faces on a photograph. */
export function FaceChoice({ file, boxes, choose, cancel }: FaceChoiceProps) {
  const { t } = useTranslation()
  const [picture, setPicture] = useState<ImageBitmap>()
  useEffect(() => {
    let isUnmounted = false
    void createImageBitmap(file).then((bitmap) => {
      if (!isUnmounted) setPicture(bitmap)
    })
    return () => {
      isUnmounted = true
    }
  }, [file])
  return (
    <div className={styles.faces} role="group" aria-label={t('photo.several', { count: boxes.length })}>
      <p>{t('photo.several', { count: boxes.length })}</p>
      <div>
        {boxes.map((box, at) => (
          <button key={at} type="button" onClick={() => choose(at)} aria-label={t('photo.face', { nth: at + 1 })}>
            {picture && <Crop picture={picture} box={box} />}
          </button>
        ))}
      </div>
      <Button size="small" onClick={cancel}>
        {t('photo.dismiss')}
      </Button>
    </div>
  )
}

/** Pixels of each side of a crop. */
const SIDE = 96
/** How much of the surroundings is shown, in sizes of the face. */
const MARGIN = 1.5

function Crop({ picture, box }: { picture: ImageBitmap; box: FaceBox }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const side = Math.max(box.width, box.height) * MARGIN
    const left = box.x + box.width / 2 - side / 2
    const top = box.y + box.height / 2 - side / 2
    canvas.current?.getContext('2d')?.drawImage(picture, left, top, side, side, 0, 0, SIDE, SIDE)
  }, [picture, box])
  return <canvas ref={canvas} width={SIDE} height={SIDE} />
}

type FaceBox = OutputOf<typeof faceBox>
type IntakeState =
  | { step: 'idle' }
  | { step: 'checking'; file: Blob; preview: string }
  | { step: 'refused'; file: Blob; preview: string; refusal: Refusal; heic: boolean }
  | { step: 'choose'; file: Blob; preview: string; boxes: FaceBox[] }

/** Return the faces of a refusal with 200218; empty for any other. */
function boxesOf(refusal: Refusal): FaceBox[] {
  const faces = refusal.code === code.multipleFaces ? refusal.data['faces'] : []
  return Array.isArray(faces) ? faces.map((face: { box: FaceBox }) => face.box) : []
}

/** Brands of HEIC and HEIF, the formats of newer phones: `ftyp` and one of these from the fifth byte on. */
const HEIC = /^ftyp(hei[cfmsx]|hev[cmsx]|mif1|msf1)/
const isHeic = async (file: Blob): Promise<boolean> => HEIC.test(await file.slice(4, 12).text())

export interface PhotoIntake {
  intake: IntakeState
  /** Whether another photograph can be submitted now. */
  isFree: boolean
  /** @param faceIndex index of the right one of several faces */
  take: (file: Blob, faceIndex?: number) => void
  reset: () => void
}

/** Sends one photograph to be checked. @param faceIndex index of the right one of several faces */
export type SubmitPhoto<T> = (file: Blob, faceIndex: number | undefined) => Promise<T>

/** Return what checks and caches a photograph. @param personId the person it is of; absent for one who is still to be registered */
export const cachePhoto =
  (personId?: string): SubmitPhoto<CachedFace> =>
  (file, faceIndex) =>
    request(faceCalls.cache, { body: { faceIndex, personId }, file }, { errors: 'inline' })

/** Submit one photograph: send it, have it checked, and let the user choose where several people are on it. */
export function usePhotoIntake<T>(submit: SubmitPhoto<T>, accepted: (photo: T) => void): PhotoIntake {
  const [intake, setIntake] = useState<IntakeState>({ step: 'idle' })
  const note = useUploads()
  const preview = intake.step === 'idle' ? undefined : intake.preview
  useEffect(
    () => () => {
      if (preview) URL.revokeObjectURL(preview)
    },
    [preview],
  )

  /** @param faceIndex index of the right one of several faces */
  async function send(file: Blob, faceIndex: number | undefined): Promise<boolean> {
    const picture = { file, preview: URL.createObjectURL(file) }
    setIntake({ step: 'checking', ...picture })
    try {
      const photo = await submit(file, faceIndex)
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
  return {
    intake,
    isFree: intake.step === 'idle' || intake.step === 'refused',
    take: (file, faceIndex) => note(send(file, faceIndex)),
    reset: () => setIntake({ step: 'idle' }),
  }
}
