/** Several faces on one photograph: which is meant? */
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FaceBox } from './usePhotoIntake.ts'
import styles from '../kit/media/photo.module.css'

interface FaceChoiceProps {
  file: Blob
  /** In pixels of the upright picture. */
  boxes: FaceBox[]
  choose: (index: number) => void
  cancel: () => void
}

export function FaceChoice({ file, boxes, choose, cancel }: FaceChoiceProps) {
  const { t } = useTranslation()
  const [picture, setPicture] = useState<ImageBitmap>()
  useEffect(() => {
    let gone = false
    void createImageBitmap(file).then((bitmap) => {
      if (!gone) setPicture(bitmap)
    })
    return () => {
      gone = true
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
