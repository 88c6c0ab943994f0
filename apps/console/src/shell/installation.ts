/** Name and look of the installation, known before login. */
import { useTranslation } from 'react-i18next'
import { lookCalls } from '@gatehouse/contract/system/look'
import { useRead } from '../api/query.ts'

export interface Installation {
  /** Empty where only the logo is to be shown. */
  systemName: string
  /** Addresses of pictures; empty where the installation has none of its own. */
  logo: string
  background: string
}

/** What the administrator set; the product's own name and look until it arrives and where nothing is set. */
export function useInstallation(): Installation {
  const { t } = useTranslation('shell')
  const { data } = useRead(lookCalls.uiConfig, {})
  return {
    // A logo of their own may stand without a name; the product's mark may not.
    systemName: data?.enableSystemName === false && data.logoContent ? '' : (data?.enableSystemName && data.systemName) || t('product'),
    logo: data?.logoContent ?? '',
    background: data?.background ?? '',
  }
}
