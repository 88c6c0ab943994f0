/** Words for the reasons why a device cannot recognise a person, and for persons without a name. */
import { useTranslation } from 'react-i18next'

interface SyncWords {
  /** The reason in words; one without a text is shown as the device reported it. */
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
