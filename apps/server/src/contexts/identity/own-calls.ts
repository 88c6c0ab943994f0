/** Handlers of what users do with their own account. */
import { ownCalls } from '@gatehouse/contract/identity/own'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { Captchas } from './captcha.ts'
import type { LoginKey } from './login-key.ts'
import type { OwnAccount } from './own.ts'
import type { ForgottenPassword } from './password-forgotten.ts'
import { openNewPassword, openPassword } from './password.ts'

export interface OwnParts {
  own: OwnAccount
  forgotten: ForgottenPassword
  captchas: Captchas
  loginKey: () => LoginKey
}

export function ownHandlers({ own, forgotten, captchas, loginKey }: OwnParts): MountedCall[] {
  /** Old and new password of a form. */
  const passwordsOf = (body: { oldPassword: string; newPassword: string; confirmPassword: string }) => ({
    old: openPassword(loginKey(), 'oldPassword', body.oldPassword),
    new: openNewPassword(loginKey(), body),
  })
  return [
    handler(ownCalls.captcha, () => captchas.make()),
    handler(ownCalls.changeExpired, ({ body, ip }) =>
      own.changeExpired({ account: body.account, ...passwordsOf(body), captcha: body.captcha, ip }),
    ),
    handler(ownCalls.sendCode, ({ query, ip, language }) => forgotten.sendCode({ account: query.account, ip, language })),
    handler(ownCalls.checkCode, ({ body, ip }) => forgotten.checkCode({ ...body, ip })),
    handler(ownCalls.resetPassword, ({ body }) => forgotten.reset(body.ticket, openNewPassword(loginKey(), body))),
    handler(ownCalls.updatePersonal, ({ session, body }) => own.updatePersonal(session, body)),
    handler(ownCalls.changePassword, ({ session, body, ip }) => own.changePassword(session, passwordsOf(body), ip)),
    handler(ownCalls.confirm, ({ session, body, ip }) => own.confirm(session, openPassword(loginKey(), 'password', body.password), ip)),
    handler(ownCalls.phoneCode, ({ session, query, ip, language }) => own.phoneCode(session, query.phone, ip, language)),
    handler(ownCalls.checkPhoneCode, ({ session, body, ip }) => own.checkPhoneCode(session, body.phone, body.code, ip)),
    handler(ownCalls.sessions, ({ session }) => own.sessions(session)),
    handler(ownCalls.endSession, ({ session, params }) => own.endSession(session, params.id)),
    handler(ownCalls.endOtherSessions, ({ session }) => own.endOtherSessions(session)),
  ]
}
