/** Reads anew what the park says of itself: menus, columns and forms follow it. */
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { request } from './request.ts'
import { rememberPark } from './session.ts'

export const readPark = (): void => void request(organisationCalls.parkInfo, {}, { errors: 'silent' }).then(rememberPark, () => {})
