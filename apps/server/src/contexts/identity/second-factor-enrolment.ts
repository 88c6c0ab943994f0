/** Sets up a second factor: a secret, which is valid once one of its codes confirms it, and recovery codes. */
import { LOCK_FOR } from '@gatehouse/contract'
import { ENROLMENT_MINUTES } from '@gatehouse/contract/identity/second-factor'
import qrcode from 'qrcode'
import type { Platform } from '../../platform/context.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { makeSecret, readCode, stepOf } from './one-time-codes.ts'
import * as data from './second-factor-data.ts'
import type { SecondFactorOperations } from './second-factor-operations-types.ts'
import type { SecondFactorParts, SecondFactors } from './second-factor-types.ts'

const MINUTE_MS = 60_000
/** Pixels. */
const QR_WIDTH = 240

export function createEnrolment(
  platform: Platform,
  { organisation, sessions, check }: SecondFactorParts,
  { accountOf, counted, demandCode, notify, note, newRecoveryCodes }: SecondFactorOperations,
): Pick<SecondFactors, 'begin' | 'confirm' | 'renewRecoveryCodes'> {
  const { clock, crypto, db } = platform

  /** Return the secret of an account that awaits confirmation; null where the code is none of its one-time passwords. */
  async function pendingOf(id: string, code: string): Promise<{ pending: Buffer; bytes: Buffer; step: number } | null> {
    const now = clock.now()
    const pending = await data.findPendingUnscoped(db, id, now)
    if (pending === null) return null
    const bytes = await crypto.open(INSTALLATION_ID, placeOf(data.FACTOR_PENDING, id), pending)
    const step = stepOf(bytes, readCode(code).text, now)
    return step === null ? null : { pending, bytes, step }
  }

  return {
    async begin(session, code) {
      const { id, account } = await accountOf(session)
      if (await check.isEnrolled(id)) {
        if (code === undefined) throw new InvalidRequest([{ path: 'code', rule: 'required' }])
        await demandCode(id, code)
      }
      const { bytes, base32: secret, uri } = makeSecret({ account, installation: organisation.root().name })
      const pending = await crypto.seal(INSTALLATION_ID, placeOf(data.FACTOR_PENDING, id), bytes)
      await data.setPendingUnscoped(db, id, pending, clock.now() + ENROLMENT_MINUTES * MINUTE_MS)
      return { secret, uri, qr: await qrcode.toDataURL(uri, { width: QR_WIDTH, margin: 2 }), validMinutes: ENROLMENT_MINUTES }
    },
    async confirm(session, code, language) {
      const account = await accountOf(session)
      const { id } = account
      // The user knows the secret already: the count only limits how often a mistyped code is tried.
      const subject = `new second factor of ${id}`
      const { pending, bytes, step } = await counted(subject, LOCK_FOR * MINUTE_MS, () => pendingOf(id, code))
      const secret = await crypto.seal(INSTALLATION_ID, placeOf(data.FACTOR_SECRET, id), bytes)
      const isAnother = await check.isEnrolled(id)
      const recoveryCodes = await platform.transaction(async (tx) => {
        if (!(await data.confirmPendingUnscoped(tx, id, { pending, secret, step }, clock.now()))) refuse(100115, 'code')
        const codes = await newRecoveryCodes(tx, id)
        // Known browsers and other sessions were opened without this factor.
        await data.forgetKnownDevicesUnscoped(tx, id)
        await sessions.revokeAllIn(tx, { userId: id }, session.tokenId)
        await sessions.refreshOwners(tx, [id])
        await notify(tx, account, 'secondFactorSet', language)
        note(account, { secondFactor: isAnother ? 'old' : false }, { secondFactor: isAnother ? 'new' : true })
        return codes
      })
      sessions.forgetOwners([id])
      return { recoveryCodes }
    },
    async renewRecoveryCodes(session, code) {
      const account = await accountOf(session)
      await demandCode(account.id, code)
      return platform.transaction(async (tx) => {
        note(account, { recoveryCodes: 'old' }, { recoveryCodes: 'new' })
        return { recoveryCodes: await newRecoveryCodes(tx, account.id) }
      })
    },
  }
}
