/** Moving the session to another park, in the order of the specification. */
import i18next from 'i18next'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { toast } from '../../kit/feedback.tsx'
import { goTo } from '../../kit/navigation.ts'
import { request } from '../../kit/request.ts'
import { rememberPark } from '../../kit/session.ts'
import { storage } from '../../kit/storage.ts'
import { path } from '../../paths.ts'

/** Success message, saved area, home, park info, reload. A failed switch changes nothing and shows nothing. */
export async function switchPark(target: { areaCode: string; parkName: string }): Promise<void> {
  try {
    await request(organisationCalls.choicePark, { body: { areaCode: target.areaCode } })
    toast('success', i18next.t('shell:parkSwitched', { park: target.parkName }))
    storage.set('areaCode', target.areaCode)
    storage.set('areaName', target.parkName)
    goTo(path('home'))
    rememberPark(await request(organisationCalls.parkInfo, {}))
    window.location.reload()
  } catch {
    // The calls are quiet: whoever may not switch stays where they are.
  }
}
