/**
 * Photographs of one face, at most three by default, by upload, drop or camera. Its value is the faceIds that a person call takes.
 * The field asks for as many as the park wants, one after the other: the camera stays open for the next one, and so does the file input.
 */
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FACES_PER_PERSON } from '@gatehouse/contract'
import type { FacePhoto } from '@gatehouse/contract/faces/calls'
import { rememberedFace, rememberFace } from './cachedFaces.ts'
import { PhotoFrame } from './PhotoFrame.tsx'
import { cachePhoto, usePhotoIntake } from './photoIntake.tsx'
import styles from '../kit/media/photo.module.css'

interface PhotoFieldProps {
  /** Given by `<Form.Item>`. */
  value?: string[]
  onChange?: (faceIds: string[]) => void
  /** Pictures of the faceIds the record already has. */
  initial?: FacePhoto[]
  /** The person on the photographs, once that person is registered. */
  personId?: string | undefined
  /** Maximum number of photographs. */
  max?: number
  /** Whether another photo is recommended where there are few: doors do not recognise people of the watch list. */
  recommends?: boolean
}

export function PhotoField({ value = [], onChange, initial = [], personId, max = FACES_PER_PERSON, recommends = true }: PhotoFieldProps) {
  const { t } = useTranslation()
  const [camera, setCamera] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  const intake = usePhotoIntake(cachePhoto(personId), (photo) => {
    rememberFace(photo)
    onChange?.([...value, photo.faceId])
    if (!recommends || value.length + 1 >= Math.min(max, photo.wanted)) setCamera(false)
  })

  const photos = value.map(
    (faceId) => rememberedFace(faceId) ?? initial.find((photo) => photo.faceId === faceId) ?? { faceId, url: '', thumbnail: '' },
  )
  const recommendedCount = Math.min(max, Math.max(0, ...value.map((faceId) => rememberedFace(faceId)?.wanted ?? 0)))
  const asksForMore = recommends && value.length < recommendedCount
  const isReady = value.length < max && intake.isFree
  // The file input was removed while the last file was checked, and the focus was lost with it.
  useEffect(() => {
    if (asksForMore && isReady && !camera && document.activeElement === document.body) chooser.current?.focus()
  }, [asksForMore, isReady, camera])

  return (
    <PhotoFrame
      intake={intake}
      photos={photos.map(({ faceId, url, thumbnail }) => ({ key: faceId, address: url || thumbnail }))}
      remove={(faceId) => onChange?.(value.filter((other) => other !== faceId))}
      canAdd={value.length < max}
      camera={{ isOpen: camera, setOpen: setCamera }}
      another={asksForMore}
      chooser={chooser}
    >
      <div role="status">{asksForMore && !camera && <p className={styles.hint}>{t('photo.another', { count: recommendedCount })}</p>}</div>
    </PhotoFrame>
  )
}
