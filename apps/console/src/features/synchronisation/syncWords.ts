/** Words for why a device cannot recognise somebody, and for who has no name any more. */
import { useTranslation } from 'react-i18next'

interface SyncWords {
  /** A reason nobody has words for is shown as the device said it. */
  reason: (reason: string) => string
  person: (name: string) => string
}

export function useSyncWords(): SyncWords {
  const { t } = useTranslation('synchronisation')
  return {
    reason: (reason) => t(`reason.${reason}`, { defaultValue: reason }),
    person: (name) => name || t('deletedPerson'),
  }
}
