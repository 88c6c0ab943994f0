/** Entries that lead out of the console: the target of each, and how a window is opened that browsers do not treat as a pop-up. */
import i18next from 'i18next'
import { code } from '@gatehouse/contract'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { toast } from '../../kit/feedback.tsx'
import { request } from '../../api/request.ts'
import type { OutsideName } from '../../screens.ts'

/** Port of the upgrade page on the same host. */
const UPGRADE_PORT = 23456

async function parkingCreate(): Promise<string> {
  const { createUrl } = await request(parkSettingCalls.carPark, {})
  if (createUrl === '') toast('error', i18next.t(`errors:business.${code.carParkNotConfigured}`))
  return createUrl
}

/** The address of each; empty where there is none, which has been shown to the user then. */
const addresses: Record<OutsideName, () => Promise<string> | string> = {
  deviceUpgrade: () => `${window.location.protocol}//${window.location.hostname}:${UPGRADE_PORT}`,
  parkingCreate,
  parkingManager: async () => (await request(parkSettingCalls.carParkLogin, {})).url,
  thirdPartyMonitor: () => request(installationCalls.loginUrl, {}),
}

/** Return whether an address is a web page: a `javascript:` address would run as this page. */
const isPage = (address: string): boolean => /^https?:\/\//i.test(address)

/** Open an entry. The window is opened at once, while the click still permits it; its address may take a moment. */
export async function openOutside(name: OutsideName): Promise<void> {
  const opened = window.open('about:blank', '_blank')
  // The opened page must not have access to the console.
  if (opened) opened.opener = null
  const address = await Promise.resolve(addresses[name]()).catch(() => '')
  if (isPage(address)) opened?.location.replace(address)
  else opened?.close()
}
