/** Read the settings of the current park again: menus, columns and forms depend on them. */
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { request } from './request.ts'
import { rememberPark } from './session.ts'

export const readPark = (): void => void request(organisationCalls.parkInfo, {}, { errors: 'silent' }).then(rememberPark, () => {})
