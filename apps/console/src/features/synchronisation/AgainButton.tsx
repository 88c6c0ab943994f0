/** Sends one row again. The button goes once nothing in the row has failed any more; its row keeps the focus. */
import { RedoOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useResend, type ResendTarget } from './useResend.ts'

/** @param label what is sent where */
export function AgainButton({ target, label }: { target: ResendTarget; label: string }) {
  const { resend, pending } = useResend()
  return (
    // No tooltip of antd's: in a drawer it would take the Esc that closes the drawer.
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
