/** A piece to be moved into its gap, by mouse, finger or arrow keys. */
import { ReloadOutlined } from '@ant-design/icons'
import { Button, Skeleton } from 'antd'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { captchaAnswerText, type CaptchaWork } from '@gatehouse/contract/identity/captcha'
import { ownCalls, type Captcha } from '@gatehouse/contract/identity/own'
import { request } from '../../api/request.ts'
import { sentenceOf } from '../../api/refusal.ts'
import styles from './login.module.css'

interface SlideCaptchaProps {
  /** Called with the answer once the piece is released and the work is done. */
  onAnswer: (answer: string) => void
}

const KEYS_THAT_CONFIRM = ['Enter', ' ']

/** Key it by round: each try needs a new captcha. */
export function SlideCaptcha({ onAnswer }: SlideCaptchaProps) {
  const { t } = useTranslation('account')
  const [round, setRound] = useState(0)
  const [captcha, setCaptcha] = useState<Captcha>()
  const [failure, setFailure] = useState<string>()
  const [x, setX] = useState(0)
  /** Whether the piece was released before the work was done. */
  const [isWaiting, setWaiting] = useState(false)
  const worker = useRef<CaptchaWorker>(undefined)
  useEffect(() => {
    let isMounted = true
    request(ownCalls.captcha, {}, { errors: 'inline' }).then(
      (made) => {
        if (!isMounted) return
        worker.current = startCaptchaWork(made.work)
        setCaptcha(made)
        setX(0)
        setWaiting(false)
        setFailure(undefined)
      },
      (error: unknown) => isMounted && setFailure(sentenceOf(error)),
    )
    return () => {
      isMounted = false
      worker.current?.stop()
      worker.current = undefined
    }
  }, [round])

  async function answer(): Promise<void> {
    const working = worker.current
    if (!captcha || !working || x === 0 || isWaiting) return
    setWaiting(true)
    try {
      const counter = await working.done
      if (worker.current === working) onAnswer(captchaAnswerText({ id: captcha.id, x, counter }))
    } catch (error) {
      setFailure(sentenceOf(error))
    }
  }
  function confirm(event: KeyboardEvent): void {
    if (!KEYS_THAT_CONFIRM.includes(event.key)) return
    event.preventDefault()
    void answer()
  }

  return (
    <div className={styles.captcha} role="group" aria-labelledby="captcha-title">
      <p id="captcha-title" className={styles.captchaTitle}>
        {t('captcha.title')}
      </p>
      {failure && <p role="alert">{failure}</p>}
      {captcha ? (
        <div className={styles.puzzle} style={{ aspectRatio: `${captcha.width} / ${captcha.height}` }}>
          <img src={captcha.background} alt="" />
          <img
            src={captcha.piece}
            alt=""
            className={styles.piece}
            style={{
              width: `${(captcha.pieceSize / captcha.width) * 100}%`,
              left: `${(x / captcha.width) * 100}%`,
              top: `${(captcha.top / captcha.height) * 100}%`,
            }}
          />
          <Button
            className={styles.another}
            size="small"
            icon={<ReloadOutlined />}
            aria-label={t('captcha.another')}
            title={t('captcha.another')}
            onClick={() => setRound(round + 1)}
          />
        </div>
      ) : (
        !failure && <Skeleton.Node active className={styles.puzzleComing} />
      )}
      <input
        type="range"
        className={styles.slider}
        min={0}
        max={captcha ? captcha.width - captcha.pieceSize : 1}
        value={x}
        disabled={!captcha || isWaiting}
        aria-label={t('captcha.slider')}
        aria-describedby="captcha-hint"
        onChange={({ target }) => setX(Number(target.value))}
        onPointerUp={() => void answer()}
        onKeyDown={confirm}
      />
      <p id="captcha-hint" className={styles.captchaHint}>
        {t('captcha.hint')}
      </p>
      <p role="status" className={styles.captchaHint}>
        {isWaiting && t('captcha.working')}
      </p>
    </div>
  )
}

interface CaptchaWorker {
  /** Resolves to the number that solves it. */
  done: Promise<number>
  stop(): void
}

/**
 * Start the work of a captcha, when the captcha is shown.
 * It has a worker of its own: on plain http browsers offer no cryptography, so that it is computed in JavaScript.
 */
function startCaptchaWork(work: CaptchaWork): CaptchaWorker {
  const worker = new Worker(new URL('./captchaWork.worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  worker.addEventListener('message', ({ data }: MessageEvent<number>) => resolve(data))
  worker.addEventListener('error', () => reject(new Error('the work of a captcha could not be done')))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  worker.postMessage(work)
  return { done: promise, stop: () => worker.terminate() }
}
