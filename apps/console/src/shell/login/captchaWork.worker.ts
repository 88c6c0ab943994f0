/** Does the work of a captcha in a worker, so that the page stays usable meanwhile. */
import { scrypt } from '@noble/hashes/scrypt.js'
import { CAPTCHA_SCRYPT, captchaWorkText, isCaptchaWorkDone, type CaptchaWork } from '@gatehouse/contract/identity/captcha'

addEventListener('message', ({ data: { salt, cost, bits } }: MessageEvent<CaptchaWork>) => {
  const { r, p, length } = CAPTCHA_SCRYPT
  let counter = 0
  while (!isCaptchaWorkDone(scrypt(captchaWorkText(counter), salt, { N: cost, r, p, dkLen: length }), bits)) counter++
  postMessage(counter)
})
