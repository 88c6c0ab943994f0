/** The dialog that asks for the reason for a rejection. */
import { useTranslation } from 'react-i18next'
import { ReasonDialog } from '../../kit/form/ReasonDialog.tsx'

const USUAL = ['photo', 'who', 'name', 'registered', 'right'] as const

export default function RejectDialog({ names, reject, close }: { names: string[]; reject: (reason: string) => void; close: () => void }) {
  const { t } = useTranslation('enrolment')
  return (
    <ReasonDialog
      open
      title={names.length === 1 ? t('rejectOne', { name: names[0] }) : t('rejectSeveral', { count: names.length })}
      decision={t('reject')}
      usual={USUAL.map((key) => t(`reasons.${key}`))}
      texts={{ usual: t('reason'), reason: t('reason'), missing: t('reasonMissing'), hint: t('reasonHint') }}
      decide={reject}
      close={close}
    />
  )
}
