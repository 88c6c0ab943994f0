/** Name and look of the installation, known before login. */
import { useTranslation } from 'react-i18next'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { useRead } from '../kit/query.ts'

export interface Installation {
  systemName: string
  /** Addresses of pictures; empty where the installation has none of its own. */
  logo: string
  background: string
}

/** What the administrator set; the product's own name and look until it arrives and where nothing is set. */
export function useInstallation(): Installation {
  const { t } = useTranslation('shell')
  const { data } = useRead(organisationCalls.uiConfig, {})
  return {
    systemName: (data?.enableSystemName && data.systemName) || t('product'),
    logo: data?.logoContent ?? '',
    background: data?.background ?? '',
  }
}
