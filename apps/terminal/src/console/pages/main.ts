/** The console's pages: which page an address shows, the frame around it, and what interrupts it. */
import { Fragment, render, type VNode } from 'preact'
import { useEffect, useReducer, useState } from 'preact/hooks'
import { AccountPage } from './account.ts'
import { watchCalls } from './api.ts'
import { BulkPage } from './bulk.ts'
import { DetectionPage } from './detection.ts'
import { DevicePage } from './device.ts'
import { Frame } from './frame.ts'
import { html } from './kit/html.ts'
import { Notice } from './kit/notice.ts'
import { LoginPage } from './login.ts'
import { currentPath, go, useVisit } from './navigation.ts'
import { NetworkPage } from './network.ts'
import { PeoplePage } from './people.ts'
import { RecordsPage } from './records.ts'
import { ScreenSaverPage } from './screen-saver.ts'
import { SettingsPage } from './settings.ts'
import { TimePage } from './time.ts'
import { Upgrading } from './upgrading.ts'
import { VolumePage } from './volume.ts'
import { firstLanguage, onLanguage, say, speak } from './words.ts'

const PAGES: Readonly<Record<string, () => VNode>> = {
  people: PeoplePage,
  bulkPeople: BulkPage,
  device: DevicePage,
  detection: DetectionPage,
  settings: SettingsPage,
  time: TimePage,
  network: NetworkPage,
  volume: VolumePage,
  screenSaver: ScreenSaverPage,
  records: RecordsPage,
  account: AccountPage,
}
const FIRST = 'people'
/** The account is reached from the bar, not from the list. */
const LISTED = Object.keys(PAGES).filter((path) => path !== 'account')

function Console(): VNode {
  const { path, number: visit } = useVisit()
  const [upgrade, setUpgrade] = useState<string | null>(null)
  const [, renderAgain] = useReducer((count: number) => count + 1, 0)
  useEffect(() => onLanguage(() => renderAgain(undefined)), [])
  useEffect(() => {
    watchCalls({ loggedOut: () => currentPath() !== 'login' && go('login'), upgrading: setUpgrade })
  }, [])
  const page = path === 'login' || Object.hasOwn(PAGES, path) ? path : FIRST
  const title = `${say(page === 'login' ? 'login' : `page.${page}`)} · Gatehouse`
  useEffect(() => {
    document.title = title
  }, [title])

  if (upgrade !== null) return html`<${Upgrading} words=${upgrade} />`
  if (page === 'login') return html`<${LoginPage} key=${visit} onDone=${() => go(FIRST)} />`
  return html`<${Frame} current=${page} paths=${LISTED} visit=${visit}><${PAGES[page]} key=${visit} /><//>`
}

await speak(firstLanguage())
render(html`<${Fragment}><${Console} /><${Notice} /><//>`, document.getElementById('app')!)
