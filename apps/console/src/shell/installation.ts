/** Name and look of the installation, available before login. */
import { useTranslation } from 'react-i18next'
import { lookCalls } from '@gatehouse/contract/system/look'
import { useRead } from '../api/query.ts'

export interface Installation {
  /** Empty where only the logo is shown. */
  systemName: string
  /** Addresses of pictures; empty where the installation has none of its own. */
  logo: string
  background: string
}

/** Return what the administrator set; the product's own name and look until it is loaded and where nothing is set. */
export function useInstallation(): Installation {
  const { t } = useTranslation('shell')
  const { data } = useRead(lookCalls.uiConfig, {})
  return {
    // An uploaded logo may be shown without a name; the product's mark may not.
    systemName: data?.enableSystemName === false && data.logoContent ? '' : (data?.enableSystemName && data.systemName) || t('product'),
    logo: data?.logoContent ?? '',
    background: data?.background ?? '',
  }
}
