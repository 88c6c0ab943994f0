/** Sending again, and saying what came of it. */
import { use } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf } from '@gatehouse/contract'
import type { syncRetry } from '@gatehouse/contract/synchronisation/calls'
import { toast } from '../../kit/feedback.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { SyncContext } from './syncCalls.ts'

/** Persons at devices, as the call names them. */
export type ResendTarget = InputOf<typeof syncRetry>

export function useResend(): { resend: (target: ResendTarget) => void; pending: boolean } {
  const { t } = useTranslation('synchronisation')
  const retry = useWrite(use(SyncContext).retry, {
    onDone: ({ resent, remaining }) => {
      if (resent === 0) toast('info', t('nothingToResend'))
      else if (remaining > 0) toast('info', t('resentSome', { count: resent, remaining }))
      else toast('success', t('resent', { count: resent }))
    },
  })
  return { resend: (target) => retry.run({ body: target }), pending: retry.pending }
}
