/** Sends one row again. The button disappears once nothing in the row fails any more; the row keeps the focus. */
import { RedoOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { use } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf } from '@gatehouse/contract'
import type { syncRetry } from '@gatehouse/contract/synchronisation/calls'
import { toast } from '../../kit/feedback.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { SyncContext } from './syncCalls.ts'

/** @param label name of the button: what is sent, and where to */
export function AgainButton({ target, label }: { target: ResendTarget; label: string }) {
  const { resend, pending } = useResend()
  return (
    // No tooltip of antd: in a drawer it would take the Escape key that closes the drawer.
    <Button
      type="text"
      aria-label={label}
      title={label}
      loading={pending}
      icon={<RedoOutlined />}
      onClick={({ currentTarget }) => {
        currentTarget.closest('tr')?.focus({ preventScroll: true })
        resend(target)
      }}
    />
  )
}

/** Persons at devices, as the call takes them. */
type ResendTarget = InputOf<typeof syncRetry>

/** Return a function that sends again and shows the outcome. */
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
