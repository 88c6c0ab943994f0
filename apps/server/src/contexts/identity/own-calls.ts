/** Handlers of the calls for a user's own account. */
import { ownCalls } from '@gatehouse/contract/identity/own'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { Captchas } from './captcha.ts'
import type { CipherTexts } from './cipher-texts.ts'
import type { OwnAccount } from './own-types.ts'
import type { ForgottenPassword } from './password-forgotten.ts'
import { demandNewPassword, demandPassword } from './password.ts'

export interface OwnParts {
  own: OwnAccount
  forgotten: ForgottenPassword
  captchas: Captchas
  cipherTexts: CipherTexts
}

export function ownHandlers({ own, forgotten, captchas, cipherTexts }: OwnParts): MountedCall[] {
  /** Return the old and the new password of a form. */
  const passwordsOf = async ({
    oldPassword,
    newPassword,
    confirmPassword,
  }: Record<'oldPassword' | 'newPassword' | 'confirmPassword', string>) => {
    const opened = await cipherTexts.open({ oldPassword, newPassword, confirmPassword })
    return { old: demandPassword('oldPassword', opened.oldPassword), new: demandNewPassword(opened) }
  }
  return [
    handler(ownCalls.captcha, () => captchas.make()),
    handler(ownCalls.changeExpired, ({ body, ip, language }) =>
      own.changeExpired({
        account: body.account,
        passwords: () => passwordsOf(body),
        captcha: body.captcha,
        knownDevice: body.knownDevice,
        otp: body.otp,
        ip,
        language,
      }),
    ),
    handler(ownCalls.sendCode, ({ query, ip, language }) => forgotten.sendCode({ account: query.account, ip, language })),
    handler(ownCalls.checkCode, ({ body, ip }) => forgotten.checkCode({ ...body, ip })),
    handler(ownCalls.resetPassword, ({ body: { ticket, newPassword, confirmPassword }, language }) =>
      forgotten.reset(ticket, async () => demandNewPassword(await cipherTexts.open({ newPassword, confirmPassword })), language),
    ),
    handler(ownCalls.updatePersonal, ({ session, body, language }) => own.updatePersonal(session, body, language)),
    handler(ownCalls.changePassword, async ({ session, body, ip, language }) =>
      own.changePassword(session, await passwordsOf(body), ip, language),
    ),
    handler(ownCalls.confirm, async ({ session, body, ip }) => {
      const { password } = await cipherTexts.open({ password: body.password })
      return own.confirm(session, demandPassword('password', password), ip)
    }),
    handler(ownCalls.phoneCode, ({ session, query, ip, language }) => own.phoneCode(session, query.phone, ip, language)),
    handler(ownCalls.checkPhoneCode, ({ session, body, ip }) => own.checkPhoneCode(session, body.phone, body.code, ip)),
    handler(ownCalls.sessions, ({ session }) => own.sessions(session)),
    handler(ownCalls.endSession, ({ session, params }) => own.endSession(session, params.id)),
    handler(ownCalls.endOtherSessions, ({ session }) => own.endOtherSessions(session)),
  ]
}
