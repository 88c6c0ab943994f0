/** The dialog that asks for the reason why visits are refused. */
import { useTranslation } from 'react-i18next'
import { ReasonDialog } from '../../../kit/form/ReasonDialog.tsx'

const USUAL = ['host', 'time', 'data', 'who'] as const

interface RefuseDialogProps {
  open: boolean
  names: readonly string[]
  refuse: (reason: string) => void
  close: () => void
}

export default function RefuseDialog({ open, names, refuse, close }: RefuseDialogProps) {
  const { t } = useTranslation('visitors')
  return (
    <ReasonDialog
      open={open}
      title={names.length === 1 ? t('refuseOne', { name: names[0] }) : t('refuseSeveral', { count: names.length })}
      decision={t('refuse')}
      usual={USUAL.map((key) => t(`reasons.${key}`))}
      texts={{ usual: t('usualReasons'), reason: t('rejectReason'), missing: t('rejectReasonMissing'), hint: t('rejectReasonHint') }}
      decide={(reason) => {
        close()
        refuse(reason)
      }}
      close={close}
    />
  )
}
