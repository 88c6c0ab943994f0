/** The actions on the user's own second factor, and what is wrong with a refused code. Nothing of it is stored. */
import type { FormInstance } from 'antd'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { code, type OutputOf } from '@gatehouse/contract'
import { secondFactorCalls } from '@gatehouse/contract/identity/second-factor'
import { toast } from '../../kit/feedback.tsx'
import { readAfter } from '../../api/query.ts'
import { request } from '../../api/request.ts'
import type { OneTimeCodeValues } from './OneTimeCodeField.tsx'
import { useSending, type Sending } from './passwordForm.ts'

export interface PendingFactor extends OutputOf<typeof secondFactorCalls.begin.data> {
  /** From then on it cannot be confirmed; milliseconds on the clock of the page. */
  ends: number
}

/** The action that a code is needed for, where a factor is set up. */
export type Purpose = 'change' | 'renew' | 'remove'

interface SecondFactor extends Pick<Sending, 'busy' | 'failure'> {
  /** The new secret, until it is confirmed. */
  pendingFactor: PendingFactor | undefined
  /** New recovery codes, which are shown once. */
  recoveryCodes: string[] | undefined
  /** Creates a new secret. @param currentCode code of the present factor */
  begin: (currentCode?: string) => Promise<boolean>
  confirm: (code: string) => Promise<boolean>
  act: (purpose: Purpose, code: string) => Promise<boolean>
  /** Forgets the secret and codes that were shown. */
  forget: () => void
}

export function useSecondFactor(form: FormInstance<OneTimeCodeValues>): SecondFactor {
  const { t } = useTranslation('account')
  const cache = useQueryClient()
  const { busy, failure, send } = useSending(form)
  const [pendingFactor, setPendingFactor] = useState<PendingFactor>()
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>()
  const [isLate, setLate] = useState(false)

  /** Run a call. A wrong code is reported beside the field and cleared, since each is accepted only once. */
  async function sending(work: () => Promise<void>): Promise<boolean> {
    setLate(false)
    const done = await send(work, (refusal) => {
      if (refusal.code !== code.wrongCode || !form.getFieldInstance('code')) return false
      if (pendingFactor && performance.now() > pendingFactor.ends) {
        setPendingFactor(undefined)
        setLate(true)
        return true
      }
      form.setFields([{ name: 'code', value: '', errors: [t('oneTime.wrong')] }])
      form.getFieldInstance('code').focus()
      return true
    })
    if (done) form.setFields([{ name: 'code', value: '', errors: [] }])
    void readAfter(cache, secondFactorCalls.begin)
    return done
  }
  const begin = (currentCode?: string): Promise<boolean> =>
    sending(async () => {
      const made = await request(secondFactorCalls.begin, { body: { code: currentCode } }, { errors: 'inline' })
      setPendingFactor({ ...made, ends: performance.now() + made.validMinutes * 60_000 })
    })
  const renew = (currentCode: string): Promise<boolean> =>
    sending(async () => {
      const made = await request(secondFactorCalls.renewRecoveryCodes, { body: { code: currentCode } }, { errors: 'inline' })
      setRecoveryCodes(made.recoveryCodes)
    })
  const remove = (currentCode: string): Promise<boolean> =>
    sending(async () => {
      await request(secondFactorCalls.remove, { body: { code: currentCode } }, { errors: 'inline' })
      toast('success', t('secondFactor.removed'))
    })
  const acts = { change: begin, renew, remove }

  return {
    busy,
    failure: isLate ? t('secondFactor.late') : failure,
    pendingFactor: pendingFactor,
    recoveryCodes,
    begin,
    confirm: (first) =>
      sending(async () => {
        const made = await request(secondFactorCalls.confirm, { body: { code: first } }, { errors: 'inline' })
        setPendingFactor(undefined)
        setRecoveryCodes(made.recoveryCodes)
      }),
    act: (purpose, currentCode) => acts[purpose](currentCode),
    forget: () => {
      setPendingFactor(undefined)
      setRecoveryCodes(undefined)
    },
  }
}
