/** Moves the session to another park, in the order of the specification. */
import i18next from 'i18next'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { toast } from '../../kit/feedback.tsx'
import { goTo } from '../../kit/navigation.ts'
import { request } from '../../api/request.ts'
import { rememberPark } from '../../api/session.ts'
import { storage } from '../../api/storage.ts'
import { path } from '../../paths.ts'

/** Key of the message to be shown after the page has been loaded again, which would remove a message shown before. */
const MESSAGE_KEY = 'parkSwitched'

/** Switch to a park: success message, saved area, home, park info, reload. A refused switch changes nothing and shows nothing. */
export async function switchPark(target: { areaCode: string; parkName: string }): Promise<void> {
  try {
    await request(organisationCalls.choicePark, { body: { areaCode: target.areaCode } }, { errors: 'silent' })
  } catch {
    return
  }
  const sentence = i18next.t('shell:parkSwitched', { park: target.parkName })
  toast('success', sentence)
  storage.set('areaCode', target.areaCode)
  storage.set('areaName', target.parkName)
  sessionStorage.setItem(MESSAGE_KEY, sentence)
  const atHome = goTo(path('home'))
  // The server has moved the session already: park info that does not arrive now is read after the reload.
  await request(organisationCalls.parkInfo, {}, { errors: 'silent' }).then(rememberPark, () => {})
  // A reload before would load the page that the user was on.
  await atHome
  window.location.reload()
}

/** Show after the reload which park is current. */
export function sayParkSwitched(): void {
  const sentence = sessionStorage.getItem(MESSAGE_KEY)
  sessionStorage.removeItem(MESSAGE_KEY)
  if (sentence) toast('success', sentence)
}
