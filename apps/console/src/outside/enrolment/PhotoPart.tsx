/**
 * Takes the photograph, and a second one where the park wants it: with the camera on the page where the browser permits it,
 * otherwise with the phone's own, or from the album.
 */
import { useEffect, useRef, useState, type ChangeEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Camera, uprightPhoto } from './Camera.tsx'
import type { FaceBox } from './useHandIn.ts'

interface PhotoPartProps {
  photo: Blob | undefined
  wrong: string | undefined
  boxes: FaceBox[]
  checking: boolean
  /** @param photo as it will be sent, which may take a phone a moment */
  take: (photo: Promise<Blob>) => void
  /** Which of several faces is meant. */
  choose: (index: number) => void
  /** Absent: the park wants one photograph. */
  second?: SecondPhoto | undefined
}

export interface SecondPhoto {
  photo: Blob | undefined
  wrong: string | undefined
  take: (photo: Promise<Blob>) => void
  leaveOut: () => void
}

/** Browsers permit a camera on https and localhost only. */
const MAY_USE_CAMERA = typeof navigator.mediaDevices?.getUserMedia === 'function'

export function PhotoPart({ photo, wrong, boxes, checking, take, choose, second }: PhotoPartProps) {
  const { t } = useTranslation('enrolment')
  const preview = usePreview(photo)
  const [camera, setCamera] = useState<'first' | 'second'>()
  /** The page was denied the camera: the phone's own is used instead. */
  const [refused, setRefused] = useState(false)
  const acceptFor =
    (taken: (photo: Promise<Blob>) => void) =>
    ({ target }: ChangeEvent<HTMLInputElement>): void => {
      const [file] = target.files ?? []
      target.value = ''
      if (file) taken(uprightPhoto(file))
    }
  const accept = acceptFor(take)
  const mayUseCamera = MAY_USE_CAMERA && !refused
  const words = photo ? t('phone.retake') : t('phone.shoot')
  return (
    <section className="photo" {...(wrong && { 'data-wrong': true })}>
      <h2>{t('phone.photo')}</h2>
      <div className="frame" data-empty={preview === undefined || undefined}>
        {preview === undefined ? <Silhouette /> : <img src={preview} alt={t('phone.preview')} />}
        {checking && <span role="status">{t('phone.checking')}</span>}
      </div>
      {wrong && (
        <p className="wrong" role="alert">
          {wrong}
        </p>
      )}
      {photo && boxes.length > 0 && <Choice photo={photo} boxes={boxes} choose={choose} />}
      <div className="ways">
        {mayUseCamera ? (
          <button type="button" className={photo ? '' : 'main'} onClick={() => setCamera('first')}>
            {words}
          </button>
        ) : (
          <label className={photo ? 'button' : 'button main'}>
            {words}
            <input type="file" accept="image/*" capture="user" onChange={accept} />
          </label>
        )}
        <label className="button">
          {t('phone.album')}
          <input type="file" accept="image/*" onChange={accept} />
        </label>
      </div>
      <ul className="tips">
        <li>{t('phone.tipLight')}</li>
        <li>{t('phone.tipStraight')}</li>
        <li>{t('phone.tipBare')}</li>
      </ul>
      {second && photo && (
        <Second {...second} accept={acceptFor(second.take)} shoot={mayUseCamera ? () => setCamera('second') : undefined} />
      )}
      {camera && (
        <Camera
          from={camera}
          asksForSecond={second !== undefined}
          take={(which, picture) => (which === 'second' ? second?.take(picture) : take(picture))}
          close={() => setCamera(undefined)}
          fail={() => {
            setCamera(undefined)
            setRefused(true)
          }}
        />
      )}
    </section>
  )
}

interface SecondProps extends SecondPhoto {
  accept: (event: ChangeEvent<HTMLInputElement>) => void
  /** Absent: the page cannot use the camera. */
  shoot: (() => void) | undefined
}

/** Offered once the first one is there; a person without a second one continues without it. */
function Second({ photo, wrong, accept, shoot, leaveOut }: SecondProps) {
  const { t } = useTranslation('enrolment')
  const preview = usePreview(photo)
  return (
    <div className="second" role="group" aria-label={t('phone.second.title')} {...(wrong && { 'data-wrong': true })}>
      <h3>{t('phone.second.title')}</h3>
      {preview === undefined ? (
        <p>
          {t('phone.second.how')} {t('phone.second.why')}
        </p>
      ) : (
        <div className="frame">
          <img src={preview} alt={t('phone.second.preview')} />
        </div>
      )}
      {wrong && (
        <p className="wrong" role="alert">
          {wrong}
        </p>
      )}
      <div className="ways">
        {shoot && (
          <button type="button" onClick={shoot}>
            {t(photo ? 'phone.second.retake' : 'phone.second.shoot')}
          </button>
        )}
        <label className="button">
          {t('phone.second.album')}
          <input type="file" accept="image/*" onChange={accept} />
        </label>
        {photo && (
          <button type="button" onClick={leaveOut}>
            {t('phone.second.leaveOut')}
          </button>
        )}
      </div>
    </div>
  )
}

function usePreview(photo: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!photo) return
    const made = URL.createObjectURL(photo)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [photo])
  return photo && url
}

const Silhouette = () => (
  <svg viewBox="0 0 120 120" aria-hidden="true">
    <g fill="none" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round">
      <ellipse cx="60" cy="54" rx="25" ry="32" />
      <path d="M20 116c3-18 18-24 40-24s37 6 40 24" strokeDasharray="4 6" />
    </g>
  </svg>
)

/** Pixels of each side of a crop, and how much of the surroundings it shows in sizes of the face. */
const SIDE = 96
const MARGIN = 1.5

/** The choice of one person where several are on the picture. */
function Choice({ photo, boxes, choose }: { photo: Blob; boxes: FaceBox[]; choose: (index: number) => void }) {
  const { t } = useTranslation('enrolment')
  const group = useRef<HTMLDivElement>(null)
  useEffect(() => {
    group.current?.scrollIntoView({ block: 'center' })
    let isUnmounted = false
    void createImageBitmap(photo).then((picture) => {
      if (isUnmounted) return
      for (const [at, canvas] of [...(group.current?.querySelectorAll('canvas') ?? [])].entries()) {
        const { x, y, width, height } = boxes[at]!
        const side = Math.max(width, height) * MARGIN
        canvas.getContext('2d')?.drawImage(picture, x + width / 2 - side / 2, y + height / 2 - side / 2, side, side, 0, 0, SIDE, SIDE)
      }
    })
    return () => {
      isUnmounted = true
    }
  }, [photo, boxes])
  return (
    <div ref={group} className="faces" role="group" aria-label={t('phone.several')}>
      <p role="alert">{t('phone.several')}</p>
      {boxes.map((_, at) => (
        <button key={at} type="button" aria-label={t('phone.face', { nth: at + 1 })} onClick={() => choose(at)}>
          <canvas width={SIDE} height={SIDE} />
        </button>
      ))}
    </div>
  )
}
