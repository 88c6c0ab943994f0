/** The work of a captcha, which begins when the captcha is shown. */
import type { CaptchaWork } from '@gatehouse/contract/identity/captcha'

export interface CaptchaWorker {
  /** The number that solves it. */
  done: Promise<number>
  stop(): void
}

/** Start a worker of its own: on plain http browsers offer no cryptography, so that it is computed in JavaScript. */
export function startCaptchaWork(work: CaptchaWork): CaptchaWorker {
  const worker = new Worker(new URL('./captchaWork.worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  worker.addEventListener('message', ({ data }: MessageEvent<number>) => resolve(data))
  worker.addEventListener('error', () => reject(new Error('the work of a captcha could not be done')))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  worker.postMessage(work)
  return { done: promise, stop: () => worker.terminate() }
}
