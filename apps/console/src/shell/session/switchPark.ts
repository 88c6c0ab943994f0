/** Moving the session to another park, in the order of the specification. */
import i18next from 'i18next'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { toast } from '../../kit/feedback.tsx'
import { goTo } from '../../kit/navigation.ts'
import { request } from '../../api/request.ts'
import { rememberPark } from '../../api/session.ts'
import { storage } from '../../api/storage.ts'
import { path } from '../../paths.ts'

/** What is still to be said after the page was loaded afresh: a message would go with the page. */
const MESSAGE_KEY = 'parkSwitched'

/** Success message, saved area, home, park info, reload. A refused switch changes nothing and shows nothing. */
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
  // The server has moved the session: what does not arrive here now is read after the reload.
  await request(organisationCalls.parkInfo, {}, { errors: 'silent' }).then(rememberPark, () => {})
  // Loaded afresh before, the page would be the one it was.
  await atHome
  window.location.reload()
}

/** Says after the reload where one is now. */
export function sayParkSwitched(): void {
  const sentence = sessionStorage.getItem(MESSAGE_KEY)
  sessionStorage.removeItem(MESSAGE_KEY)
  if (sentence) toast('success', sentence)
}
